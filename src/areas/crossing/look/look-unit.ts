import type { Unit } from '#platform/storage/store.ts';
import { given } from '#platform/storage/table.ts';
import { LOOK, LOOKS_DUE } from '../sql.ts';

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
  readonly old: readonly Look[];
  readonly forgotten: readonly Look[];
}

function reads(commands: readonly RememberLooks[]) {
  const untilMs = Math.max(...commands.map(({ forgetUntilMs }) => forgetUntilMs ?? -1));
  return { old: given(LOOKS_DUE, untilMs < 0 ? null : [untilMs]) };
}

/** Who looked at what; the result is how many looks were forgotten. A look is no event and takes no revision. */
export const lookUnit: Unit<[RememberLooks, number], LookState, typeof reads> = {
  name: 'look',
  reads,
  load: ({ old }) => ({ put: new Map(), old, forgotten: [] }),
  decide(state, _nowMs, _next, { looks, forgetUntilMs }) {
    const put = new Map(state.put);
    for (const look of looks) put.set(nameOf(look), look);
    const forgotten = forgetUntilMs === null ? state.forgotten : state.old;
    return { state: { ...state, put, forgotten }, result: forgetUntilMs === null ? 0 : state.old.length };
  },
  writes: (_before, { put, forgotten }) => [
    LOOK.remove(forgotten.filter((look) => !put.has(nameOf(look))).map(({ key, agent }) => [key, agent])),
    LOOK.upsert([...put.values()]),
  ],
};

function nameOf({ key, agent }: Pick<Look, 'key' | 'agent'>): string {
  return `${agent}\n${key}`;
}
