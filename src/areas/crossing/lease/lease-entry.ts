import type { Store } from '#platform/storage/store.ts';
import * as sql from '../sql.ts';

/** The number in the log of the release of a lease: null before there is one, undefined for no lease that is known. */
export async function leaseEntry(store: Pick<Store, 'read'>, leaseId: string): Promise<number | null | undefined> {
  const [row] = await store.read(sql.ENTRY_OF_LEASE, [leaseId]);
  return row === undefined ? undefined : (row['seq'] as number | null);
}
