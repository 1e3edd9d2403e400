import { EVENTS_OF_KEY, EVENTS_SINCE, HEAD_AND_KEY, OLDEST_EVENT } from './event-queries.ts';
import { onlyOne, STORE_HEAD } from './head.ts';
import type { Store } from './store.ts';

export interface StoredEvent {
  readonly rev: number;
  readonly key: string;
  readonly type: string;
  readonly atMs: number;
  readonly body: string;
}

/** How many revisions of other keys one read passes by. */
const REVS_AT_ONCE = 1_048_576;

/** The kept events as they are read. All writers take turns, so whoever sees a revision can see all before it. */
export class StoredEvents {
  readonly #store: Pick<Store, 'read'>;

  constructor(store: Pick<Store, 'read'>) {
    this.#store = store;
  }

  /** The newest revision and the time of the newest change. */
  async head(): Promise<{ readonly rev: number; readonly atMs: number }> {
    return onlyOne(await this.#store.read(STORE_HEAD));
  }

  /** As `head`, with a revision that no event of the key is newer than: its last one, or a later one if that is long ago. */
  async headAndKey(key: string): Promise<{ readonly rev: number; readonly atMs: number; readonly sameSince: number }> {
    return onlyOne(await this.#store.read(HEAD_AND_KEY, [key]));
  }

  /** The revision of the oldest event that is kept; undefined where none is. */
  async oldestRev(): Promise<number | undefined> {
    return (await this.#store.read(OLDEST_EVENT))[0]?.rev;
  }

  async since(rev: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#store.read(EVENTS_SINCE, [rev, limit]);
  }

  /** The first events of a key after a revision, in their order. */
  async ofKey(key: string, afterRev: number, limit: number): Promise<readonly StoredEvent[]> {
    const { rev: newest } = await this.head();
    const found: StoredEvent[] = [];
    for (let from = afterRev; from < newest && found.length < limit; from += REVS_AT_ONCE) {
      const to = Math.min(from + REVS_AT_ONCE, newest);
      found.push(...(await this.#store.read(EVENTS_OF_KEY, [key, from, to, limit - found.length])));
    }
    return found;
  }
}
