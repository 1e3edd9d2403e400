import type { Unit } from './store.ts';

interface DropOldEvents {
  readonly beforeMs: number;
}

interface OldestEvents {
  readonly oldest: readonly { readonly rev: number; readonly atMs: number }[];
  readonly dropped: readonly number[];
}

/** Drops the oldest events, a portion at a time; the result is how many went. */
export const retentionUnit: Unit<DropOldEvents, OldestEvents, number> = {
  name: 'retention',
  // Time never goes back along the revisions, so the oldest by revision are the oldest by time.
  reads: () => [{ sql: 'SELECT rev, at FROM event ORDER BY rev LIMIT 1000' }],
  load: ([rows = []]) => ({
    oldest: rows.map((row) => ({ rev: row['rev'] as number, atMs: row['at'] as number })),
    dropped: [],
  }),
  decide(state, _nowMs, _next, { beforeMs }) {
    const dropped = state.oldest.filter((event) => event.atMs < beforeMs).map((event) => event.rev);
    return { state: { ...state, dropped }, result: dropped.length };
  },
  writes: (_before, after) => [
    { sql: 'DELETE FROM event WHERE rev IN (VALUES (CAST($1 AS BIGINT)))', rows: after.dropped.map((rev) => [rev]) },
  ],
};
