import type { Cell, Row, Unit } from '#storage/store.ts';

/** A checkpoint as everybody reads it: the log's own lines and the cosignatures that came since. */
export interface Published {
  readonly size: number;
  readonly note: string;
  readonly atMs: number;
  /** Witnesses were asked for it; such rows are kept for ever. */
  readonly submitted: boolean;
  /** It met the quorum of the policy in force then. */
  readonly witnessed: boolean;
}

interface PublishCommand {
  readonly size: number;
  readonly note: string;
}

interface Shelf {
  readonly newestSize: number;
  /** Sizes that no witness was asked for, newest first. */
  readonly loose: readonly number[];
  readonly rows: readonly Published[];
}

/** So many that were never sent to a witness stay readable. */
const KEPT_LOOSE = 100;

const COLUMNS = 'size, note, at, submitted, witnessed';
export const NEWEST = `SELECT ${COLUMNS} FROM published ORDER BY size DESC LIMIT 1`;
export const NEWEST_SUBMITTED = `SELECT ${COLUMNS} FROM published WHERE submitted = 1 ORDER BY size DESC LIMIT 1`;
export const NEWEST_WITNESSED = `SELECT ${COLUMNS} FROM published WHERE witnessed = 1 ORDER BY size DESC LIMIT 1`;
export const PUBLISHED_OF_SIZES = `SELECT ${COLUMNS} FROM published WHERE size IN (...)`;
export const PUBLISHED_UPSERT = `INSERT INTO published (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (size) DO UPDATE SET note = excluded.note, submitted = excluded.submitted, witnessed = excluded.witnessed`;
const NEWEST_SIZE = 'SELECT size FROM published ORDER BY size DESC LIMIT 1';
const LOOSE = 'SELECT size FROM published WHERE submitted = 0 ORDER BY size DESC LIMIT 1000';
const DROP = 'DELETE FROM published WHERE size IN (VALUES (CAST($1 AS BIGINT)))';

/** Publishes a checkpoint that is larger than all before it; any other is left out, so the served size never goes down. */
export const publishUnit: Unit<PublishCommand, Shelf, { published: boolean }> = {
  name: 'log_publish',
  reads: () => [{ sql: NEWEST_SIZE }, { sql: LOOSE }],
  load: ([newest = [], loose = []]) => ({
    newestSize: (newest[0]?.['size'] as number | undefined) ?? 0,
    loose: loose.map((row) => row['size'] as number),
    rows: [],
  }),
  decide(shelf, nowMs, _next, { size, note }) {
    if (size <= shelf.newestSize) return { state: shelf, result: { published: false } };
    const row: Published = { size, note, atMs: nowMs, submitted: false, witnessed: false };
    const state = { newestSize: size, loose: [size, ...shelf.loose], rows: [...shelf.rows, row] };
    return { state, result: { published: true } };
  },
  writes: (before, after) => {
    if (before === after) return [];
    return [
      { sql: PUBLISHED_UPSERT, rows: after.rows.map(publishedCells) },
      { sql: DROP, rows: after.loose.slice(KEPT_LOOSE).map((size) => [size]) },
    ];
  },
};

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
