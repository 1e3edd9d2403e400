// The keys of a log that has one, which never rotates.
import type { LogKeys } from '#log/log-keys.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes } from '#protocol/ed25519.ts';
import { publicKeyOf } from '#protocol/note-key.ts';

export function oneLogKey(seedByte: number): LogKeys {
  const privateKey = ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(seedByte));
  const publicKeys = [ed25519PublicBytes(publicKeyOf(privateKey, 'ed25519'))];
  return {
    inForceRead: { sql: 'SELECT 1 AS one' },
    keysIn: () => [{ keyId: 'one', privateKey: () => privateKey }],
    inForce: () => publicKeys,
    all: () => publicKeys,
    refresh: async () => {},
  };
}
