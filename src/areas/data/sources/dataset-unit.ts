import type { Unit, Write } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import type { DatasetRow } from './dataset-row.ts';
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

export type RowKey = readonly [part: string, id: string];

export type DatasetCommand =
  /** Rows that nobody sees yet. */
  | { readonly type: 'stage'; readonly rows: readonly DatasetRow[] }
  /** The snapshot that is in use from now on; refused where another one came first. */
  | {
      readonly type: 'take';
      readonly source: string;
      readonly expected: string;
      readonly next: Partial<SourceState>;
      readonly rows: readonly DatasetRow[];
      readonly gone: readonly RowKey[];
    }
  | { readonly type: 'note'; readonly source: string; readonly next: Partial<SourceState> }
  | { readonly type: 'drop'; readonly rows: readonly RowKey[] }
  | { readonly type: 'forget'; readonly snapshots: readonly string[] };

interface DatasetState {
  readonly sources: ReadonlyMap<string, SourceState>;
  readonly writes: readonly Write[];
}

const reads = (commands: readonly DatasetCommand[]) => ({
  sources: listed(
    sql.DATASET_SOURCES,
    commands.flatMap((command) => ('source' in command ? [command.source] : [])),
  ),
});

/** The rows and snapshots of data sets; the result says whether the command was still in time. */
export const datasetUnit: Unit<[DatasetCommand, boolean], DatasetState, typeof reads> = {
  name: 'dataset',
  reads,
  load: ({ sources }) => ({ sources: new Map(sources.map((state) => [state.source, state])), writes: [] }),
  decide(state, _nowMs, _next, command) {
    const writing = (...writes: readonly Write[]) => ({ ...state, writes: [...state.writes, ...writes] });
    if (command.type === 'stage') return { state: writing(sql.ROW.upsert(command.rows)), result: true };
    if (command.type === 'drop') return { state: writing(sql.ROW.remove(command.rows)), result: true };
    if (command.type === 'forget') {
      return { state: writing(sql.SNAPSHOT.remove(command.snapshots.map((id) => [id]))), result: true };
    }
    const before = state.sources.get(command.source) ?? unread(command.source);
    if (command.type === 'take' && before.snapshot !== command.expected) return { state, result: false };
    const after = { ...before, ...command.next };
    const sources = new Map(state.sources).set(command.source, after);
    if (command.type === 'note') return { state: { ...state, sources }, result: true };
    const writes = writing(
      sql.ROW.remove(command.gone),
      sql.ROW.upsert(command.rows),
      sql.SNAPSHOT.insert([{ ...after, id: after.snapshot }]),
    );
    return { state: { ...writes, sources }, result: true };
  },
  writes: (before, after) => [
    ...after.writes,
    sql.DATASET_SOURCE.upsert(
      [...after.sources.values()].filter((state) => before.sources.get(state.source) !== state),
    ),
  ],
};
