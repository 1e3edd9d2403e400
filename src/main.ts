import { runCommandLine } from './cli/command-line.ts';
import { processEnv } from '#platform/config/env.ts';

// A reader that has seen enough, as in `avouch config | head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: processEnv(),
  isWatched: process.stderr.isTTY,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
