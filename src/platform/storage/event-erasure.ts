import type { Unit } from './store.ts';

interface EraseEvents {
  readonly key: string;
  /** Events whose body names this fencing token, or this log entry. */
  readonly about: { readonly fence: number } | { readonly log: number };
}

interface KeyEvents {
  readonly events: readonly { readonly rev: number; readonly key: string; readonly body: string }[];
  readonly erased: readonly number[];
}

/** Deletes what the events of a key say about one lease or mark; the result is how many went. Revisions are not given again. */
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
  decide(state, _nowMs, _next, { key, about }) {
    const found = state.events.filter((event) => event.key === key && isAbout(event.body, about));
    return { state: { ...state, erased: [...state.erased, ...found.map(({ rev }) => rev)] }, result: found.length };
  },
  writes: (_before, after) => [
    { sql: 'DELETE FROM event WHERE rev IN (VALUES (CAST($1 AS BIGINT)))', rows: after.erased.map((rev) => [rev]) },
  ],
};

function isAbout(text: string, about: EraseEvents['about']): boolean {
  const body = JSON.parse(text) as { fence?: unknown; log?: unknown };
  return 'fence' in about ? body.fence === about.fence : body.log === about.log;
}
