import { type Clock, DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import type { TopUps } from './topup-service.ts';

export interface TopUpJobOptions {
  readonly topUps: TopUps;
  readonly clock: Pick<Clock, 'now'>;
  readonly warn: (message: string, fields: Readonly<Record<string, string>>) => void;
}

const AT_ONCE = 8;
const SWEEP_EVERY_MS = 600_000;
/** Events come in another order than they happened: how far back they are read, at the start and later. */
const OVERLAP_MS = { first: 3 * DAY_MS, later: HOUR_MS };

/** Keeps open top-ups moving without webhooks; the leader among the processes runs it every second. */
export class TopUpJob {
  readonly #options: TopUpJobOptions;
  #sweepAtMs = 0;
  #isStopped = false;

  constructor(options: TopUpJobOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { topUps, clock, warn } = this.#options;
    if (clock.now() >= this.#sweepAtMs) {
      const overlapMs = this.#sweepAtMs === 0 ? OVERLAP_MS.first : OVERLAP_MS.later;
      this.#sweepAtMs = clock.now() + SWEEP_EVERY_MS;
      const failed = (error: Error) => warn('card events not readable', { cause: error.message });
      await topUps.sweepEvents(overlapMs).catch(failed);
    }
    const due = [...(await topUps.due(clock.now()))];
    while (due.length > 0 && !this.#isStopped) {
      await Promise.all(due.splice(0, AT_ONCE).map((topUp) => topUps.poll(topUp)));
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}
