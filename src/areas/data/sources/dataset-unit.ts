import type { Cell, Row, Unit, Write } from '#platform/storage/store.ts';
import * as sql from '../sql.ts';

/** What is known of a source: the snapshot in use, and how the last tries went. */
export interface SourceState {
  readonly source: string;
  /** Where the rows in use lie; empty before the first snapshot. */
  readonly part: string;
  readonly previousPart: string;
  /** Rows of a read that is under way or was cut off. */
  readonly staging: string;
  readonly snapshot: string;
  readonly retrievedAtMs: number;
  /** The last time at which the source gave or confirmed what is in use. */
  readonly checkedAtMs: number;
  readonly rows: number;
  readonly sha256: string;
  readonly rawSha256: string;
  readonly cursor: string | null;
  readonly validators: string | null;
  /** In a row. */
  readonly failures: number;
  readonly failedAtMs: number;
  readonly failure: string | null;
  readonly notBeforeMs: number;
}

export function unread(source: string): SourceState {
  return {
    source,
    part: '',
    previousPart: '',
    staging: '',
    snapshot: '',
    retrievedAtMs: 0,
    checkedAtMs: 0,
    rows: 0,
    sha256: '',
    rawSha256: '',
    cursor: null,
    validators: null,
    failures: 0,
    failedAtMs: 0,
    failure: null,
    notBeforeMs: 0,
  };
}

export type RowCells = readonly Cell[];

export type DatasetCommand =
  /** Rows that nobody sees yet. */
  | { readonly type: 'stage'; readonly rows: readonly RowCells[] }
  /** The snapshot that is in use from now on; refused where another one came first. */
  | {
      readonly type: 'take';
      readonly source: string;
      readonly expected: string;
      readonly next: Partial<SourceState>;
      readonly rows: readonly RowCells[];
      readonly gone: readonly RowCells[];
    }
  | { readonly type: 'note'; readonly source: string; readonly next: Partial<SourceState> }
  | { readonly type: 'drop'; readonly rows: readonly RowCells[] }
  | { readonly type: 'forget'; readonly snapshots: readonly string[] };

interface DatasetState {
  readonly sources: ReadonlyMap<string, SourceState>;
  readonly writes: readonly Write[];
}

/** The rows and snapshots of data sets; the result says whether the command was still in time. */
export const datasetUnit: Unit<[DatasetCommand, boolean], DatasetState> = {
  name: 'dataset',
  reads: (commands) => [
    { sql: sql.SOURCES, list: commands.flatMap((command) => ('source' in command ? [command.source] : [])) },
  ],
  load: ([rows = []]) => ({ sources: new Map(rows.map(sourceRow).map((row) => [row.source, row])), writes: [] }),
  decide(state, _nowMs, _next, command) {
    const writing = (...writes: readonly Write[]) => ({ ...state, writes: [...state.writes, ...writes] });
    if (command.type === 'stage') return { state: writing({ sql: sql.PUT_ROW, rows: command.rows }), result: true };
    if (command.type === 'drop') return { state: writing({ sql: sql.DELETE_ROW, rows: command.rows }), result: true };
    if (command.type === 'forget') {
      const rows = command.snapshots.map((id) => [id]);
      return { state: writing({ sql: sql.DELETE_SNAPSHOT, rows }), result: true };
    }
    const before = state.sources.get(command.source) ?? unread(command.source);
    if (command.type === 'take' && before.snapshot !== command.expected) return { state, result: false };
    const after = { ...before, ...command.next };
    const sources = new Map(state.sources).set(command.source, after);
    if (command.type === 'note') return { state: { ...state, sources }, result: true };
    const { snapshot, source, retrievedAtMs, rows, sha256, rawSha256 } = after;
    const writes = writing(
      { sql: sql.DELETE_ROW, rows: command.gone },
      { sql: sql.PUT_ROW, rows: command.rows },
      { sql: sql.PUT_SNAPSHOT, rows: [[snapshot, source, retrievedAtMs, rows, sha256, rawSha256]] },
    );
    return { state: { ...writes, sources }, result: true };
  },
  writes: (before, after) => [
    ...after.writes,
    {
      sql: sql.PUT_SOURCE,
      rows: [...after.sources.values()].filter((row) => before.sources.get(row.source) !== row).map(sourceCells),
    },
  ],
};

function sourceCells(state: SourceState): Cell[] {
  return [
    ...[state.source, state.part, state.previousPart, state.staging, state.snapshot],
    ...[state.retrievedAtMs, state.checkedAtMs, state.rows, state.sha256, state.rawSha256, state.cursor],
    ...[state.validators, state.failures, state.failedAtMs, state.failure, state.notBeforeMs],
  ];
}

export function sourceRow(row: Row): SourceState {
  return {
    source: row['source'] as string,
    part: row['part'] as string,
    previousPart: row['previous_part'] as string,
    staging: row['staging'] as string,
    snapshot: row['snapshot'] as string,
    retrievedAtMs: row['retrieved_at'] as number,
    checkedAtMs: row['checked_at'] as number,
    rows: row['row_count'] as number,
    sha256: row['sha256'] as string,
    rawSha256: row['raw_sha256'] as string,
    cursor: row['cursor_text'] as string | null,
    validators: row['validators'] as string | null,
    failures: row['failures'] as number,
    failedAtMs: row['failed_at'] as number,
    failure: row['failure'] as string | null,
    notBeforeMs: row['not_before'] as number,
  };
}
