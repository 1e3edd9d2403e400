// The Python of this machine and the package in the checkout.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../support/child-service.ts';

const run = promisify(execFile);

export const PACKAGE = join(ROOT, 'packages/python');
export const SCRIPTS = join(ROOT, 'test/outside/python');

/** Why Python is not tested here; false where it is. */
export const NO_PYTHON = missing();

function missing(): string | false {
  try {
    const isRecent = 'import sys; print(sys.version_info >= (3, 9))';
    const said = execFileSync('python3', ['-c', isRecent], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return said.trim() === 'True' ? false : 'python3 is older than 3.9';
  } catch {
    return 'python3 is missing';
  }
}

type Env = Readonly<Record<string, string>>;

const envOf = (more: Env) => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PYTHONPATH: PACKAGE,
  PYTHONDONTWRITEBYTECODE: '1',
  ...more,
});

/** Runs to its end; warnings are errors. What it said on standard error is in the error that it may throw. */
export function python(args: readonly string[], more: Env = {}): Promise<{ stdout: string; stderr: string }> {
  return run('python3', ['-W', 'error', ...args], { cwd: PACKAGE, env: envOf(more), maxBuffer: 2 ** 26 });
}

/** Stays, and speaks line by line. */
export function startPython(script: string, ...args: string[]): ChildProcess {
  const given = ['-W', 'error', join(SCRIPTS, script), ...args];
  return spawn('python3', given, { env: envOf({}), stdio: ['pipe', 'pipe', 'inherit'] });
}
