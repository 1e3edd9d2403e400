import type { Unit } from '#platform/storage/store.ts';
import { LOOK } from '../sql.ts';

export interface Look {
  readonly key: string;
  readonly agent: string;
  readonly atMs: number;
}

/** Who looked at what, the newest look of an agent at a key. A look is no event and takes no revision. */
export const lookUnit: Unit<[readonly Look[], null], ReadonlyMap<string, Look>> = {
  name: 'look',
  reads: () => ({}),
  load: () => new Map(),
  decide(put, _nowMs, _next, looks) {
    const added = looks.map((look) => [`${look.agent}\n${look.key}`, look] as const);
    return { state: new Map([...put, ...added]), result: null };
  },
  writes: (_before, put) => [LOOK.upsert([...put.values()])],
};
