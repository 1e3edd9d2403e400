import { AttestationError, type AttestationErrorCode } from './attestation-error.ts';
import { type Leaf, type LeafStamp, sealLeaf } from './leaf.ts';
import type { SealEntry } from './leaf-entry.ts';
import type { FullObservation } from './observation.ts';
import type { SealRecord } from './reexecute.ts';
import type { Claim } from './schema-document.ts';
import { schemaById } from './schemas.ts';
import { prepareSeal, type SealRequest } from './seal.ts';

export const SEED = Uint8Array.from({ length: 32 }, (_, i) => i);
export const STAMP: LeafStamp = {
  sandbox: true,
  sealedAt: '2026-11-15T00:40:12.345Z',
  nonce: 'AAECAwQFBgcICQoLDA0ODw',
};

export interface Sealed {
  readonly leaf: Leaf<SealEntry>;
  readonly record: SealRecord;
}

/** A seal whose registers all gave this status. */
export function seal(schemaId: string, claim: Claim, more: Partial<SealRequest> = {}, stamp = STAMP): Sealed {
  const schema = schemaById(schemaId);
  if (schema === undefined) throw new TypeError(`no schema ${schemaId}`);
  const observations = more.observations ?? schema.needs(claim).map((need) => observed(need));
  const request = { schema, claim, observations, seed: SEED, ...more };
  return { leaf: sealLeaf(prepareSeal(request), stamp), record: { claim, seed: request.seed, observations } };
}

export function observed(of: Pick<FullObservation, 'source' | 'query'> & Partial<FullObservation>): FullObservation {
  return { status: 'answered', result: {}, observed_at: '2026-11-15T00:40:12.101Z', ...of };
}

/** For assert.throws. */
export function refused(code: AttestationErrorCode) {
  return (error: unknown) => error instanceof AttestationError && error.code === code;
}

export const GOOD_SEALS: readonly (readonly [schemaId: string, claim: Claim, more?: Partial<SealRequest>])[] = [
  ['record.integrity.v1', { statement: 'seven boxes', evidence_digests: ['ab'.repeat(32)] }],
  ['record.integrity.v1', { statement: '' }],
  ['vat.vies.v1', { country_code: 'DE', vat_number: '999001001' }],
  ['kvk.liveness.v1', { kvk_number: '11998877' }],
  [
    'registry.snapshot.v1',
    {
      sources: [
        { source: 'kvk', query: '11998877' },
        { source: 'rdw', query: 'TEST01' },
      ],
      follows_up: `ATT-${'A'.repeat(52)}`,
    },
  ],
  ['amh.handshake.v1', { phase: 'verify', verify_ref: 'AMH-1', platform_id: 'plt_1' }, { origin: 'protocol' }],
  ['amh.handshake.v1', { phase: 'x' }, { origin: 'submitted' }],
  ['coordination.state.v1', { case_id: 'c', to_state: 'working', evidence: 'e' }],
  ['protocol.key.declaration.v1', { scope: 'receipts', role: 'root', public_key: 'k' }],
  [
    'protocol.statement.v1',
    { statement: 'a "quoted"\n€ statement \u{1F600}', corrects_attestation_id: `ATT-${'Q'.repeat(52)}` },
  ],
];
