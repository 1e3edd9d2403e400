import type { Unit } from './store.ts';

interface EraseEvents {
  readonly key: string;
  /** Events whose body names this fencing token. */
  readonly fence: number;
}

interface KeyEvents {
  readonly events: readonly { readonly rev: number; readonly key: string; readonly body: string }[];
  readonly erased: readonly number[];
}

/** Deletes what the events of a key say about one lease; the result is how many went. Revisions are not given again. */
export const eventErasureUnit: Unit<EraseEvents, KeyEvents, number> = {
  name: 'event_erasure',
  reads: (commands) => [
    { sql: 'SELECT rev, key, body FROM event WHERE key IN (...)', list: commands.map(({ key }) => key) },
  ],
  load: ([rows = []]) => ({
    events: rows.map((row) => ({
      rev: row['rev'] as number,
      key: row['key'] as string,
      body: row['body'] as string,
    })),
    erased: [],
  }),
  decide(state, _nowMs, _next, { key, fence }) {
    const found = state.events.filter((event) => event.key === key && fenceIn(event.body) === fence);
    return { state: { ...state, erased: [...state.erased, ...found.map(({ rev }) => rev)] }, result: found.length };
  },
  writes: (_before, after) => [
    { sql: 'DELETE FROM event WHERE rev IN (VALUES (CAST($1 AS BIGINT)))', rows: after.erased.map((rev) => [rev]) },
  ],
};

function fenceIn(body: string): unknown {
  return (JSON.parse(body) as { fence?: unknown }).fence;
}
