import type { Row, Store } from '#platform/storage/store.ts';
import * as sql from '../sql.ts';

/** For units of other areas: a row for each lease on the keys of a list, and until when it lives. */
export const HOLDER_READ = {
  sql: 'SELECT key, expires_at FROM lease WHERE key IN (...)',
  of: (row: Row) => ({ key: row['key'] as string, untilMs: row['expires_at'] as number }),
} as const;

/** How many leases are held now, of all keys. */
export async function liveLeases(store: Pick<Store, 'read'>, nowMs: number): Promise<number> {
  const [row] = await store.read(sql.LIVE_LEASES, [nowMs]);
  return Number(row?.['live']);
}

/** The number in the log of the release of a lease: null before there is one, undefined for no lease that is known. */
export async function leaseEntry(store: Pick<Store, 'read'>, leaseId: string): Promise<number | null | undefined> {
  const [row] = await store.read(sql.ENTRY_OF_LEASE, [leaseId]);
  return row === undefined ? undefined : (row['seq'] as number | null);
}
