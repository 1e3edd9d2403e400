import { schemaById } from './schemas.ts';
import { prepareSeal } from './seal.ts';
import type { SealDraft } from './seal-entry.ts';

/** What the service says of one of its own keys. */
export interface KeyClaim {
  /** A note verifier key, or the raw public key of a key that signs no notes. */
  readonly publicKey: string;
  readonly role: 'root' | 'legacy';
  readonly scope: 'log-checkpoint' | 'log-receipt' | 'receipts';
  /** The key that took its place. */
  readonly supersededBy?: string;
}

/** The declaration of a key as a seal in clear; seed and nonce are fresh randomness. */
export function keyDeclarationDraft(key: KeyClaim, { seed, nonce }: { seed: string; nonce: string }): SealDraft {
  const schema = schemaById('protocol.key.declaration.v1');
  if (schema === undefined) throw new Error('the schema of key declarations is missing');
  const { publicKey, role, scope, supersededBy } = key;
  const claim = {
    public_key: publicKey,
    role,
    scope,
    ...(supersededBy !== undefined && { superseded_by: supersededBy }),
  };
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  return { prepared, claim, observations: [], seed, disclosure: 'public', nonce };
}
