import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#kernel/clock.ts';
import type { Logger } from '#platform/logger.ts';

export interface WorkerOptions {
  readonly count: number;
  readonly stop: AbortSignal;
  /** Told where the workers listen, once all do. */
  readonly ready: (worker: WorkerReady) => void;
  readonly logger: Logger;
}

/** What a worker tells the process that keeps it, once it listens. */
export interface WorkerReady {
  readonly address: string;
  readonly listening: string;
  readonly logOrigin: string;
}

const DOOR = fileURLToPath(new URL('../../bin/avouch.mjs', import.meta.url));
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A worker that lived this long did not die of its start. */
const STEADY_MS = 60_000;
const START_MS = 120_000;

/**
 * Keeps so many processes on one port: one that dies is replaced, and on SIGHUP each is replaced in turn, the old one
 * going only when the new one listens. Resolves with the exit code.
 */
export async function runWorkers({ count, stop, ready, logger }: WorkerOptions): Promise<number> {
  cluster.setupPrimary({ exec: DOOR, args: ['serve'] });
  const clock = systemClock();
  const kept = new Set<Worker>();
  let pauseMs = FIRST_PAUSE_MS;
  const replace = (worker: Worker, startedMs: number) => {
    if (!kept.delete(worker) || stop.aborted) return;
    pauseMs = clock.monotonicMs() - startedMs > STEADY_MS ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS);
    logger.error('worker crash', { pid: worker.process.pid, restart_in_s: pauseMs / 1_000 });
    setTimeout(() => void (stop.aborted || keep(cluster.fork())), pauseMs);
  };
  const keep = (worker: Worker) => {
    const startedMs = clock.monotonicMs();
    kept.add(worker);
    worker.on('error', (error) => logger.warn('worker message failed', { cause: error.message }));
    worker.once('exit', () => replace(worker, startedMs));
  };
  const first = Array.from({ length: count }, () => cluster.fork());
  const answers = await Promise.all(first.map(readyOf));
  const [answer] = answers;
  if (answer === undefined || answers.includes(undefined)) {
    await endAll(first);
    return 1;
  }
  for (const worker of first) keep(worker);
  ready(answer);
  let turn = Promise.resolve();
  process.on('SIGHUP', () => {
    turn = turn.then(() => replaceInTurn(kept, keep, logger));
  });
  if (!stop.aborted) await once(stop, 'abort');
  logger.info('service stopping', { signal: String(stop.reason) });
  await endAll([...kept]);
  return 0;
}

async function replaceInTurn(kept: Set<Worker>, keep: (worker: Worker) => void, logger: Logger): Promise<void> {
  for (const old of [...kept]) {
    const next = cluster.fork();
    if ((await readyOf(next)) === undefined) {
      next.kill();
      return logger.error('worker replacement failed', {
        cause: 'the new worker did not start; the old workers go on',
      });
    }
    keep(next);
    // No longer kept: its end is wanted.
    kept.delete(old);
    await endAll([old]);
  }
  return logger.info('workers replaced', { count: kept.size });
}

/** Where it listens, or undefined for one that ends, or hangs, before. */
async function readyOf(worker: Worker): Promise<WorkerReady | undefined> {
  const given = new AbortController();
  const { signal } = given;
  const timer = setTimeout(() => given.abort(), START_MS);
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([message]) => message as WorkerReady),
      once(worker, 'exit', { signal }).then(() => undefined),
    ]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    given.abort();
  }
}

async function endAll(workers: readonly Worker[]): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      if (worker.isDead()) return;
      const exited = once(worker, 'exit');
      worker.process.kill('SIGTERM');
      await exited;
    }),
  );
}
