import type { Store } from '#platform/storage/store.ts';
import { onlyOne } from '#platform/storage/head.ts';
import * as sql from '../sql.ts';

/** How many leases are held now, of all keys. */
export async function liveLeases(store: Pick<Store, 'read'>, nowMs: number): Promise<number> {
  return onlyOne(await store.read(sql.LIVE_LEASES, [nowMs])).live;
}

/** The number in the log of the release of a lease: null before there is one, undefined for no lease that is known. */
export async function leaseEntry(store: Pick<Store, 'read'>, leaseId: string): Promise<number | null | undefined> {
  return (await store.read(sql.ENTRY_OF_LEASE, [leaseId]))[0]?.seq;
}
