import type { AttestationId } from './attestation-id.ts';
import type { PublishedObservation } from './observation.ts';
import type { Claim, EvidenceClass } from './schema-document.ts';

export const MARK_KINDS = ['done', 'paid', 'failed', 'unpaid', 'dead', 'blocked', 'declined', 'note'] as const;
export const RELEASE_OUTCOMES = ['done', 'failed', 'declined'] as const;
/** `protocol`: the service itself made the handshake. `submitted`: somebody sent a record of one. */
export const HANDSHAKE_ORIGINS = ['protocol', 'submitted'] as const;

export type MarkKind = (typeof MARK_KINDS)[number];
export type ReleaseOutcome = (typeof RELEASE_OUTCOMES)[number];
export type HandshakeOrigin = (typeof HANDSHAKE_ORIGINS)[number];

/** The one schema whose leaves say who made the record. */
export const ORIGIN_SCHEMA_ID = 'amh.handshake.v1';
/** Written by the operator and without personal data: their claims stand in clear and cannot be erased. */
export const CLEAR_SCHEMA_IDS: ReadonlySet<string> = new Set([
  'protocol.key.declaration.v1',
  'protocol.statement.v1',
  'coordination.state.v1',
]);

export interface SealEntry {
  readonly bundle_root: string | null;
  readonly claim?: Claim;
  /** Null exactly when the claim stands in clear. */
  readonly claim_commitment: string | null;
  readonly code: string | null;
  readonly corrects: AttestationId | null;
  readonly evidence_class: EvidenceClass;
  readonly fee_eurocents: number;
  readonly follows_up: AttestationId | null;
  readonly nonce: string;
  readonly observations: readonly PublishedObservation[];
  readonly origin?: HandshakeOrigin;
  readonly sandbox: boolean;
  readonly schema_digest: string;
  readonly schema_id: string;
  /** RFC 3339, UTC, with milliseconds; never decreases with the index of the entry. */
  readonly sealed_at: string;
  readonly type: 'seal';
  readonly v: 1;
  readonly verdict: 'ACCEPT' | 'REJECT';
}

/** Committed: key, agent, note, evidence. */
export interface MarkEntry {
  readonly claim_commitment: string;
  readonly kind: MarkKind;
  readonly nonce: string;
  readonly sandbox: boolean;
  readonly sealed_at: string;
  readonly type: 'mark';
  readonly v: 1;
}

/** Committed: key, agent, lease. */
export interface ReleaseEntry {
  readonly claim_commitment: string;
  /** Fencing token of the released lease. */
  readonly fence: number;
  readonly nonce: string;
  readonly outcome: ReleaseOutcome | null;
  readonly sandbox: boolean;
  readonly sealed_at: string;
  readonly type: 'release';
  readonly v: 1;
}

export type LeafEntry = SealEntry | MarkEntry | ReleaseEntry;
