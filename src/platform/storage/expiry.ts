import type { Clock } from '#kernel/clock.ts';
import { sweepJob, type Job } from '#kernel/job.ts';
import { type Found, step, type Store, type Unit, type Write } from './store.ts';
import { type Expiry, given } from './table.ts';

interface Expire {
  readonly expiry: Expiry;
  readonly dueBeforeMs: number;
}

interface State {
  readonly found: Found<typeof reads>;
  readonly expired: readonly Write[];
}

function reads(commands: readonly Expire[]) {
  return Object.fromEntries(
    commands.map(({ expiry, dueBeforeMs }) => [expiry.table, given(expiry.due, [dueBeforeMs - expiry.keptMs])]),
  );
}

/**
 * Deletes rows whose time is over by the clock of the store, which all processes share, and gives how many. It knows nothing of the units whose rows they are: a row that
 * one of them changes in the same batch has another time then, and stays.
 */
const expiryUnit: Unit<[Expire, number], State, typeof reads> = {
  name: 'expiry',
  reads,
  load: (found) => ({ found, expired: [] }),
  decide({ found, expired }, nowMs, _next, { expiry, dueBeforeMs }) {
    const { table, deletion: sql, keptMs, isOver } = expiry;
    const overAtMs = Math.min(dueBeforeMs, nowMs) - keptMs;
    const rows = (found[table] ?? []).filter((cells) => isOver(cells, overAtMs));
    return { state: { found, expired: [...expired, { sql, rows }] }, result: rows.length };
  },
  writes: (_before, { expired }) => expired,
};

/** Forgets a portion of what is over in each table, and says how many rows went. */
export async function expire(
  { store, clock }: { readonly store: Pick<Store, 'runAll'>; readonly clock: Pick<Clock, 'now'> },
  ...expiries: readonly Expiry[]
): Promise<number> {
  const dueBeforeMs = clock.now();
  const counts = await store.runAll(expiries.map((expiry) => step(expiryUnit, { expiry, dueBeforeMs })));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Background work: forgets all that is over, in portions. */
export function expiryJob(name: string, parts: Parameters<typeof expire>[0], ...expiries: readonly Expiry[]): Job {
  return sweepJob(name, () => expire(parts, ...expiries));
}
