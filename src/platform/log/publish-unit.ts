import type { Cell, Row, Unit } from '#platform/storage/store.ts';

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

const COLUMNS = 'size, note, at, submitted, witnessed';
export const NEWEST = `SELECT ${COLUMNS} FROM published ORDER BY size DESC LIMIT 1`;
export const NEWEST_SUBMITTED = `SELECT ${COLUMNS} FROM published WHERE submitted = 1 ORDER BY size DESC LIMIT 1`;
export const NEWEST_WITNESSED = `SELECT ${COLUMNS} FROM published WHERE witnessed = 1 ORDER BY size DESC LIMIT 1`;
export const PUBLISHED_OF_SIZES = `SELECT ${COLUMNS} FROM published WHERE size IN (...)`;
export const PUBLISHED_UPSERT = `INSERT INTO published (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (size) DO UPDATE SET note = excluded.note, submitted = excluded.submitted, witnessed = excluded.witnessed`;
const NEWEST_SIZES = `SELECT size FROM published ORDER BY size DESC LIMIT ${KEPT}`;
const OLDEST_SIZES = `SELECT size FROM published
  WHERE size NOT IN (SELECT COALESCE(MAX(size), 0) FROM published WHERE submitted = 1 UNION ALL SELECT COALESCE(MAX(size), 0) FROM published WHERE witnessed = 1)
  ORDER BY size LIMIT ${DROPPED_AT_ONCE}`;
const DROP = 'DELETE FROM published WHERE size IN (VALUES (CAST($1 AS BIGINT)))';

/** Publishes a checkpoint that is larger than all before it; any other is left out, so the served size never goes down. */
export const publishUnit: Unit<[PublishCommand, { published: boolean }], Shelf> = {
  name: 'log_publish',
  reads: () => [{ sql: NEWEST_SIZES }, { sql: OLDEST_SIZES }],
  load: ([newest = [], oldest = []]) => ({ newest: newest.map(sizeOf), oldest: oldest.map(sizeOf), rows: [] }),
  decide(shelf, nowMs, _next, { size, note }) {
    if (size <= (shelf.newest[0] ?? 0)) return { state: shelf, result: { published: false } };
    const row: Published = { size, note, atMs: nowMs, submitted: false, witnessed: false };
    const newest = [size, ...shelf.newest].slice(0, KEPT);
    return { state: { ...shelf, newest, rows: [...shelf.rows, row] }, result: { published: true } };
  },
  writes: (before, after) => {
    if (before === after) return [];
    return [
      { sql: PUBLISHED_UPSERT, rows: after.rows.map(publishedCells) },
      { sql: DROP, rows: after.oldest.filter((size) => size < (after.newest[KEPT - 1] ?? 0)).map((size) => [size]) },
    ];
  },
};

function sizeOf(row: Row): number {
  return row['size'] as number;
}

export function publishedRow(row: Row): Published {
  return {
    size: row['size'] as number,
    note: row['note'] as string,
    atMs: row['at'] as number,
    submitted: row['submitted'] === 1,
    witnessed: row['witnessed'] === 1,
  };
}

export function publishedCells({ size, note, atMs, submitted, witnessed }: Published): Cell[] {
  return [size, note, atMs, Number(submitted), Number(witnessed)];
}
