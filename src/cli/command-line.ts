import { type Command, helpOf, type Terminal, UsageError } from './command.ts';
import { VERSION } from '#platform/version.ts';

/** Each is loaded when it is called: most of them need a small part of the service. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({
    tour: async () => (await import('./tour.ts')).tourCommand,
    serve: async () => (await import('./serve.ts')).serveCommand,
    config: async () => (await import('./config.ts')).configCommand,
    keys: async () => (await import('./keys.ts')).keysCommand,
    'audit-trail': async () => (await import('./audit-trail.ts')).auditTrailCommand,
    call: async () => (await import('./call.ts')).callCommand,
    look: async () => (await import('./look.ts')).lookCommand,
    watch: async () => (await import('./watch.ts')).watchCommand,
    check: async () => (await import('./check.ts')).checkCommand,
    claim: async () => (await import('./crossing.ts')).claimCommand,
    release: async () => (await import('./crossing.ts')).releaseCommand,
    mark: async () => (await import('./crossing.ts')).markCommand,
    seal: async () => (await import('./seal.ts')).sealCommand,
    verify: async () => (await import('./verify.ts')).verifyCommand,
    'verify-receipt': async () => (await import('./verify-receipt.ts')).verifyReceiptCommand,
    erase: async () => (await import('./erase.ts')).eraseCommand,
    fees: async () => (await import('./fees.ts')).feesCommand,
    fsck: async () => (await import('./fsck.ts')).fsckCommand,
    pay: async () => (await import('./pay.ts')).payCommand,
    witness: async () => (await import('./witness.ts')).witnessCommand,
    screen: async () => (await import('./screen.ts')).screenCommand,
    mandate: async () => (await import('./mandate.ts')).mandateCommand,
    platforms: async () => (await import('./platforms.ts')).platformsCommand,
    agents: async () => (await import('./agents.ts')).agentsCommand,
    rules: async () => (await import('./rules.ts')).rulesCommand,
    ledger: async () => (await import('./ledger.ts')).ledgerCommand,
    backup: async () => (await import('./backup.ts')).backupCommand,
    restore: async () => (await import('./restore.ts')).restoreCommand,
    'migrate-store': async () => (await import('./migrate-store.ts')).migrateStoreCommand,
    doctor: async () => (await import('./doctor.ts')).doctorCommand,
    extras: async () => (await import('./extras.ts')).extrasCommand,
    ingest: async () => (await import('./ingest.ts')).ingestCommand,
  }),
);

async function overview(): Promise<string> {
  const commands = await Promise.all([...COMMANDS.values()].map((load) => load()));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(15)} ${summary}`);
  return `Avouch ${VERSION}\n\nUsage: ./avouch <command> [--help]\n\n${lines.join('\n')}\n`;
}

/** Runs what a command line names; gives the exit code. Whatever goes wrong is said on the terminal. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
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
  try {
    if (rest.includes('--help')) {
      terminal.out((await command.help?.(rest)) ?? helpOf(command));
      return 0;
    }
    return await command.run(rest, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(`avouch ${command.name}: ${error.message}\n\n${helpOf(command)}`);
      return 2;
    }
    const { startFaultLines } = await import('./start-error.ts');
    for (const line of startFaultLines(error)) terminal.err(`avouch ${command.name}: ${line}\n`);
    return 1;
  }
}
