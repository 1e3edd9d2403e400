export interface BucketFigures {
  readonly perSecond: number;
  readonly burst: number;
}

/** A limit over all processes: each takes the part of it that the number of live ones leaves. */
export class TokenBucket {
  readonly #figures: BucketFigures;
  #processes = 1;
  /** When the next call would be due if calls came evenly (GCRA). */
  #arrivalMs = 0;

  constructor(figures: BucketFigures) {
    this.#figures = figures;
  }

  share(processes: number): void {
    this.#processes = Math.max(1, processes);
  }

  /** Takes a token now, or says how long to wait and takes none. */
  take(nowMs: number): { readonly waitMs: number } {
    const intervalMs = (1_000 * this.#processes) / this.#figures.perSecond;
    const burst = Math.max(1, Math.floor(this.#figures.burst / this.#processes));
    const arrivalMs = Math.max(this.#arrivalMs, nowMs);
    const waitMs = arrivalMs - (burst - 1) * intervalMs - nowMs;
    if (waitMs > 0) return { waitMs };
    this.#arrivalMs = arrivalMs + intervalMs;
    return { waitMs: 0 };
  }
}
