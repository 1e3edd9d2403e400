import type { Ask } from './engine.ts';
import { STORE_HEAD } from './head.ts';
import { readingOf, StorageError, type Store, type Unit } from './store.ts';
import { as, integer, query, table, text } from './table.ts';

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

const MARK = table(
  'recovery',
  { name: text<MarkName>(), at: as('atMs', integer()), detail: text() },
  { key: ['name'] },
);
const MARKS = MARK.select('');
export const SERVABLE_MARKS = MARK.select("WHERE name IN ('moved', 'arriving')");
const UNMARK = 'DELETE FROM recovery WHERE name = $1';
const RAISE = 'UPDATE head SET rev = $1 WHERE id = 1';
const LIVE_PROCESSES = query('SELECT COUNT(*) AS count FROM process WHERE until > $1', { count: integer() });

export const markUnit: Unit<[{ readonly name: MarkName; readonly detail: string }, null], readonly RecoveryMark[]> = {
  name: 'recovery',
  reads: () => ({}),
  load: () => [],
  decide: (state, atMs, _next, command) => ({ state: [...state, { ...command, atMs }], result: null }),
  writes: (_before, after) => [MARK.upsert(after)],
};

export async function recoveryMarks(store: Pick<Store, 'read'>): Promise<Map<MarkName, RecoveryMark>> {
  return new Map((await store.read(MARKS)).map((mark) => [mark.name, mark]));
}

/** A store that went elsewhere, or is not there yet, must not take commands: looked at by every batch, and at the start. */
export function requireServable(marks: readonly RecoveryMark[]): void {
  const [moved] = marks.filter(({ name }) => name === 'moved');
  if (moved !== undefined) {
    throw setBack(`this database was moved to ${moved.detail}: set DATABASE_URL or DATA_DIR to that one`);
  }
  if (marks.some(({ name }) => name === 'arriving')) {
    throw setBack('a move into this database was not finished: empty it and run ./avouch migrate-store again');
  }
}

const setBack = (why: string) => new StorageError('set_back', why);

/** For a transaction that owns the whole store. */
export const wholeStore = {
  head: async (ask: Ask) => {
    const [head] = await readingOf(ask)(STORE_HEAD);
    return head ?? { rev: 0, atMs: 0 };
  },
  raise: (ask: Ask, rev: number) => ask(RAISE, [rev]),
  mark: (ask: Ask, mark: RecoveryMark) => ask(MARK.upsert([mark]).sql, MARK.cells(mark)),
  unmark: (ask: Ask, name: MarkName) => ask(UNMARK, [name]),
  liveProcesses: async (ask: Ask, nowMs: number) => (await readingOf(ask)(LIVE_PROCESSES, [nowMs]))[0]?.count ?? 0,
};
