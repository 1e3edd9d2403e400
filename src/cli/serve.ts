import cluster from 'node:cluster';
import { once } from 'node:events';
import { readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { VERSION } from '#platform/version.ts';
import { type Command, UsageError } from './command.ts';
import { serviceUrl } from './log-client.ts';

/** Longer than the longest wait of a request under way: 33 s for the answer of a payment that another caller began. */
const FORCED_STOP_MS = 45_000;
/** The one that keeps workers waits for theirs. */
const KEEPER_EXTRA_MS = 5_000;
const MAX_WORKERS = 256;

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the service until SIGTERM or SIGINT',
  usage: 'serve [--workers N]',
  examples: [
    './avouch serve',
    'DATABASE_URL=postgres://… ./avouch serve --workers 4',
    'PORT=9000 DATA_DIR=/var/lib/avouch ./avouch serve',
  ],
  async run(args, terminal) {
    const count = workersIn(args);
    const config = readConfig(terminal.env);
    const limitMs = FORCED_STOP_MS + config.drainSeconds * 1_000 + (count === undefined ? 0 : KEEPER_EXTRA_MS);
    const stop = abortOn(limitMs, 'SIGINT', 'SIGTERM');
    if (count !== undefined) {
      if (config.databaseUrl === null) throw new UsageError('several processes need PostgreSQL: set DATABASE_URL');
      const { runWorkers } = await import('./workers.ts');
      return runWorkers({
        count,
        stop,
        tell: (line) => terminal.err(`${line}\n`),
        ready: (address) => {
          const processes = `${count} processes, pid ${process.pid}`;
          terminal.out(`Avouch ${VERSION} listens on ${address} (${config.profile} profile, ${processes})\n`);
        },
      });
    }
    // Loaded here: other commands need nothing of it.
    const { startService } = await import('../service.ts');
    await using service = await startService({
      config,
      secrets: readSecrets(config),
      opensSettlement: true,
      sealsRules: true,
    });
    if (cluster.isWorker) {
      process.send?.({ listening: service.listening });
      if (!stop.aborted) await once(stop, 'abort');
      // It would keep a process alive that has nothing left to do.
      process.channel?.unref();
      return 0;
    }
    const known = service.url === service.listening ? '' : `, known as ${service.url}`;
    const hint = config.profile === 'sandbox' ? `. Try it: ${tourOf(service.url)}` : '';
    terminal.out(
      `Avouch ${VERSION} listens on ${service.listening}${known} (${config.profile} profile, pid ${process.pid})${hint}\n`,
    );
    if (!stop.aborted) await once(stop, 'abort');
    terminal.err('stopping: finishing requests under way\n');
    return 0;
  },
};

/** How many processes are asked for; undefined for this one alone. */
function workersIn(args: readonly string[]): number | undefined {
  if (args.length === 0) return undefined;
  const [name, value = ''] = args.flatMap((arg) => arg.split('=', 2));
  const count = Number(value);
  if (name === '--workers' && args.length <= 2 && Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS) {
    return count;
  }
  throw new UsageError(`serve takes --workers 1 to ${MAX_WORKERS} alone; settings come from the environment`);
}

/** The command that walks through the service at this address. */
function tourOf(url: string): string {
  return url === serviceUrl(undefined, {}) ? './avouch tour' : `./avouch tour --url ${url}`;
}

/** Aborts with the first of the signals; a stop that hangs is forced after a while, with exit code 2. */
function abortOn(limitMs: number, ...signals: readonly NodeJS.Signals[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    process.on(signal, () => {
      controller.abort();
      setTimeout(() => process.exit(2), limitMs).unref();
    });
  }
  // A worker does not outlive the process that keeps it.
  if (cluster.isWorker) process.once('disconnect', () => controller.abort());
  return controller.signal;
}
