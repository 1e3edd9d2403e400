import { type Clock, HOUR_MS } from '#kernel/clock.ts';
import type { LogAudit } from '#platform/log/log-audit.ts';
import type { PublicLog } from '#platform/log/public-log.ts';
import type { Publisher } from '#platform/log/publisher.ts';
import type { Witnessing } from '#platform/log/witnessing.ts';
import type { Job } from '#kernel/job.ts';
import type { Logger } from '#platform/logger.ts';

/** 65,536 entries: more than are sealed between two beats, and no more than a beat has time for. */
const TILES_PER_RUN = 256;

/** Publishes the newest checkpoint at most once a second. */
export function publishJob(publisher: Publisher): Job {
  return { name: 'publish', everyMs: 1_000, ownTimer: true, run: () => publisher.publish() };
}

export function witnessJob(witnessing: Pick<Witnessing, 'collect'>, everySeconds: number): Job {
  return { name: 'witness', everyMs: everySeconds * 1_000, ownTimer: true, run: () => witnessing.collect() };
}

/** Keeps the tiles of the log, from which the next start builds its tree. */
export function tileJob(log: PublicLog): Job {
  return {
    name: 'log-tiles',
    everyMs: 5_000,
    async run() {
      await log.keepTiles(TILES_PER_RUN);
    },
  };
}

/** Goes over the log every hour, from an hour after the start on, and says loudly what it finds. */
export function auditJob(audit: LogAudit, clock: Clock, logger: Logger): Job {
  const firstMs = clock.monotonicMs() + HOUR_MS;
  const walk = async () => {
    try {
      const { ok, problems, treeSize } = await audit.walkOn();
      if (!ok)
        logger.error('log audit failed', {
          tree_size: treeSize,
          problems: problems.join('; '),
        });
    } catch (error) {
      logger.warn('log audit not completed', { cause: (error as Error).message });
    }
  };
  return {
    name: 'log-audit',
    everyMs: HOUR_MS,
    async run() {
      // Not waited for: it may take longer than a process may be silent.
      if (clock.monotonicMs() >= firstMs) void walk();
    },
  };
}
