// Machines as network namespaces on one bridge, and the programs that run on them.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/until.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const run = promisify(execFile);

/** The beginning of every address. */
export const NETWORK = '10.77.0.';
const BRIDGE = 'br0';
/** The client's address, which is the bridge. */
const CLIENT_HOST = 1;
/** The unprivileged user of every daemon. */
const USER = 'postgres';

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** The network namespace. */
  readonly namespace: string;
  /** Files of its daemons, which belong to their user. */
  readonly directory: string;
}

/** All machines of a run; they and all their processes are gone after it, however this process ends. */
export class Laboratory implements AsyncDisposable {
  readonly directory: string;
  readonly #prefix = `avouch-${process.pid}`;
  readonly #watchdog: ChildProcess;
  readonly #owner: { readonly uid: number; readonly gid: number };

  private constructor(directory: string, owner: { readonly uid: number; readonly gid: number }) {
    this.directory = directory;
    this.#owner = owner;
    this.#watchdog = startWatchdog(this.#prefix, directory);
  }

  static async open(): Promise<Laboratory> {
    const owner = await idsOf(USER);
    const laboratory = new Laboratory(await temporaryDirectory(), owner);
    await chown(laboratory.directory, owner.uid, owner.gid);
    const commands = [
      ['link', 'set', 'lo', 'up'],
      ['link', 'add', BRIDGE, 'type', 'bridge'],
      ['addr', 'add', `${addressOf(CLIENT_HOST)}/24`, 'dev', BRIDGE],
      ['link', 'set', BRIDGE, 'up'],
    ];
    for (const command of commands) await run('ip', command);
    return laboratory;
  }

  /** @param host the last number of its address */
  async addMachine(name: string, host: number): Promise<Machine> {
    const namespace = `${this.#prefix}-${name}`;
    const directory = join(this.directory, name);
    const address = addressOf(host);
    await mkdir(directory);
    await chown(directory, this.#owner.uid, this.#owner.gid);
    const commands = [
      ['netns', 'add', namespace],
      ['link', 'add', `v-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace],
      ['link', 'set', `v-${name}`, 'master', BRIDGE, 'up'],
      ['-n', namespace, 'link', 'set', 'lo', 'up'],
      ['-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0'],
      ['-n', namespace, 'link', 'set', 'eth0', 'up'],
    ];
    for (const command of commands) await run('ip', command);
    return { name, address, namespace, directory };
  }

  /** A machine without processes. */
  async removeMachine({ name, namespace, directory }: Machine): Promise<void> {
    await run('ip', ['link', 'del', `v-${name}`]);
    await run('ip', ['netns', 'del', namespace]);
    await rm(directory, { recursive: true });
  }

  /** Starts a daemon on the machine; what it says lies in a file of the machine's directory. */
  startDaemon(machine: Machine, name: string, command: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const log = openSync(join(machine.directory, `${name}.log`), 'a');
    const asUser = ['setpriv', '--reuid', USER, '--regid', USER, '--init-groups', ...command];
    const [program = '', ...args] = [...onMachine(machine), ...asUser];
    const child = spawn(program, args, {
      cwd: machine.directory,
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', ...env },
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.unref();
    return child;
  }

  /** Starts a program that enters the machines' networks by itself, and ends with them. */
  startRoot([program = '', ...args]: readonly string[]): ChildProcess {
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    child.unref();
    return child;
  }

  /** Every process on the machine. */
  async processes({ namespace }: Machine): Promise<number[]> {
    const { stdout } = await run('ip', ['netns', 'pids', namespace]);
    return stdout.split('\n').filter(Boolean).map(Number);
  }

  /** Sends the signal to every process on the machine, also to those that start meanwhile where it ends them. */
  async signal(machine: Machine, signal: NodeJS.Signals): Promise<void> {
    const send = async () => {
      const found = await this.processes(machine);
      for (const pid of found) killQuietly(pid, signal);
      return found.length === 0 || signal !== 'SIGKILL';
    };
    await until(`the end of all processes on ${machine.name}`, send);
  }

  /** Runs a command on the machine as root. */
  async execute(machine: Machine, command: readonly string[], input = ''): Promise<void> {
    const [program = '', ...args] = [...onMachine(machine), ...command];
    const running = run(program, args);
    // A command that reads nothing may have ended before this; whether it worked is what it exits with.
    running.child.stdin?.on('error', () => {}).end(input);
    await running;
  }

  /** Copies what the daemons said into a directory. */
  async keepLogs(directory: string): Promise<void> {
    await mkdir(directory, { recursive: true });
    const files = await readdir(this.directory, { recursive: true });
    for (const file of files.filter((name) => /^[^/]+\/[^/]+\.log$/.test(name))) {
      await copyFile(join(this.directory, file), join(directory, file.replace('/', '-')));
    }
  }

  /** The watchdog cleans up, as it would after any other end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#watchdog, 'exit');
    this.#watchdog.ref();
    this.#watchdog.stdin?.end();
    await ended;
    await run('ip', ['link', 'del', BRIDGE]);
  }
}

/** What goes before a command that is to run in the machine's network. */
export function onMachine({ namespace }: Machine): string[] {
  return ['nsenter', `--net=/run/netns/${namespace}`];
}

function addressOf(host: number): string {
  return `${NETWORK}${host}`;
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${user}:`))?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${user}`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** A shell that sees its input close when this process ends: it ends every process of the namespaces and removes them. */
function startWatchdog(prefix: string, directory: string): ChildProcess {
  const script = `
    cat >/dev/null
    for path in /run/netns/"$1"-*; do
      [ -e "$path" ] || continue
      name=\${path##*/}
      while pids=$(ip netns pids "$name") && [ -n "$pids" ]; do kill -KILL $pids; sleep 0.1; done
      ip netns del "$name"
    done
    rm -rf "$2"`;
  const args = ['-c', script, 'sh', prefix, directory];
  const shell = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  return shell;
}
