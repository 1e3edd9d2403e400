import { isoTime } from '#kernel/clock.ts';
import { newCommandId, newToken } from '#kernel/ids.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import type { Unit } from '#storage/store.ts';
import { type SealDraft, sealEntry } from '#protocol/attestation/seal-entry.ts';

interface Inception {
  readonly draft: SealDraft;
  readonly sandbox: boolean;
}

/** Writes entry 0 of an empty log; on any other it does nothing, so that processes may start together. */
export const inceptionUnit: Unit<Inception, null, { begun: boolean }> = {
  name: 'log_inception',
  reads: () => [],
  load: () => null,
  decide(state, nowMs, next, { draft, sandbox }) {
    if (next.seq > 0) return { state, result: { begun: false } };
    const entry = sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
    return { state, result: { begun: true }, entries: [entry] };
  },
  writes: () => [],
};

/** The declaration of a key of the service, as an entry of its own log. */
export function keyDeclaration(vkey: string, scope: 'log-checkpoint' | 'receipts'): SealDraft {
  const schema = schemaById('protocol.key.declaration.v1');
  if (schema === undefined) throw new Error('the schema of key declarations is missing');
  const claim = { public_key: vkey, role: 'root', scope };
  const seed = newToken();
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  return { prepared, claim, observations: [], seed, disclosure: 'public', nonce: newCommandId() };
}
