import { isoTime } from '#kernel/clock.ts';
import { hasAllKeys, keyInForce, newKey, revokedKey, usedKey, withRegistration } from '#kernel/key-registry.ts';
import { answered, type MandateDecision, type MandateMoment, refused } from './decision.ts';
import type { AddKeyCommand, RegisterCommand, RegisteredPlatform, RevokeKeyCommand, State } from './state.ts';

export function decideRegister(
  state: State,
  { nowMs }: MandateMoment,
  { platform, keyId, keyHash }: RegisterCommand,
): MandateDecision {
  const registered = withRegistration(state.registeredAt.get(platform.addressTag), nowMs);
  if ('waitMs' in registered) return refused(state, 'registrations_exceeded', registered.waitMs);
  const after = {
    ...state,
    registeredAt: new Map(state.registeredAt).set(platform.addressTag, registered.atMs),
    platforms: state.platforms.with(platform.id, { ...platform, status: 'active', createdAtMs: nowMs }),
    keys: state.keys.with(keyHash, newKey({ hash: keyHash, keyId, ownerId: platform.id }, nowMs)),
  };
  return answered(after, { platform_id: platform.id, key_id: keyId, created_at: isoTime(nowMs) });
}

export interface Caller {
  readonly platform: RegisteredPlatform;
  /** With the use of the key noted. */
  readonly state: State;
}

/** The platform that a key belongs to; undefined where the key is unknown or revoked. */
export function callingPlatform(state: State, nowMs: number, keyHash: string): Caller | undefined {
  const key = keyInForce(state.keys, keyHash);
  const platform = key === undefined ? undefined : state.platforms.get(key.ownerId);
  if (key === undefined || platform === undefined) return undefined;
  const used = usedKey(key, nowMs);
  return { platform, state: used === key ? state : { ...state, keys: state.keys.with(keyHash, used) } };
}

export function decideAddKey(
  given: State,
  { nowMs }: MandateMoment,
  { keyHash, newKeyId, newKeyHash }: AddKeyCommand,
): MandateDecision {
  const caller = callingPlatform(given, nowMs, keyHash);
  if (caller === undefined) return refused(given, 'key_invalid');
  const { platform, state } = caller;
  if (platform.status === 'suspended') return refused(given, 'suspended');
  if (hasAllKeys(state.keys, platform.id)) return refused(given, 'too_many_keys');
  const key = newKey({ hash: newKeyHash, keyId: newKeyId, ownerId: platform.id }, nowMs);
  const answer = { key_id: newKeyId, created_at: isoTime(nowMs) };
  return answered({ ...state, keys: state.keys.with(newKeyHash, key) }, answer);
}

export function decideRevokeKey(
  given: State,
  { nowMs }: MandateMoment,
  { keyHash, keyId }: RevokeKeyCommand,
): MandateDecision {
  const caller = callingPlatform(given, nowMs, keyHash);
  if (caller === undefined) return refused(given, 'key_invalid');
  const { platform, state } = caller;
  if (platform.status === 'suspended') return refused(given, 'suspended');
  const key = revokedKey(state.keys, { ownerId: platform.id, keyId, nowMs });
  if (typeof key === 'string') return refused(given, key);
  const isNew = state.keys.get(key.hash) !== key;
  return answered(isNew ? { ...state, keys: state.keys.with(key.hash, key) } : given, {
    key_id: keyId,
    revoked_at: isoTime(key.revokedAtMs ?? nowMs),
  });
}
