// The service and its commands as processes of their own, for kills, signals and the door.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from './service.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOOR = join(ROOT, 'bin/avouch.mjs');

/** Where it says that it listens; releases before this form, and scripts of tests, say it in words. */
const ADDRESS = /(?:listens on |"listening":")([^\s,"]+)/;

/** The service as a process of its own, for kills and signals. */
export class ChildService {
  readonly process: ChildProcess;
  readonly url: string;
  readonly readyMs: number;
  /** What it has written so far. */
  readonly output: Readonly<Output>;

  private constructor(child: ChildProcess, output: Output, url: string, readyMs: number) {
    this.process = child;
    this.output = output;
    this.url = url;
    this.readyMs = readyMs;
  }

  /** @param before a command that runs it elsewhere, such as in another network, as the same process */
  static async start(
    env: Env,
    args: readonly string[] = ['serve'],
    script = DOOR,
    before: readonly string[] = [],
  ): Promise<ChildService> {
    const startedMs = performance.now();
    const { child, output } = spawnAvouch(args, env, { script, before });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', () => {
        const found = ADDRESS.exec(output.stdout)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`exit ${code} before it was ready: ${output.stderr}`)));
    });
    return new ChildService(child, output, url, performance.now() - startedMs);
  }

  /** Ends the process with the signal and gives its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}

interface Output {
  stdout: string;
  stderr: string;
}

function spawnAvouch(
  args: readonly string[],
  env: Env,
  { script = DOOR, before = [] as readonly string[] } = {},
): { child: ChildProcess; output: Output } {
  const [program, ...rest] = [...before, process.execPath, script, ...args] as [string, ...string[]];
  const child = spawn(program, rest, {
    env: { ...passedOn(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (output.stderr += String(chunk)));
  return { child, output };
}

/** What a child needs of the environment; where compiled code is kept halves the start of a script without the door. */
export function passedOn(): Env {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== ''));
}

/** Runs one command of the CLI to its end. */
export async function runAvouch(
  args: readonly string[],
  env: Env = {},
  before: readonly string[] = [],
): Promise<Output & { code: number | null }> {
  const { child, output } = spawnAvouch(args, env, { before });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}
