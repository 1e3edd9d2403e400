const POLL_MS = 1_000;

interface Sized {
  readonly size: number;
}

interface Waiting<Head> extends Sized {
  readonly resolve: (head: Head | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/** Tells who waits that the log has grown, by any process: one look a second for all of them, none while nobody waits. */
export class LogGrowth<Head extends Sized> {
  readonly #follow: () => Promise<Head>;
  readonly #waiting = new Set<Waiting<Head>>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #lookAgain = false;

  constructor(follow: () => Promise<Head>) {
    this.#follow = follow;
  }

  /** The head once the log has more than `size` entries; undefined when the signal is aborted before. */
  async beyond(size: number, signal: AbortSignal): Promise<Head | undefined> {
    if (signal.aborted) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Head | undefined>();
    const waiting = { size, resolve, reject };
    const giveUp = () => resolve(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.add(waiting);
    this.#lookAfter(POLL_MS);
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  /** This process has just committed entries: the next look need not wait. */
  wake(): void {
    if (this.#isLooking) this.#lookAgain = true;
    else if (this.#waiting.size > 0) this.#lookNow();
  }

  #lookNow(): void {
    this.#rest();
    this.#lookAfter(0);
  }

  #lookAfter(delayMs: number): void {
    this.#timer ??= setTimeout(() => void this.#look(), delayMs).unref();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookAgain = false;
    try {
      const head = await this.#follow();
      for (const waiting of this.#waiting) if (head.size > waiting.size) waiting.resolve(head);
    } catch (error) {
      for (const waiting of this.#waiting) waiting.reject(error);
    }
    this.#isLooking = false;
    if (this.#waiting.size === 0) return;
    if (this.#lookAgain) this.#lookNow();
    else this.#lookAfter(POLL_MS);
  }
}
