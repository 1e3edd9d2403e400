// Runs a start that must fail, as a process or in this one, with data, rights and servers that are broken on purpose.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { startFaultLines } from '../../src/cli/start-error.ts';
import { startService } from '../../src/service.ts';
import { ROOT } from '../support/child-service.ts';
import { runCommand } from '../support/command.ts';
import { PATIENCE } from '../support/databases.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { TestService } from '../support/service.ts';

export type Env = Record<string, string>;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Broken {
  readonly what: string;
  /** What the one line says after `avouch <command>: `, or as the cause of a failed start. */
  readonly says: RegExp;
  readonly args?: readonly string[];
  /** Where the data of an earlier service are broken; without it the directory is empty. */
  readonly spoil?: (dataDir: string) => void;
  readonly env?: Env | ((dataDir: string) => Env | Promise<Env>);
  /** Runs the command with fewer rights or another view of the file system. */
  readonly under?: (dataDir: string) => readonly string[];
  readonly skip?: string | false;
  /** What never answers is not waited for long. */
  readonly isSilent?: true;
}

const STARTED = /"msg":"service ready"/;
export const MARKER = 'marker-6d1f-secret';
export const DOOR = join(ROOT, 'bin/avouch.mjs');
/** Starts cost processor time: more at once would only make each of them slower. */
export const AT_ONCE = { concurrency: 3 };

export const root = await temporaryDirectory();
after(() => {
  spawnSync('chmod', ['-R', 'u+rwX', root]); // some of it was made unreadable on purpose
  return rm(root, { recursive: true, force: true });
});
let directories = 0;

export function newDirectory(): string {
  directories += 1;
  return join(root, String(directories));
}

/** Runs a command to its end; a service that starts although it should not is stopped at once. */
export async function run(args: readonly string[], env: Env, under: readonly string[] = []): Promise<Outcome> {
  const [command = '', ...rest] = [...under, process.execPath, DOOR, ...args];
  const path = { PATH: process.env['PATH'] ?? '', HOME: root };
  const child = spawn(command, rest, { env: { ...path, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  child.stdout.on('data', (chunk) => {
    output.stdout += String(chunk);
    if (STARTED.test(output.stdout)) child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** The data of a service that ran, with keys, a database and an audit trail of several sealed blocks. */
const sound = await (async () => {
  const dataDir = newDirectory();
  for (let runs = 0; runs < 2; runs += 1) {
    await using service = await TestService.start({ dataDir });
    const call = (name: string) => service.call(`/v1/claim?key=k${runs}-${name}&agent=ab`);
    for (let calls = 0; calls < 6; calls += 1) await call(String(calls));
    // Calls at once come into one block, however long a flush takes.
    await Promise.all(Array.from({ length: 12 }, (_, calls) => call(`at-once-${calls}`)));
  }
  return dataDir;
})();

export function keyFile(dataDir: string, name = 'receipts-001.pem'): string {
  return join(dataDir, 'keys', name);
}

export async function copyOfSound(): Promise<string> {
  const dataDir = newDirectory();
  await cp(sound, dataDir, { recursive: true });
  return dataDir;
}

/** What a start says that fails in this process. */
async function startHere(env: Env, patience: number): Promise<Outcome> {
  try {
    const config = readConfig(env);
    await using service = await startService({ config, secrets: readSecrets(config), patience });
    return { code: 0, stdout: `"msg":"service ready" ${service.url}`, stderr: '' };
  } catch (error) {
    const lines = startFaultLines(error).map((cause) => `${JSON.stringify({ msg: 'start failed', cause })}\n`);
    return { code: 1, stdout: '', stderr: lines.join('') };
  }
}

async function outcomeOf({ args, spoil, env = {}, under, isSilent }: Broken): Promise<Outcome> {
  const dataDir = spoil === undefined ? newDirectory() : await copyOfSound();
  spoil?.(dataDir);
  const given = typeof env === 'function' ? await env(dataDir) : env;
  const complete = { DATA_DIR: dataDir, PORT: '0', ...given };
  if (under !== undefined) return run(args ?? ['serve'], complete, under(dataDir));
  return args === undefined ? startHere(complete, isSilent ? 1 : PATIENCE) : runCommand(args, complete);
}

/** Why a start failed: the service writes JSON lines where its output is not a terminal. */
export function startCauses(stderr: string): string[] {
  const lines = stderr.trimEnd().split('\n');
  return lines.map((line) => {
    const { msg, cause } = JSON.parse(line) as { msg: string; cause: string };
    assert.equal(msg, 'start failed');
    return cause;
  });
}

function saidBy(command: string, stderr: string): string {
  assert.ok(stderr.startsWith(`avouch ${command}: `), stderr);
  return stderr.slice(`avouch ${command}: `.length, -1);
}

export function assertOneLine(
  { stdout, stderr }: Pick<Outcome, 'stdout' | 'stderr'>,
  command: string,
  says: RegExp,
): void {
  assert.match(stderr, /^[^\n]+\n$/, 'one line');
  assert.match(command === 'serve' ? startCauses(stderr).join('\n') : saidBy(command, stderr), says);
  assert.doesNotMatch(stdout + stderr, new RegExp(`${MARKER}|node:internal|\\.ts:\\d|Error:`));
}

export function table(name: string, rows: readonly Broken[]): void {
  suite(name, AT_ONCE, () => {
    for (const row of rows) {
      test(`${row.what} is refused in one line that says what to do`, { skip: row.skip ?? false }, async () => {
        const outcome = await outcomeOf(row);
        assertOneLine(outcome, row.args?.join(' ') ?? 'serve', row.says);
        assert.equal(outcome.code, 1);
        assert.doesNotMatch(outcome.stdout, STARTED);
      });
    }
  });
}

/** Root may read and write everything: without these two capabilities it has to obey the rights of files. */
const WITHOUT_OVERRIDE = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-dac_override,-dac_read_search',
];
export const WITHOUT_LOW_PORTS = ['setpriv', '--bounding-set=-net_bind_service', '--inh-caps=-net_bind_service'];
export const isRoot = process.getuid?.() === 0;
export const obeyingRights = isRoot ? WITHOUT_OVERRIDE : [];
export const noRights =
  isRoot && !works([...WITHOUT_OVERRIDE, 'true']) && 'this system has no setpriv to give up the rights of root';

/** An own view of the file system, in which a read-only or tiny one lies over the data directory. */
export function mounted(options: string): (dataDir: string) => readonly string[] {
  return (dataDir) => {
    mkdirSync(dataDir, { recursive: true });
    const script = `mount -t tmpfs -o ${options} tmpfs "$1" && shift && exec "$@"`;
    return ['unshare', '--mount', 'sh', '-c', script, 'sh', dataDir];
  };
}
export const noMounts =
  !works(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']) && 'mounts are not permitted here';

function works([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

export async function listening(answer: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  after(() => server.close());
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  return server;
}

export async function administrate(url: URL, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** A message of the PostgreSQL protocol: its letter, its length and its fields. */
function message(letter: string, ...fields: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(fields.map((field) => Buffer.from(field)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

/** Says hello to anybody, that it is no standby, and that it runs with fsync=off. */
export function unsafeServer(socket: Socket): void {
  const ready = message('Z', 'I');
  const row = (name: string, type: number, value: string) => {
    const column = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, type, 255, 255, 255, 255, 255, 255, 0, 0]);
    return Buffer.concat([
      message('T', Buffer.from([0, 1]), `${name}\0`, column),
      message('D', Buffer.from([0, 1, 0, 0, 0, value.length]), value),
      message('C', 'SHOW\0'),
      ready,
    ]);
  };
  const answers: readonly (readonly [asked: string, answer: Buffer])[] = [
    ['pg_is_in_recovery', row('standby', INT4, '0')],
    ['fsync', row('fsync', TEXT, 'off')],
  ];
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
    socket.on('data', (query) => {
      if (query[0] !== 'Q'.charCodeAt(0)) return;
      const [, answer] = answers.find(([asked]) => query.includes(asked)) ?? [];
      if (answer !== undefined) socket.write(answer);
    });
  });
}

/** Types of PostgreSQL. */
const INT4 = 23;
const TEXT = 25;
