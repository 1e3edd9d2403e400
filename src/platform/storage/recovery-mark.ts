import { HEAD_SQL, type Query } from './engine.ts';
import type { Row, Store, Unit } from './store.ts';

/**
 * What was done to a store as a whole: `backup` a copy was made, `restored` it was made from a copy, `moved` it was moved
 * to another one, `arriving` a move into it is not finished. The last two keep it from being served.
 */
export type MarkName = 'backup' | 'restored' | 'moved' | 'arriving';

export interface RecoveryMark {
  readonly name: MarkName;
  readonly atMs: number;
  readonly detail: string;
}

const MARKS = 'SELECT name, at, detail FROM recovery';
const MARK = `INSERT INTO recovery (name, at, detail) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at, detail = excluded.detail`;
const UNMARK = 'DELETE FROM recovery WHERE name = $1';
const RAISE = 'UPDATE head SET rev = $1 WHERE id = 1';
const LIVE_PROCESSES = 'SELECT COUNT(*) AS count FROM process WHERE until > $1';

export const markUnit: Unit<{ readonly name: MarkName; readonly detail: string }, readonly RecoveryMark[], null> = {
  name: 'recovery',
  reads: () => [],
  load: () => [],
  decide: (state, atMs, _next, command) => ({ state: [...state, { ...command, atMs }], result: null }),
  writes: (_before, after) => [{ sql: MARK, rows: after.map(({ name, atMs, detail }) => [name, atMs, detail]) }],
};

export async function recoveryMarks(store: Pick<Store, 'read'>): Promise<Map<MarkName, RecoveryMark>> {
  const markOf = (row: Row): RecoveryMark => ({
    name: row['name'] as MarkName,
    atMs: row['at'] as number,
    detail: row['detail'] as string,
  });
  return new Map((await store.read(MARKS)).map(markOf).map((mark) => [mark.name, mark]));
}

/** A store that went elsewhere, or is not there yet, must not take commands. */
export async function requireServable(store: Pick<Store, 'read'>): Promise<void> {
  const marks = await recoveryMarks(store);
  const [moved, arriving] = [marks.get('moved'), marks.get('arriving')];
  if (moved !== undefined) {
    throw new Error(`this database was moved to ${moved.detail}: set DATABASE_URL or DATA_DIR to that one`);
  }
  if (arriving !== undefined) {
    throw new Error('a move into this database was not finished: empty it and run ./avouch migrate-store again');
  }
}

/** For a transaction that owns the whole store. */
export const wholeStore = {
  head: async (query: Query) => {
    const [row] = await query(HEAD_SQL);
    return { rev: (row?.['rev'] ?? 0) as number, atMs: (row?.['at'] ?? 0) as number };
  },
  raise: (query: Query, rev: number) => query(RAISE, [rev]),
  mark: (query: Query, { name, atMs, detail }: RecoveryMark) => query(MARK, [name, atMs, detail]),
  unmark: (query: Query, name: MarkName) => query(UNMARK, [name]),
  liveProcesses: async (query: Query, nowMs: number) => (await query(LIVE_PROCESSES, [nowMs]))[0]?.['count'] as number,
};
