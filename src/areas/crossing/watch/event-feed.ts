/** An event of a key as it was stored. */
export interface KeyEvent {
  readonly rev: number;
  readonly key: string;
  readonly type: string;
  readonly atMs: number;
  readonly body: string;
}

/** The kept events as they are read. */
export interface EventSource {
  head(): Promise<{ readonly rev: number; readonly atMs: number }>;
  oldestRev(): Promise<number | undefined>;
  since(rev: number, limit: number): Promise<readonly KeyEvent[]>;
  ofKey(key: string, afterRev: number, limit: number): Promise<readonly KeyEvent[]>;
}

export interface Follower {
  take(event: KeyEvent): void;
}

/** Whoever follows it is told of every event; no key has this text. */
export const ANY_KEY = '';

/** How late an event of another process may be noticed; those of this process wake the feed. */
const POLL_MS = 25;
const READ_AT_ONCE = 1_000;

/** Tells followers of keys what happens to them, by any process: one read for all of them, none while nobody follows. */
export class EventFeed {
  readonly #events: EventSource;
  readonly #followers = new Map<string, Set<Follower>>();
  /** Everything up to this revision was told; undefined while nobody follows. */
  #told: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #lookAgain = false;

  constructor(events: EventSource) {
    this.#events = events;
  }

  /** Resolves when every event that is committed from then on will be told. */
  async follow(key: string, follower: Follower): Promise<void> {
    const ofKey = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, ofKey.add(follower));
    this.#told ??= this.#events.head().then(({ rev }) => rev);
    try {
      await this.#told;
    } catch (error) {
      this.#told = undefined;
      throw error;
    }
    this.#lookAfter(POLL_MS);
  }

  leave(key: string, follower: Follower): void {
    const ofKey = this.#followers.get(key);
    ofKey?.delete(follower);
    if (ofKey?.size === 0) this.#followers.delete(key);
    if (this.#followers.size > 0) return;
    this.#told = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** This process has just committed events: the next look need not wait. */
  wake(): void {
    if (this.#isLooking) this.#lookAgain = true;
    else if (this.#timer !== undefined) this.#lookNow();
  }

  #lookNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#look();
  }

  #lookAfter(delayMs: number): void {
    if (!this.#isLooking) this.#timer ??= setTimeout(() => this.#lookNow(), delayMs).unref();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    try {
      do {
        this.#lookAgain = false;
        await this.#tellNew();
      } while (this.#lookAgain);
    } catch {
      // A store that is out of reach is asked again; who follows only waits longer.
    }
    this.#isLooking = false;
    if (this.#followers.size > 0) this.#lookAfter(POLL_MS);
  }

  async #tellNew(): Promise<void> {
    const told = this.#told;
    if (told === undefined) return;
    const events = await this.#events.since(await told, READ_AT_ONCE);
    const last = events.at(-1);
    // Who came after everybody had left began anew, and is told by the next look.
    if (last === undefined || this.#told !== told) return;
    this.#told = Promise.resolve(last.rev);
    if (events.length === READ_AT_ONCE) this.#lookAgain = true;
    for (const event of events) {
      for (const key of [event.key, ANY_KEY])
        for (const follower of this.#followers.get(key) ?? []) follower.take(event);
    }
  }
}
