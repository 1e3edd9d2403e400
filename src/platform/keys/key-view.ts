import type { KeyRing } from './key-ring.ts';
import { type PublicScope, publicScopeOf, SCOPE_RULES, vkeyOf } from './key-scope.ts';
import { LOG_KEYS_IN_FORCE } from './key-unit.ts';

/** A key as everybody may see it. */
export interface PublishedKey {
  readonly keyId: string;
  readonly scope: PublicScope;
  readonly alg: 'ed25519' | 'ml-dsa-44';
  readonly vkey: string | null;
  /** Raw, base64. */
  readonly publicKey: string;
  readonly role: 'root' | 'legacy';
  readonly validFromMs: number;
  readonly retiredAtMs: number | null;
  /** The log entries that declared the key and the one that took its place. */
  readonly declaredIn: string | null;
  readonly supersededBy: string | null;
}

/** Every key that the service ever signed documents with, under the name of its log. */
export function publishedKeys(ring: KeyRing, origin: string): PublishedKey[] {
  const records = ring.records();
  const shown = records.flatMap((record) => {
    const scope = publicScopeOf(record);
    return scope === null ? [] : [{ record, scope }];
  });
  return shown.map(({ record, scope }) => ({
    keyId: record.keyId,
    scope,
    alg: SCOPE_RULES[record.scope].algorithm,
    vkey: vkeyOf(record, origin),
    publicKey: record.publicKey,
    role: record.retiredAtMs === null ? 'root' : 'legacy',
    validFromMs: record.validFromMs,
    retiredAtMs: record.retiredAtMs,
    declaredIn: record.declaredIn,
    supersededBy: records.find(({ keyId }) => keyId === record.supersededBy)?.declaredIn ?? null,
  }));
}

/** The ring in the form in which the log asks for its Ed25519 keys. */
export function checkpointKeys(ring: KeyRing) {
  const publicKeys = (isWanted: (retiredAtMs: number | null) => boolean) =>
    ring
      .records()
      .filter(({ scope, retiredAtMs }) => scope === 'log-checkpoint' && isWanted(retiredAtMs))
      .map(({ publicKey }) => Buffer.from(publicKey, 'base64'));
  return {
    inForceRead: LOG_KEYS_IN_FORCE,
    privateKey: (keyId: string) => ring.privateKey(keyId),
    inForce: () => publicKeys((retiredAtMs) => retiredAtMs === null),
    all: () => publicKeys(() => true),
    refresh: () => ring.refresh(),
  };
}
