import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Unit } from '#platform/storage/store.ts';
import { listed } from '#platform/storage/table.ts';
import { type CallPlan, type Ending, type Lane, permit, settleCall, type SourceId, UNASKED } from './budget.ts';
import * as sql from './sql.ts';

/** An answer that the source can confirm by its ETag instead of sending it again. */
interface KeptAnswer {
  readonly url: string;
  readonly etag: string;
  readonly value: string;
  readonly atMs: number;
}

export type CallCommand =
  | { readonly type: 'permit'; readonly source: SourceId; readonly lane: Lane; readonly plan: CallPlan }
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
  readonly sources: VersionedMap<SourceId, sql.VenueSource>;
  readonly kept: VersionedMap<string, KeptAnswer>;
}

const reads = (commands: readonly CallCommand[]) => ({
  sources: listed(sql.VENUE_SOURCES, new Set(commands.map(({ source }) => source))),
});

/** Counts every call before it is made, and remembers how the source took it. */
export const callUnit: Unit<[CallCommand, Leave], CallState, typeof reads> = {
  name: 'venue-call',
  reads,
  load: ({ sources }) => ({
    sources: VersionedMap.by(sources, ({ source }) => source),
    kept: VersionedMap.of<string, KeptAnswer>(),
  }),
  decide({ sources, kept }, nowMs, _next, command) {
    const { source, lane } = command;
    const before = sources.get(source) ?? UNASKED;
    if (command.type === 'permit') {
      const leave = permit(before, { nowMs, lane, plan: command.plan });
      if (!leave.granted) return { state: { sources, kept }, result: leave };
      return { state: { sources: sources.with(source, { ...leave.state, source }), kept }, result: { granted: true } };
    }
    const { ending, keep } = command;
    const settled = sources.with(source, { ...settleCall(before, { nowMs, lane, ending }), source });
    const state = { sources: settled, kept: keep === null ? kept : kept.with(keep.url, keep) };
    return { state, result: { granted: true } };
  },
  writes: (before, after) => [
    sql.VENUE_SOURCE.upsert(
      after.sources.changedSince(before.sources).map(({ calls, ...rest }) => ({ ...rest, ...calls })),
    ),
    sql.VENUE_ANSWER.upsert(after.kept.changedSince(before.kept)),
  ],
};
