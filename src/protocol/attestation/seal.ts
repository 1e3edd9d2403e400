import { canonicalJson } from '#kernel/canonical-json.ts';
import { AttestationError } from './attestation-error.ts';
import { type AttestationSchema, type EntryLinks, feeEurocents, type SchemaVerdict } from './attestation-schema.ts';
import { bundleRoot, commitClaim, commitObservations } from './commitment.ts';
import { CLEAR_SCHEMA_IDS, type HandshakeOrigin, ORIGIN_SCHEMA_ID } from './leaf-entry.ts';
import type { FullObservation, PublishedObservation, RegisterQuery } from './observation.ts';
import type { Claim, EvidenceClass } from './schema-document.ts';

export interface SealRequest {
  readonly schema: AttestationSchema;
  /** Free of the faults of claim-input.ts. */
  readonly claim: Claim;
  /** One answer for each question of `schema.needs(claim)`, in the same order. */
  readonly observations: readonly FullObservation[];
  /** 32 fresh random bytes, also where the claim stands in clear. */
  readonly seed: Uint8Array;
  /** Of amh.handshake.v1 only, and always there. */
  readonly origin?: HandshakeOrigin;
}

/** Everything about a seal that does not depend on its place in the log: plain data, fit for a command. */
export type PreparedSeal = SchemaVerdict &
  EntryLinks & {
    readonly schemaId: string;
    readonly schemaDigest: string;
    readonly evidenceClass: EvidenceClass;
    /** Only a claim that stands in clear in the leaf; the commitment is then null. */
    readonly claim: Claim | null;
    readonly claimCommitment: string | null;
    readonly observations: readonly PublishedObservation[];
    readonly bundleRoot: string | null;
    readonly feeEurocents: number;
    readonly origin: HandshakeOrigin | null;
  };

/** Judges a claim and commits to it. The costly part of a seal, so that little is left to do under the write lock. */
export function prepareSeal({ schema, claim, observations, seed, origin }: SealRequest): PreparedSeal {
  if ((origin !== undefined) !== (schema.id === ORIGIN_SCHEMA_ID)) {
    throw new AttestationError('leaf_inconsistent', `origin belongs to ${ORIGIN_SCHEMA_ID} and to nothing else`);
  }
  if (!answerNeeds(schema.needs(claim), observations)) {
    throw new AttestationError('observations_mismatch', 'the observations do not answer what the claim needs');
  }
  const verdict = schema.judge(claim, observations);
  const published = commitObservations(observations, seed);
  const isClear = CLEAR_SCHEMA_IDS.has(schema.id);
  return {
    schemaId: schema.id,
    schemaDigest: schema.digest,
    evidenceClass: schema.document.evidence_class,
    claim: isClear ? claim : null,
    claimCommitment: isClear ? null : commitClaim(claim, seed).commitment,
    observations: published,
    bundleRoot: bundleRoot(published),
    feeEurocents: feeEurocents(schema.document, verdict.verdict),
    origin: origin ?? null,
    ...verdict,
    ...schema.links(claim),
  };
}

/** True when every question was put as it should have been, and nothing else was asked. */
export function answerNeeds(needs: readonly RegisterQuery[], observations: readonly FullObservation[]): boolean {
  if (needs.length !== observations.length) return false;
  return needs.every((need, i) => {
    const seen = observations[i] as FullObservation;
    return need.source === seen.source && canonicalJson(need.query) === canonicalJson(seen.query);
  });
}
