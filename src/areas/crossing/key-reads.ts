import type { Store } from '#storage/store.ts';
import type { Lease } from './lease.ts';
import { SCORED_KINDS } from './light.ts';
import type { Mark } from './mark.ts';
import * as sql from './sql.ts';
import { leaseOf, markOf } from './unit.ts';

/** The rows of a key in the order of their grants, those past their expiry included. */
export async function leasesOfKey(store: Pick<Store, 'read'>, key: string): Promise<Lease[]> {
  const rows = await store.read(sql.LEASES_OF_KEY, [key]);
  return rows.map(leaseOf).sort((a, b) => a.fence - b.fence);
}

/** The marks that a light can depend on. Nobody makes a look slow, or hides a proven mark, by leaving many others. */
export async function marksOfKey(store: Pick<Store, 'read'>, key: string, nowMs: number): Promise<Mark[]> {
  const newest = await store.read(sql.NEWEST_MARKS, [key, nowMs]);
  if (newest.length < sql.MOST_MARKS) return newest.map(markOf);
  const others = await Promise.all([
    store.read(sql.NEWEST_SPEAKING_MARKS, [key, nowMs]),
    ...SCORED_KINDS.map((kind) => store.read(sql.PROVEN_MARKS, [key, nowMs, kind])),
  ]);
  const bySeq = new Map([...newest, ...others.flat()].map((row) => [row['seq'], row]));
  return [...bySeq.values()].map(markOf);
}
