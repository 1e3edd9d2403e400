import { LIVE_KEYS, REGISTRATIONS_PER_HOUR, USE_STEP_MS } from '#kernel/api-key.ts';
import { HOUR_MS, isoTime } from '#kernel/clock.ts';
import { answered, type Decided, type Moment, refused } from './decision.ts';
import type { AddKeyCommand, Platform, PlatformKey, RegisterCommand, RevokeKeyCommand, State } from './state.ts';

export function register(state: State, { nowMs }: Moment, { platform, keyId, keyHash }: RegisterCommand): Decided {
  const recent = (state.registeredAt.get(platform.addressTag) ?? []).filter((atMs) => atMs > nowMs - HOUR_MS);
  if (recent.length >= REGISTRATIONS_PER_HOUR) {
    return refused(state, 'registrations_exceeded', Math.min(...recent) + HOUR_MS - nowMs);
  }
  const row: Platform = { ...platform, status: 'active', createdAtMs: nowMs };
  const after = {
    ...state,
    registeredAt: new Map(state.registeredAt).set(platform.addressTag, [...recent, nowMs]),
    platforms: state.platforms.with(platform.id, row),
    keys: state.keys.with(keyHash, newKey({ hash: keyHash, keyId, platformId: platform.id }, nowMs)),
  };
  return answered(after, { platform_id: platform.id, key_id: keyId, created_at: isoTime(nowMs) });
}

export interface Caller {
  readonly platform: Platform;
  /** With the use of the key noted. */
  readonly state: State;
}

/** The platform that a key belongs to; undefined where the key is unknown or revoked. */
export function callerOf(state: State, nowMs: number, keyHash: string): Caller | undefined {
  const key = state.keys.get(keyHash);
  const platform = key === undefined ? undefined : state.platforms.get(key.platformId);
  if (key === undefined || platform === undefined || key.revokedAtMs !== null) return undefined;
  if (key.lastUsedAtMs !== null && nowMs - key.lastUsedAtMs < USE_STEP_MS) return { platform, state };
  return { platform, state: { ...state, keys: state.keys.with(keyHash, { ...key, lastUsedAtMs: nowMs }) } };
}

export function addKey(given: State, { nowMs }: Moment, { keyHash, newKeyId, newKeyHash }: AddKeyCommand): Decided {
  const caller = callerOf(given, nowMs, keyHash);
  if (caller === undefined) return refused(given, 'key_invalid');
  const { platform, state } = caller;
  if (platform.status === 'suspended') return refused(given, 'suspended');
  if (liveKeys(state, platform.id).length >= LIVE_KEYS) return refused(given, 'too_many_keys');
  const key = newKey({ hash: newKeyHash, keyId: newKeyId, platformId: platform.id }, nowMs);
  const answer = { key_id: newKeyId, created_at: isoTime(nowMs) };
  return answered({ ...state, keys: state.keys.with(newKeyHash, key) }, answer);
}

export function revokeKey(given: State, { nowMs }: Moment, { keyHash, keyId }: RevokeKeyCommand): Decided {
  const caller = callerOf(given, nowMs, keyHash);
  if (caller === undefined) return refused(given, 'key_invalid');
  const { platform, state } = caller;
  if (platform.status === 'suspended') return refused(given, 'suspended');
  const key = state.keys.values().find((one) => one.keyId === keyId && one.platformId === platform.id);
  if (key === undefined) return refused(given, 'key_not_found');
  if (key.revokedAtMs !== null) return answered(given, revokedAnswer(keyId, key.revokedAtMs));
  if (liveKeys(state, platform.id).length === 1) return refused(given, 'last_key');
  const keys = state.keys.with(key.hash, { ...key, revokedAtMs: nowMs });
  return answered({ ...state, keys }, revokedAnswer(keyId, nowMs));
}

function liveKeys({ keys }: State, platformId: string): PlatformKey[] {
  return keys.values().filter((key) => key.platformId === platformId && key.revokedAtMs === null);
}

function newKey(named: Pick<PlatformKey, 'hash' | 'keyId' | 'platformId'>, createdAtMs: number): PlatformKey {
  return { ...named, createdAtMs, lastUsedAtMs: null, revokedAtMs: null };
}

function revokedAnswer(keyId: string, revokedAtMs: number): object {
  return { key_id: keyId, revoked_at: isoTime(revokedAtMs) };
}
