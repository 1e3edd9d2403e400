import { DAY_MS } from '#kernel/clock.ts';
import { FREE_SHARE } from './bulkhead.ts';

export interface BucketFigures {
  readonly perSecond: number;
  readonly burst: number;
  /** At most so many in any 24 hours. */
  readonly perDay?: number;
}

/** One limit: when the next call would be due if calls came evenly (GCRA). */
interface Lane {
  readonly intervalMs: number;
  readonly burst: number;
  arrivalMs: number;
}

/**
 * A limit over all processes: each takes the part of it that the number of live ones leaves. In any stretch of time there
 * are at most as many calls as the burst and what the rate gives in it. Free calls leave a part of the burst to the others.
 */
export class TokenBucket {
  readonly #lanes: readonly Lane[];
  #processes = 1;

  constructor({ perSecond, burst, perDay }: BucketFigures) {
    // Of a day's calls one half may come at once, the other evenly.
    const half = (perDay ?? 0) / 2;
    const ofDay = perDay === undefined ? [] : [{ intervalMs: DAY_MS / half, burst: half, arrivalMs: 0 }];
    this.#lanes = [{ intervalMs: 1_000 / perSecond, burst, arrivalMs: 0 }, ...ofDay];
  }

  share(processes: number): void {
    this.#processes = Math.max(1, processes);
  }

  /** Takes a token now, or says how long to wait and takes none. */
  take(nowMs: number, isFree = false): { readonly waitMs: number } {
    const waitMs = Math.max(...this.#lanes.map((lane) => this.#waitMs(lane, nowMs, isFree)));
    if (waitMs > 0) return { waitMs };
    for (const lane of this.#lanes) {
      lane.arrivalMs = Math.max(lane.arrivalMs, nowMs) + lane.intervalMs * this.#processes;
    }
    return { waitMs: 0 };
  }

  #waitMs({ intervalMs, burst, arrivalMs }: Lane, nowMs: number, isFree: boolean): number {
    const share = Math.max(1, Math.floor((burst * (isFree ? FREE_SHARE : 1)) / this.#processes));
    return Math.max(arrivalMs, nowMs) - (share - 1) * intervalMs * this.#processes - nowMs;
  }
}
