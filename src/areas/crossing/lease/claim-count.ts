import type { Store } from '#platform/storage/store.ts';
import { LIVE_LEASES } from '../sql.ts';

/** How many leases are held now, of all keys. */
export async function liveLeases(store: Pick<Store, 'read'>, nowMs: number): Promise<number> {
  const [row] = await store.read(LIVE_LEASES, [nowMs]);
  return Number(row?.['live']);
}
