import type { Unit } from '#platform/storage/store.ts';
import { as, flag, integer, query, table, text } from '#platform/storage/table.ts';

/** A checkpoint as everybody reads it: the log's own lines and the cosignatures that came since. */
export interface Published {
  readonly size: number;
  readonly note: string;
  readonly atMs: number;
  /** Witnesses were asked for it. */
  readonly submitted: boolean;
  /** It met the quorum of the policy in force then. */
  readonly witnessed: boolean;
}

interface PublishCommand {
  readonly size: number;
  readonly note: string;
}

interface Shelf {
  /** Newest first, as many as stay readable. */
  readonly newest: readonly number[];
  /** Oldest first, without the newest that witnesses were asked for and the newest that they agreed to. */
  readonly oldest: readonly number[];
  readonly rows: readonly Published[];
}

const KEPT = 100;
/** A database in which more were kept is cleared step by step. */
const DROPPED_AT_ONCE = 1_000;

export const PUBLISHED = table(
  'published',
  { size: integer(), note: text(), at: as('atMs', integer()), submitted: flag(), witnessed: flag() },
  { key: ['size'], changes: ['note', 'submitted', 'witnessed'] },
);
export const NEWEST = PUBLISHED.select('ORDER BY size DESC LIMIT 1');
export const NEWEST_SUBMITTED = PUBLISHED.select('WHERE submitted = 1 ORDER BY size DESC LIMIT 1');
export const NEWEST_WITNESSED = PUBLISHED.select('WHERE witnessed = 1 ORDER BY size DESC LIMIT 1');
export const PUBLISHED_OF_SIZES = PUBLISHED.select('WHERE size IN (...)');
const sizes = (rest: string) => query(`SELECT size FROM published ${rest}`, { size: integer() });
const NEWEST_SIZES = sizes(`ORDER BY size DESC LIMIT ${KEPT}`);
const OLDEST_SIZES = sizes(`WHERE size NOT IN (SELECT COALESCE(MAX(size), 0) FROM published WHERE submitted = 1
  UNION ALL SELECT COALESCE(MAX(size), 0) FROM published WHERE witnessed = 1)
  ORDER BY size LIMIT ${DROPPED_AT_ONCE}`);

const reads = () => ({ newest: NEWEST_SIZES, oldest: OLDEST_SIZES });

/** Publishes a checkpoint that is larger than all before it; any other is left out, so the served size never goes down. */
export const publishUnit: Unit<[PublishCommand, { published: boolean }], Shelf, typeof reads> = {
  name: 'log_publish',
  reads,
  load: ({ newest, oldest }) => ({
    newest: newest.map(({ size }) => size),
    oldest: oldest.map(({ size }) => size),
    rows: [],
  }),
  decide(shelf, nowMs, _next, { size, note }) {
    if (size <= (shelf.newest[0] ?? 0)) return { state: shelf, result: { published: false } };
    const row: Published = { size, note, atMs: nowMs, submitted: false, witnessed: false };
    const newest = [size, ...shelf.newest].slice(0, KEPT);
    return { state: { ...shelf, newest, rows: [...shelf.rows, row] }, result: { published: true } };
  },
  writes: (before, after) => {
    if (before === after) return [];
    return [
      PUBLISHED.upsert(after.rows),
      PUBLISHED.remove(after.oldest.filter((size) => size < (after.newest[KEPT - 1] ?? 0)).map((size) => [size])),
    ];
  },
};
