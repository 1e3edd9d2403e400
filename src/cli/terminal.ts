import { processEnv } from '#platform/config/env.ts';
import { type CommandGroup, runCommandLine } from './command-line.ts';

/** Runs the command line of this process; its exit code is that of the command. */
export async function runOnTerminal(groups: readonly CommandGroup[]): Promise<void> {
  // A reader that has seen enough, as in `avouch config | head`, is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const terminal = {
    env: processEnv(),
    isWatched: process.stderr.isTTY,
    out: (text: string) => void process.stdout.write(text),
    err: (text: string) => void process.stderr.write(text),
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), terminal, groups);
}
