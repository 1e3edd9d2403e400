const MAX_QUEUE = 64;

/** So many at once, so many in line, and no more: one slow register cannot gather all callers. */
export class Bulkhead {
  readonly #maxRunning: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** Returns false when the line is full or the signal ends the wait; after true `leave` must follow. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (this.#running < this.#maxRunning) {
      this.#running += 1;
      return true;
    }
    if (this.#queue.length >= MAX_QUEUE) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const enter = () => resolve(true);
    this.#queue.push(enter);
    const giveUp = () => {
      const at = this.#queue.indexOf(enter);
      if (at < 0) return; // the place was handed over already
      this.#queue.splice(at, 1);
      resolve(false);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Hands the place to the next in line. */
  leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
