// A program that reads its standard input to the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ChildRan {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ChildOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<ChildRan> {
  const { cwd, input = '', env = process.env } = options;
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
  child.stdin.end(input);
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}
