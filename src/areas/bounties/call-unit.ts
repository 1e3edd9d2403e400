import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Row, Unit } from '#platform/storage/store.ts';
import {
  type Ending,
  type Lane,
  permit,
  type Plan,
  settle,
  type SourceId,
  type SourceState,
  UNASKED,
} from './budget.ts';
import * as sql from './sql.ts';

/** An answer that the source can confirm by its ETag instead of sending it again. */
interface KeptAnswer {
  readonly url: string;
  readonly etag: string;
  readonly value: string;
  readonly atMs: number;
}

export type CallCommand =
  | { readonly type: 'permit'; readonly source: SourceId; readonly lane: Lane; readonly plan: Plan }
  | {
      readonly type: 'settle';
      readonly source: SourceId;
      readonly lane: Lane;
      readonly ending: Ending;
      readonly keep: KeptAnswer | null;
    };

export type Leave =
  | { readonly granted: true }
  | { readonly granted: false; readonly why: 'held' | 'spent' | 'spaced'; readonly untilMs: number };

interface CallState {
  readonly sources: VersionedMap<string, SourceState>;
  readonly kept: VersionedMap<string, KeptAnswer>;
}

/** Counts every call before it is made, and remembers how the source took it. */
export const callUnit: Unit<[CallCommand, Leave], CallState> = {
  name: 'venue-call',
  reads: (commands) => [{ sql: sql.SOURCES, list: [...new Set(commands.map(({ source }) => source))] }],
  load: ([sources = []]) => ({
    sources: VersionedMap.of(sources.map((row) => [row['source'] as string, sourceState(row)] as const)),
    kept: VersionedMap.of<string, KeptAnswer>(),
  }),
  decide({ sources, kept }, nowMs, _next, command) {
    const { source, lane } = command;
    const before = sources.get(source) ?? UNASKED;
    if (command.type === 'permit') {
      const leave = permit(before, { nowMs, lane, plan: command.plan });
      if (!leave.granted) return { state: { sources, kept }, result: leave };
      return { state: { sources: sources.with(source, leave.state), kept }, result: { granted: true } };
    }
    const { ending, keep } = command;
    const settled = sources.with(source, settle(before, { nowMs, lane, ending }));
    const state = { sources: settled, kept: keep === null ? kept : kept.with(keep.url, keep) };
    return { state, result: { granted: true } };
  },
  writes: (before, after) => [
    {
      sql: sql.PUT_SOURCE,
      rows: [...after.sources.changesSince(before.sources).keys()].map((source) => {
        const { hourStartMs, calls, lastCallMs, heldUntilMs, failures } = after.sources.get(source) ?? UNASKED;
        return [source, hourStartMs, calls.crawl, calls.look, lastCallMs, heldUntilMs, failures];
      }),
    },
    {
      sql: sql.PUT_ANSWER,
      rows: [...after.kept.changesSince(before.kept).keys()].flatMap((url) => {
        const keep = after.kept.get(url);
        return keep === undefined ? [] : [[url, keep.etag, keep.value, keep.atMs]];
      }),
    },
  ],
};

function sourceState(row: Row): SourceState {
  return {
    hourStartMs: row['hour_start'] as number,
    calls: { crawl: row['crawl_calls'] as number, look: row['look_calls'] as number },
    lastCallMs: row['last_call'] as number,
    heldUntilMs: row['held_until'] as number,
    failures: row['failures'] as number,
  };
}
