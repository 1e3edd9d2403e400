import cluster from 'node:cluster';
import { once } from 'node:events';
import { systemClock } from '#kernel/clock.ts';
import { type Config, readConfig } from '#platform/config/config.ts';
import { readSecrets } from '#platform/config/secrets.ts';
import { logLine } from '#platform/log-line.ts';
import { createLogger, type Logger } from '#platform/logger.ts';
import { VERSION } from '#platform/version.ts';
import type { Output } from './line/output.ts';
import { type Run, UsageError } from './line/spec.ts';
import { serviceUrl } from './service-url.ts';
import { startSummary } from './start-summary.ts';
import type { WorkerReady } from './workers.ts';

/** Longer than the longest wait of a request under way: 33 s for the answer of a payment that another caller began. */
const FORCED_STOP_MS = 45_000;
/** The one that keeps workers waits for theirs. */
const KEEPER_EXTRA_MS = 5_000;

export const serve: Run = async ({ values: { workers } }, output) => {
  const start: Start = { isReady: false, output };
  try {
    return await serveUntilStopped(workers === undefined ? undefined : Number(workers), start);
  } catch (error) {
    // The command line tells a person at a terminal.
    if (error instanceof UsageError || process.stderr.isTTY) throw error;
    const { startFaultLines } = await import('./start-error.ts');
    const msg = start.isReady ? 'stop failed' : 'start failed';
    for (const cause of startFaultLines(error)) {
      output.err(logLine({ atMs: systemClock().now(), level: 'error', msg, fields: { cause } }, false));
    }
    return 1;
  }
};

interface Start {
  readonly output: Output;
  isReady: boolean;
}

interface Running {
  readonly logger: Logger;
  readonly stop: AbortSignal;
}

async function serveUntilStopped(count: number | undefined, start: Start): Promise<number> {
  const config = readConfig(start.output.env);
  const logger = createLogger(config.logLevel, systemClock());
  using _runtime = logRuntime(logger);
  const limitMs = FORCED_STOP_MS + config.drainSeconds * 1_000 + (count === undefined ? 0 : KEEPER_EXTRA_MS);
  const run = { logger, stop: abortOn(limitMs, 'SIGINT', 'SIGTERM') };
  const code = await (count === undefined ? serveHere(config, start, run) : serveByWorkers(count, config, start, run));
  if (!cluster.isWorker) logger.info('service stopped', { pid: process.pid });
  return code;
}

async function serveByWorkers(count: number, config: Config, start: Start, { logger, stop }: Running): Promise<number> {
  if (config.databaseUrl === null) throw new UsageError('--workers needs PostgreSQL: set DATABASE_URL.');
  const { runWorkers } = await import('./workers.ts');
  return runWorkers({
    count,
    stop,
    logger,
    ready: ({ address, listening, logOrigin }) => {
      logConfiguration(config, logOrigin, logger);
      start.output.out(readyLine(config, { address, listening, processes: count }));
      start.isReady = true;
    },
  });
}

async function serveHere(config: Config, start: Start, { logger, stop }: Running): Promise<number> {
  // Loaded here: other commands need nothing of it.
  const { startService } = await import('../service.ts');
  await using service = await startService({
    config,
    secrets: readSecrets(config),
    opensSettlement: true,
    sealsRules: true,
  });
  const { url: address, listening, logOrigin } = service;
  start.isReady = true;
  if (cluster.isWorker) {
    process.send?.({ address, listening, logOrigin } satisfies WorkerReady);
    if (!stop.aborted) await once(stop, 'abort');
    // It would keep a process alive that has nothing left to do.
    process.channel?.unref();
    return 0;
  }
  logConfiguration(config, logOrigin, logger);
  start.output.out(readyLine(config, { address, listening }));
  if (!stop.aborted) await once(stop, 'abort');
  logger.info('service stopping', { signal: String(stop.reason) });
  return 0;
}

/** Operators check it after each start. A newcomer at a terminal reads where the sandbox is, and nothing else. */
function logConfiguration(config: Config, logOrigin: string, logger: Logger): void {
  const isNewcomer = config.profile === 'sandbox' && process.stderr.isTTY;
  logger[isNewcomer ? 'debug' : 'info']('service configuration', startSummary(config, logOrigin));
}

/** What says where callers reach the service: the only line on standard output, whatever the log level. */
function readyLine(
  { profile }: Config,
  { address, listening, processes }: { address: string; listening: string; processes?: number },
): string {
  if (!process.stdout.isTTY) {
    const fields = { address, listening, version: VERSION, profile, pid: process.pid, processes };
    return logLine({ atMs: systemClock().now(), level: 'info', msg: 'service ready', fields }, false);
  }
  const known = address === listening ? '' : `, known as ${address}`;
  // In one row of a narrow terminal.
  if (profile === 'sandbox')
    return `Avouch ${VERSION} listens on ${listening}${known} (sandbox). Try: ${tourOf(address)}\n`;
  const many = processes === undefined ? '' : `${processes} processes, `;
  return `Avouch ${VERSION} listens on ${listening}${known} (${profile} profile, ${many}pid ${process.pid})\n`;
}

/** Crashes and warnings of the runtime are log lines too; a crash is logged at every level, and ends the process. */
function logRuntime(logger: Logger): Disposable {
  const crashes = createLogger('error', systemClock());
  const onCrash = (error: unknown, origin: string) => {
    crashes.error('crash', { origin, pid: process.pid }, error);
    process.exit(1);
  };
  const onWarning = ({ name, message }: Error) => logger.warn('runtime warning', { name, cause: message });
  // The runtime's own listener writes lines of another form.
  const before = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', onWarning);
  process.on('uncaughtException', onCrash);
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', onCrash);
      process.off('warning', onWarning);
      for (const listener of before) process.on('warning', listener);
    },
  };
}

/** The command that walks through the service at this address. */
function tourOf(url: string): string {
  return url === serviceUrl(undefined, {}) ? './avouch tour' : `./avouch tour --url ${url}`;
}

/** Aborts with the first of the signals as its reason; a stop that hangs is forced after a while, with exit code 2. */
function abortOn(limitMs: number, ...signals: readonly NodeJS.Signals[]): AbortSignal {
  const controller = new AbortController();
  const force = () => {
    createLogger('error', systemClock()).error('forced stop', { after_s: limitMs / 1_000, pid: process.pid });
    process.exit(2);
  };
  for (const signal of signals) {
    process.on(signal, () => {
      controller.abort(signal);
      setTimeout(force, limitMs).unref();
    });
  }
  // A worker does not outlive the process that keeps it.
  if (cluster.isWorker) process.once('disconnect', () => controller.abort('disconnect'));
  return controller.signal;
}
