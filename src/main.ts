import { agents } from './cli/agents.ts';
import { auditTrail } from './cli/audit-trail.ts';
import { check } from './cli/check.ts';
import { type Command, helpOf, type Terminal, UsageError } from './cli/command.ts';
import { config } from './cli/config.ts';
import { claim, mark, release } from './cli/crossing.ts';
import { erase } from './cli/erase.ts';
import { fees } from './cli/fees.ts';
import { fsck } from './cli/fsck.ts';
import { ingest } from './cli/ingest.ts';
import { keys } from './cli/keys.ts';
import { ledger } from './cli/ledger.ts';
import { mandate } from './cli/mandate.ts';
import { look } from './cli/look.ts';
import { pay } from './cli/pay.ts';
import { platforms } from './cli/platforms.ts';
import { screen } from './cli/screen.ts';
import { seal } from './cli/seal.ts';
import { serve } from './cli/serve.ts';
import { startFaultLines } from './cli/start-fault.ts';
import { verify } from './cli/verify.ts';
import { verifyReceipt } from './cli/verify-receipt.ts';
import { watch } from './cli/watch.ts';
import { witness } from './cli/witness.ts';
import { processEnv } from './config/env.ts';
import { VERSION } from './version.ts';

const COMMANDS: readonly Command[] = [
  serve,
  config,
  keys,
  auditTrail,
  look,
  watch,
  check,
  claim,
  release,
  mark,
  seal,
  verify,
  verifyReceipt,
  erase,
  fees,
  fsck,
  pay,
  witness,
  screen,
  mandate,
  platforms,
  agents,
  ledger,
  ingest,
];

function overview(): string {
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(15)} ${summary}`);
  return `Avouch ${VERSION}\n\nUsage: ./avouch <command> [--help]\n\n${lines.join('\n')}\n`;
}

async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === 'help') {
    terminal.out(overview());
    return 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) {
    terminal.err(name === undefined ? overview() : `avouch: no command ${JSON.stringify(name)}\n\n${overview()}`);
    return 2;
  }
  if (rest.includes('--help')) {
    terminal.out(helpOf(command));
    return 0;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(`avouch ${command.name}: ${error.message}\n\n${helpOf(command)}`);
      return 2;
    }
    for (const line of startFaultLines(error)) terminal.err(`avouch ${command.name}: ${line}\n`);
    return 1;
  }
}

// A reader that has seen enough, as in `avouch config | head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2), {
  env: processEnv(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
