import { type LeaseId, sameHash, tokenHash } from '#kernel/ids.ts';
import { cleanText } from '#kernel/foreign-text.ts';
import type { Store } from '#platform/storage/store.ts';
import { onlyOne } from '#platform/storage/head.ts';
import { canonicalKey } from '#protocol/work-key.ts';
import * as sql from '../sql.ts';
import { isLive } from './lease.ts';

/** How many leases are held now, of all keys. */
export async function liveLeases(store: Pick<Store, 'read'>, nowMs: number): Promise<number> {
  return onlyOne(await store.read(sql.LIVE_LEASES, [nowMs])).live;
}

/** The number in the log of the release of a lease: null before there is one, undefined for no lease that is known. */
export async function leaseEntry(store: Pick<Store, 'read'>, leaseId: string): Promise<number | null | undefined> {
  return (await store.read(sql.ENTRY_OF_LEASE, [leaseId]))[0]?.seq;
}

/** The live lease of the key that the agent holds and the token proves. */
export async function ownLease(
  store: Pick<Store, 'read'>,
  { key, agent, token, nowMs }: { key: string; agent: string; token: string; nowMs: number },
): Promise<LeaseId | null> {
  const canonical = canonicalKey(key);
  if (!canonical.ok) return null;
  const leases = await store.read(sql.LEASES_OF_AGENT, [canonical.key, cleanText(agent)]);
  const proof = tokenHash(token);
  const own = leases.find((lease) => isLive(lease, nowMs) && sameHash(lease.tokenHash, proof));
  return own?.id ?? null;
}
