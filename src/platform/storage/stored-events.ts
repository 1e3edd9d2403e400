import type { Row, Store } from './store.ts';

export interface StoredEvent {
  readonly rev: number;
  readonly key: string;
  readonly type: string;
  readonly atMs: number;
  readonly body: string;
}

const HEAD = 'SELECT rev, at FROM head WHERE id = 1';
const HEAD_AND_KEY = `SELECT rev, at, (SELECT rev FROM event WHERE key = $1 ORDER BY rev DESC LIMIT 1) AS key_rev
  FROM head WHERE id = 1`;
const COLUMNS = 'rev, key, type, at, body';
const OLDEST = 'SELECT rev FROM event ORDER BY rev LIMIT 1';
const SINCE = `SELECT ${COLUMNS} FROM event WHERE rev > $1 ORDER BY rev LIMIT $2`;
const OF_KEY = `SELECT ${COLUMNS} FROM event WHERE key = $1 AND rev > $2 ORDER BY rev LIMIT $3`;

/** The kept events as they are read. All writers take turns, so whoever sees a revision can see all before it. */
export class StoredEvents {
  readonly #store: Pick<Store, 'read'>;

  constructor(store: Pick<Store, 'read'>) {
    this.#store = store;
  }

  /** The newest revision and the time of the newest change. */
  async head(): Promise<{ readonly rev: number; readonly atMs: number }> {
    const [row] = await this.#store.read(HEAD);
    return { rev: row?.['rev'] as number, atMs: row?.['at'] as number };
  }

  /** As `head`, with the revision of the newest kept event of the key, which every change of the key moves. */
  async headAndKey(key: string): Promise<{ readonly rev: number; readonly atMs: number; readonly keyRev: number }> {
    const [row] = await this.#store.read(HEAD_AND_KEY, [key]);
    return {
      rev: row?.['rev'] as number,
      atMs: row?.['at'] as number,
      keyRev: (row?.['key_rev'] as number | null) ?? 0,
    };
  }

  /** The revision of the oldest event that is kept; undefined where none is. */
  async oldestRev(): Promise<number | undefined> {
    return (await this.#store.read(OLDEST))[0]?.['rev'] as number | undefined;
  }

  async since(rev: number, limit: number): Promise<StoredEvent[]> {
    return (await this.#store.read(SINCE, [rev, limit])).map(eventOf);
  }

  async ofKey(key: string, afterRev: number, limit: number): Promise<StoredEvent[]> {
    return (await this.#store.read(OF_KEY, [key, afterRev, limit])).map(eventOf);
  }
}

function eventOf(row: Row): StoredEvent {
  return {
    rev: row['rev'] as number,
    key: row['key'] as string,
    type: row['type'] as string,
    atMs: row['at'] as number,
    body: row['body'] as string,
  };
}
