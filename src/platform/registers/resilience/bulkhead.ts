const MAX_QUEUE = 64;
/** Of the places, those who do not pay get at most this part. */
export const FREE_SHARE = 0.5;

/** Callers of one kind: how many of them may run at once, and those who wait for it. */
interface Line {
  readonly mayRun: number;
  readonly queue: (() => void)[];
  running: number;
}

/**
 * So many at once, so many in line, and no more: one slow register cannot gather all callers. Who asks for nothing gets a
 * part of the places, and none while others wait.
 */
export class Bulkhead {
  readonly #paid: Line;
  readonly #free: Line;

  constructor(maxRunning: number) {
    this.#paid = { mayRun: maxRunning, queue: [], running: 0 };
    this.#free = { mayRun: Math.max(1, Math.floor(maxRunning * FREE_SHARE)), queue: [], running: 0 };
  }

  /** Returns false when the line is full or the signal ends the wait; after true `leave` must follow. */
  async enter(signal: AbortSignal, isFree = false): Promise<boolean> {
    const line = isFree ? this.#free : this.#paid;
    if (this.#hasRoom(line)) {
      line.running += 1;
      return true;
    }
    const { queue } = line;
    if (queue.length >= MAX_QUEUE) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const enter = () => resolve(true);
    queue.push(enter);
    const giveUp = () => {
      const at = queue.indexOf(enter);
      if (at < 0) return; // the place was handed over already
      queue.splice(at, 1);
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
  leave(isFree = false): void {
    const left = isFree ? this.#free : this.#paid;
    left.running -= 1;
    const next = [this.#paid, this.#free].find((line) => line.queue.length > 0 && this.#hasRoom(line));
    if (next === undefined) return;
    next.running += 1;
    next.queue.shift()?.();
  }

  #hasRoom({ running, mayRun }: Line): boolean {
    return running < mayRun && this.#paid.running + this.#free.running < this.#paid.mayRun;
  }
}
