import type { Unit } from './store.ts';
import { as, integer, table } from './table.ts';

interface DropOldEvents {
  readonly keptMs: number;
}

interface OldestEvents {
  readonly oldest: readonly { readonly rev: number; readonly atMs: number }[];
  readonly dropped: readonly number[];
}

/** Events as far as housekeeping knows them. */
export const STORE_EVENT = table('event', { rev: integer(), at: as('atMs', integer()) }, { key: ['rev'] });
// Time never goes back along the revisions, so the oldest by revision are the oldest by time.
const reads = () => ({ oldest: STORE_EVENT.select('ORDER BY rev LIMIT 1000') });

/** Drops the oldest events, a portion at a time; the result is how many went. */
export const retentionUnit: Unit<[DropOldEvents, number], OldestEvents, typeof reads> = {
  name: 'retention',
  reads,
  load: ({ oldest }) => ({ oldest, dropped: [] }),
  decide(state, nowMs, _next, { keptMs }) {
    const dropped = state.oldest.filter((event) => event.atMs + keptMs <= nowMs).map((event) => event.rev);
    return { state: { ...state, dropped }, result: dropped.length };
  },
  writes: (_before, after) => [STORE_EVENT.remove(after.dropped.map((rev) => [rev]))],
};
