import { once } from 'node:events';
import { readConfig } from '#config/config.ts';
import { readSecrets } from '#config/secrets.ts';
import type { Service } from '../context.ts';
import { VERSION } from '../version.ts';
import { type Command, type Terminal, UsageError } from './command.ts';

/** Longer than the longest wait of a request under way. */
const FORCED_STOP_MS = 30_000;

export const serve: Command = {
  name: 'serve',
  summary: 'run the service until SIGTERM or SIGINT',
  usage: 'serve',
  examples: ['./avouch serve', 'PORT=9000 DATA_DIR=/var/lib/avouch ./avouch serve'],
  async run(args, terminal) {
    if (args.length > 0) throw new UsageError('serve takes no arguments; settings come from the environment');
    const config = readConfig(terminal.env);
    const stop = abortOn('SIGINT', 'SIGTERM');
    // Loaded here: other commands need nothing of it.
    const { startService } = await import('../context.ts');
    await using service = await startService({
      config,
      secrets: readSecrets(config),
      opensSettlement: true,
      sealsRules: true,
    });
    const known = service.url === service.listening ? '' : `, known as ${service.url}`;
    terminal.out(
      `Avouch ${VERSION} listens on ${service.listening}${known} (${config.profile} profile, pid ${process.pid})\n`,
    );
    if (config.profile === 'sandbox') {
      terminal.out(
        `Sandbox: keys were made for this installation, data lies in ${config.dataDir}, no outside service is called.\n`,
      );
    }
    void tellBuyer(service, terminal);
    if (!stop.aborted) await once(stop, 'abort');
    terminal.err('stopping: finishing requests under way\n');
    return 0;
  },
};

/** The service is ready before its chain is. */
async function tellBuyer(service: Service, terminal: Terminal): Promise<void> {
  const buyer = await service.buyer().catch(() => null);
  if (buyer !== null) terminal.out(`Test money lies with ${buyer}: ./avouch pay <url> pays a call with it.\n`);
}

/** Aborts with the first of the signals; a stop that hangs is forced after a while, with exit code 2. */
function abortOn(...signals: readonly NodeJS.Signals[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    process.on(signal, () => {
      controller.abort();
      setTimeout(() => process.exit(2), FORCED_STOP_MS).unref();
    });
  }
  return controller.signal;
}
