// Commands of the CLI in this process: what a user would see of them, without the price of a process.
import { runCommandLine } from '../../src/cli/command-line.ts';
import { ALL_COMMANDS } from '../../src/cli/commands.ts';
import { parseArguments } from '../../src/cli/line/parse.ts';
import { PATIENCE } from './databases.ts';
import type { Env } from '#platform/config/env.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line as the door would, and gives its exit code and what it wrote; `isWatched` as on a terminal. */
export async function runCommand(args: readonly string[], env: Env = {}, isWatched = false): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const code = await runCommandLine(
    args,
    {
      env,
      patience: PATIENCE,
      isWatched,
      out: (text) => void (written.stdout += text),
      err: (text) => void (written.stderr += text),
    },
    ALL_COMMANDS,
  );
  return { code, ...written };
}

/** Throws where a command line, which is not run, is not one of ours. */
export function requireCommand([name, ...args]: readonly string[]): void {
  const spec = ALL_COMMANDS.flatMap(({ commands }) => commands).find((one) => one.name === name);
  if (spec === undefined) throw new Error(`there is no command ${name}`);
  parseArguments(args, { operands: spec.operands ?? [], options: spec.options ?? [] });
}
