import { HOUR_MS, isoTime } from '#kernel/clock.ts';
import { sha256Hex } from '#kernel/ids.ts';
import { type SourceState, unread } from './dataset-unit.ts';
import type { DatasetName, DataSource } from './source.ts';

type SnapshotState = 'fresh' | 'stale' | 'none';

/** Which snapshot an answer was read from. */
export interface SnapshotView {
  readonly state: SnapshotState;
  readonly source: string;
  readonly retrieved_at: string | null;
  readonly next_refresh: string | null;
  readonly rows: number;
  readonly sha256: string | null;
}

export interface SourceAge {
  readonly source: DataSource;
  readonly state: SourceState;
  readonly age: SnapshotState;
}

/** Fresh until twice the interval has passed since the source last gave or confirmed its rows. */
function ageOf(source: DataSource, state: SourceState, nowMs: number): SnapshotState {
  if (state.snapshot === '') return 'none';
  const isRefused = state.failure !== null && /^(?:SHRUNKEN|EMPTY)/.test(state.failure);
  return isRefused || nowMs - state.checkedAtMs > 2 * source.everyMs ? 'stale' : 'fresh';
}

export function agesOf(
  sources: readonly DataSource[],
  states: ReadonlyMap<string, SourceState>,
  nowMs: number,
): SourceAge[] {
  return sources.map((source) => {
    const state = states.get(source.id) ?? unread(source.id);
    return { source, state, age: ageOf(source, state, nowMs) };
  });
}

/** Several sources make one data set: it is as old as the oldest, and fresh only where all are. */
export function snapshotView(ages: readonly SourceAge[]): SnapshotView {
  const loaded = ages.filter(({ age }) => age !== 'none');
  const source = ages.map(({ source: { id } }) => id).join('+');
  if (loaded.length === 0) {
    return { state: 'none', source, retrieved_at: null, next_refresh: null, rows: 0, sha256: null };
  }
  const digests = loaded.map(({ state }) => state.sha256);
  const dueMs = loaded.map(({ source: { everyMs }, state }) =>
    Math.max(state.checkedAtMs + everyMs, state.notBeforeMs),
  );
  return {
    state: ages.every(({ age }) => age === 'fresh') ? 'fresh' : 'stale',
    source,
    retrieved_at: isoTime(Math.min(...loaded.map(({ state }) => state.retrievedAtMs))),
    next_refresh: isoTime(Math.min(...dueMs)),
    rows: loaded.reduce((sum, { state }) => sum + state.rows, 0),
    sha256: digests.length === 1 ? (digests[0] as string) : sha256Hex(digests.join('\n')),
  };
}

/** What a reader should know of the sources: none of it can be told from the rows. */
export function snapshotNotes(dataset: DatasetName, ages: readonly SourceAge[], nowMs: number): string[] {
  const notes = ages.flatMap(({ source: { id }, state, age }) => {
    const why =
      state.failure === null ? '' : ` The last attempt at ${isoTime(state.failedAtMs)} failed (${state.failure}).`;
    if (age === 'none') return [`${id}: no snapshot yet.${why}`];
    const hours = Math.floor((nowMs - state.checkedAtMs) / HOUR_MS);
    if (age === 'stale')
      return [`${id}: stale. The last successful read was at ${isoTime(state.checkedAtMs)}, ${hours} h ago.${why}`];
    if (state.failure !== null) return [`${id}: serving the snapshot of ${isoTime(state.retrievedAtMs)}.${why}`];
    if (state.checkedAtMs - state.retrievedAtMs > HOUR_MS) {
      return [`${id}: unchanged since then, confirmed at ${isoTime(state.checkedAtMs)}.`];
    }
    return [];
  });
  const isMissing = ages.some(({ age }) => age === 'none');
  const how = `Import it with ./avouch ingest ${dataset}, or ./avouch ingest <source> --file <path>.`;
  return isMissing ? [...notes, how] : notes;
}
