import type { Clock } from '#kernel/clock.ts';

const FRESH_MS = 2_000;

/** Active leases, counted at most once in two seconds, however many ask. */
export class LeaseCount {
  readonly #liveLeases: () => Promise<number>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #count: Promise<number | null> | undefined;
  #countedMs = 0;

  constructor(liveLeases: () => Promise<number>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#liveLeases = liveLeases;
    this.#clock = clock;
  }

  /** Null while the store is out of reach. */
  now(): Promise<number | null> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#count === undefined || nowMs - this.#countedMs >= FRESH_MS) {
      this.#countedMs = nowMs;
      this.#count = this.#liveLeases().catch(() => null);
    }
    return this.#count;
  }
}
