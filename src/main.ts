import { type Command, helpOf, runCommand, type Terminal } from './cli/command.ts';
import { processEnv } from './config/env.ts';
import { VERSION } from './version.ts';

/** Each is loaded when it is called: most of them need a small part of the service. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({
    tour: async () => (await import('./cli/tour.ts')).tour,
    serve: async () => (await import('./cli/serve.ts')).serve,
    config: async () => (await import('./cli/config.ts')).config,
    keys: async () => (await import('./cli/keys.ts')).keys,
    'audit-trail': async () => (await import('./cli/audit-trail.ts')).auditTrail,
    look: async () => (await import('./cli/look.ts')).look,
    watch: async () => (await import('./cli/watch.ts')).watch,
    check: async () => (await import('./cli/check.ts')).check,
    claim: async () => (await import('./cli/crossing.ts')).claim,
    release: async () => (await import('./cli/crossing.ts')).release,
    mark: async () => (await import('./cli/crossing.ts')).mark,
    seal: async () => (await import('./cli/seal.ts')).seal,
    verify: async () => (await import('./cli/verify.ts')).verify,
    'verify-receipt': async () => (await import('./cli/verify-receipt.ts')).verifyReceipt,
    erase: async () => (await import('./cli/erase.ts')).erase,
    fees: async () => (await import('./cli/fees.ts')).fees,
    fsck: async () => (await import('./cli/fsck.ts')).fsck,
    pay: async () => (await import('./cli/pay.ts')).pay,
    witness: async () => (await import('./cli/witness.ts')).witness,
    screen: async () => (await import('./cli/screen.ts')).screen,
    mandate: async () => (await import('./cli/mandate.ts')).mandate,
    platforms: async () => (await import('./cli/platforms.ts')).platforms,
    agents: async () => (await import('./cli/agents.ts')).agents,
    rules: async () => (await import('./cli/rules.ts')).rules,
    ledger: async () => (await import('./cli/ledger.ts')).ledger,
    backup: async () => (await import('./cli/backup.ts')).backup,
    restore: async () => (await import('./cli/restore.ts')).restore,
    'migrate-store': async () => (await import('./cli/migrate-store.ts')).migrateStore,
    doctor: async () => (await import('./cli/doctor.ts')).doctor,
    extras: async () => (await import('./cli/extras.ts')).extras,
    ingest: async () => (await import('./cli/ingest.ts')).ingest,
  }),
);

async function overview(): Promise<string> {
  const commands = await Promise.all([...COMMANDS.values()].map((load) => load()));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(15)} ${summary}`);
  return `Avouch ${VERSION}\n\nUsage: ./avouch <command> [--help]\n\n${lines.join('\n')}\n`;
}

async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === 'help') {
    terminal.out(await overview());
    return 0;
  }
  const command = await COMMANDS.get(name ?? '')?.();
  if (command === undefined) {
    terminal.err(`${name === undefined ? '' : `avouch: no command ${JSON.stringify(name)}\n\n`}${await overview()}`);
    return 2;
  }
  if (rest.includes('--help')) {
    terminal.out(helpOf(command));
    return 0;
  }
  return runCommand(command, rest, terminal);
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
