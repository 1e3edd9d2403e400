import type { Clock } from '#kernel/clock.ts';
import type { Store } from '#platform/storage/store.ts';
import { MEMORY_MS } from './intent-memory.ts';
import { intentUnit } from './intent-unit.ts';

/** Background work: drops a portion of what is past its life and says how many rows went. */
export async function sweepIntents(store: Pick<Store, 'run'>, clock: Pick<Clock, 'now'>): Promise<number> {
  return (await store.run(intentUnit, { type: 'sweep', dueBeforeMs: clock.now() - MEMORY_MS })).rows;
}
