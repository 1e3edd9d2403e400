import { LIVE_KEYS, REGISTRATIONS_PER_HOUR, USE_STEP_MS } from './api-key.ts';
import { HOUR_MS } from './clock.ts';
import type { VersionedMap } from './versioned-map.ts';

/** A key of an agent or a platform, by the hash that it is found by: the key itself is never kept. */
export interface RegisteredKey {
  readonly hash: string;
  readonly keyId: string;
  readonly ownerId: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** By hash. */
type Keys<K extends RegisteredKey> = VersionedMap<string, K>;

export function newKey(named: Pick<RegisteredKey, 'hash' | 'keyId' | 'ownerId'>, createdAtMs: number): RegisteredKey {
  return { ...named, createdAtMs, lastUsedAtMs: null, revokedAtMs: null };
}

export function keyInForce<K extends RegisteredKey>(keys: Keys<K>, hash: string): K | undefined {
  const key = keys.get(hash);
  return key?.revokedAtMs === null ? key : undefined;
}

/** The key with its use noted; the same one where that was noted a moment ago. */
export function usedKey<K extends RegisteredKey>(key: K, nowMs: number): K {
  const isNoted = key.lastUsedAtMs !== null && nowMs - key.lastUsedAtMs < USE_STEP_MS;
  return isNoted ? key : { ...key, lastUsedAtMs: nowMs };
}

function liveKeys<K extends RegisteredKey>(keys: Keys<K>, ownerId: string): K[] {
  return keys.values().filter((key) => key.ownerId === ownerId && key.revokedAtMs === null);
}

export function hasAllKeys<K extends RegisteredKey>(keys: Keys<K>, ownerId: string): boolean {
  return liveKeys(keys, ownerId).length >= LIVE_KEYS;
}

/** Only a key of the owner itself; that of another is not found. */
export function keyOfOwner<K extends RegisteredKey>(keys: Keys<K>, ownerId: string, keyId: string): K | undefined {
  return keys.values().find((key) => key.keyId === keyId && key.ownerId === ownerId);
}

/** The key as it is after its owner revoked it, with another key or with itself; a second time changes nothing. */
export function revokedKey<K extends RegisteredKey>(
  keys: Keys<K>,
  { ownerId, keyId, nowMs }: { readonly ownerId: string; readonly keyId: string; readonly nowMs: number },
): K | 'key_not_found' | 'last_key' {
  const key = keyOfOwner(keys, ownerId, keyId);
  if (key === undefined) return 'key_not_found';
  if (key.revokedAtMs !== null) return key;
  return liveKeys(keys, ownerId).length === 1 ? 'last_key' : { ...key, revokedAtMs: nowMs };
}

/** Whether a registration is still one of those that its address may have. */
export function isCounted(atMs: number, nowMs: number): boolean {
  return atMs > nowMs - HOUR_MS;
}

/** The registrations from an address with one more; how long to wait where they are too many. */
export function withRegistration(
  atMs: readonly number[] | undefined,
  nowMs: number,
): { readonly atMs: readonly number[] } | { readonly waitMs: number } {
  const recent = (atMs ?? []).filter((one) => isCounted(one, nowMs));
  if (recent.length < REGISTRATIONS_PER_HOUR) return { atMs: [...recent, nowMs] };
  return { waitMs: Math.min(...recent) + HOUR_MS - nowMs };
}
