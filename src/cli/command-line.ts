import { type Command, helpOf, type Terminal, UsageError } from './command.ts';
import { VERSION } from '#platform/version.ts';

/** Each is loaded when it is called: most of them need a small part of the service. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({
    tour: async () => (await import('./tour.ts')).tour,
    serve: async () => (await import('./serve.ts')).serve,
    config: async () => (await import('./config.ts')).config,
    keys: async () => (await import('./keys.ts')).keys,
    'audit-trail': async () => (await import('./audit-trail.ts')).auditTrail,
    call: async () => (await import('./call.ts')).call,
    look: async () => (await import('./look.ts')).look,
    watch: async () => (await import('./watch.ts')).watch,
    check: async () => (await import('./check.ts')).check,
    claim: async () => (await import('./crossing.ts')).claim,
    release: async () => (await import('./crossing.ts')).release,
    mark: async () => (await import('./crossing.ts')).mark,
    seal: async () => (await import('./seal.ts')).seal,
    verify: async () => (await import('./verify.ts')).verify,
    'verify-receipt': async () => (await import('./verify-receipt.ts')).verifyReceipt,
    erase: async () => (await import('./erase.ts')).erase,
    fees: async () => (await import('./fees.ts')).fees,
    fsck: async () => (await import('./fsck.ts')).fsck,
    pay: async () => (await import('./pay.ts')).pay,
    witness: async () => (await import('./witness.ts')).witness,
    screen: async () => (await import('./screen.ts')).screen,
    mandate: async () => (await import('./mandate.ts')).mandate,
    platforms: async () => (await import('./platforms.ts')).platforms,
    agents: async () => (await import('./agents.ts')).agents,
    rules: async () => (await import('./rules.ts')).rules,
    ledger: async () => (await import('./ledger.ts')).ledger,
    backup: async () => (await import('./backup.ts')).backup,
    restore: async () => (await import('./restore.ts')).restore,
    'migrate-store': async () => (await import('./migrate-store.ts')).migrateStore,
    doctor: async () => (await import('./doctor.ts')).doctor,
    extras: async () => (await import('./extras.ts')).extras,
    ingest: async () => (await import('./ingest.ts')).ingest,
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
