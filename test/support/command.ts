// A command of the CLI in this process. Processes are for tests of signals, kills and the door.
import { type Command, runCommand } from '../../src/cli/command.ts';
import type { Env } from './service.ts';

/** Runs a command to its end and gives what it wrote and its exit code. */
export async function runHere(
  command: Command,
  args: readonly string[] = [],
  env: Env = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' };
  const code = await runCommand(command, args, {
    env,
    out: (text) => void (output.stdout += text),
    err: (text) => void (output.stderr += text),
  });
  return { code, ...output };
}
