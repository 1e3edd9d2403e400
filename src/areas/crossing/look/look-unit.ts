import type { Unit } from '#platform/storage/store.ts';

export interface Look {
  readonly key: string;
  readonly agent: string;
  readonly atMs: number;
}

/** Looks to remember, and the time up to which remembered ones are forgotten. */
interface RememberLooks {
  readonly looks: readonly Look[];
  readonly forgetUntilMs: number | null;
}

interface LookState {
  readonly put: ReadonlyMap<string, Look>;
  readonly old: readonly { readonly key: string; readonly agent: string }[];
  readonly forgotten: readonly { readonly key: string; readonly agent: string }[];
}

const DUE = 'SELECT key, agent FROM look WHERE at <= $1 ORDER BY at LIMIT 500';
const UPSERT =
  'INSERT INTO look (key, agent, at) VALUES ($1, $2, $3) ON CONFLICT (key, agent) DO UPDATE SET at = excluded.at';
const DELETE = 'DELETE FROM look WHERE (key, agent) IN (VALUES ($1, $2))';

/** Who looked at what; the result is how many looks were forgotten. A look is no event and takes no revision. */
export const lookUnit: Unit<RememberLooks, LookState, number> = {
  name: 'look',
  reads(commands) {
    const untilMs = Math.max(...commands.map(({ forgetUntilMs }) => forgetUntilMs ?? -1));
    return untilMs < 0 ? [{ sql: DUE, list: [] }] : [{ sql: DUE, params: [untilMs] }];
  },
  load: ([old = []]) => ({
    put: new Map(),
    old: old.map((row) => ({ key: row['key'] as string, agent: row['agent'] as string })),
    forgotten: [],
  }),
  decide(state, _nowMs, _next, { looks, forgetUntilMs }) {
    const put = new Map(state.put);
    for (const look of looks) put.set(nameOf(look), look);
    const forgotten = forgetUntilMs === null ? state.forgotten : state.old;
    return { state: { ...state, put, forgotten }, result: forgetUntilMs === null ? 0 : state.old.length };
  },
  writes: (_before, { put, forgotten }) => [
    { sql: DELETE, rows: forgotten.filter((look) => !put.has(nameOf(look))).map(({ key, agent }) => [key, agent]) },
    { sql: UPSERT, rows: [...put.values()].map(({ key, agent, atMs }) => [key, agent, atMs]) },
  ],
};

function nameOf({ key, agent }: Pick<Look, 'key' | 'agent'>): string {
  return `${agent}\n${key}`;
}
