import type { FullObservation } from '#protocol/attestation/observation.ts';
import type { SealRecord } from '#protocol/attestation/reexecute.ts';
import type { Claim } from '#protocol/attestation/schema-document.ts';

/** What is kept beside a leaf, as it is stored; an erasure leaves only that there was something. */
export interface StoredRecord {
  readonly schemaId: string | null;
  readonly claim: string | null;
  readonly seed: string | null;
  readonly observations: string | null;
  readonly disclosure: 'holder' | 'public';
  readonly erasedAtMs: number | null;
}

/** What of it can be recomputed. */
export type KeptClaim = Pick<StoredRecord, 'claim' | 'seed' | 'observations'>;

/** The record in the form that commitments and verdicts are recomputed from; null once it was erased. */
export function sealRecordOf(record: KeptClaim | undefined): SealRecord | null {
  if (record?.claim == null || record.seed === null) return null;
  return {
    claim: JSON.parse(record.claim) as Claim,
    seed: Buffer.from(record.seed, 'base64url'),
    observations: JSON.parse(record.observations ?? '[]') as FullObservation[],
  };
}
