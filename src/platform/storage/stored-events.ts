import { onlyOne, STORE_HEAD } from './head.ts';
import type { Store } from './store.ts';
import { as, integer, nullable, query, table, text } from './table.ts';

export interface StoredEvent {
  readonly rev: number;
  readonly key: string;
  readonly type: string;
  readonly atMs: number;
  readonly body: string;
}

const HEAD_AND_KEY = query(
  `SELECT rev, at, (SELECT rev FROM event WHERE key = $1 ORDER BY rev DESC LIMIT 1) AS key_rev
  FROM head WHERE id = 1`,
  { rev: integer(), at: as('atMs', integer()), key_rev: as('keyRev', nullable(integer())) },
);
const OLDEST = query('SELECT rev FROM event ORDER BY rev LIMIT 1', { rev: integer() });
const EVENT = table(
  'event',
  { rev: integer(), key: text(), type: text(), at: as('atMs', integer()), body: text() },
  { key: ['rev'] },
);
const SINCE = EVENT.select('WHERE rev > $1 ORDER BY rev LIMIT $2');
const OF_KEY = EVENT.select('WHERE key = $1 AND rev > $2 ORDER BY rev LIMIT $3');

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

  /** As `head`, with the revision of the newest kept event of the key, which every change of the key moves. */
  async headAndKey(key: string): Promise<{ readonly rev: number; readonly atMs: number; readonly keyRev: number }> {
    const head = onlyOne(await this.#store.read(HEAD_AND_KEY, [key]));
    return { ...head, keyRev: head.keyRev ?? 0 };
  }

  /** The revision of the oldest event that is kept; undefined where none is. */
  async oldestRev(): Promise<number | undefined> {
    return (await this.#store.read(OLDEST))[0]?.rev;
  }

  async since(rev: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#store.read(SINCE, [rev, limit]);
  }

  async ofKey(key: string, afterRev: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#store.read(OF_KEY, [key, afterRev, limit]);
  }
}
