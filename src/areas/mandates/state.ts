import type { SealDraft } from '#protocol/attestation/seal-entry.ts';
import type { ReceiptFrame } from '#protocol/payment/receipt.ts';
import type { RegisteredKey } from '#kernel/key-registry.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import type { Ap2Evidence } from './ap2/evidence.ts';
import type { ImportedMandate } from './ap2/import.ts';
import type { CheckResult, Counters, Judgement, Reason, VerifyRequest } from './checks.ts';
import type { Assurance, HandshakeOutcome, HandshakeState } from './handshake.ts';
import type { MandateBody, Terms } from './mandate-body.ts';

export interface RegisteredPlatform {
  readonly id: string;
  readonly name: string;
  readonly mcpUrl: string;
  readonly contact: string;
  readonly status: 'active' | 'suspended';
  readonly addressTag: string;
  readonly createdAtMs: number;
}

export interface Revocation {
  readonly revoked_at: string;
  readonly open_holds: number;
  readonly attestation_id: string;
  readonly log_seq: number;
}

/** That the operator erased a mandate, and the entry that says so. */
export interface MandateErasure {
  readonly erased_at: string;
  readonly attestation_id: string;
}

/** What the principal left of the platforms that may use its mandate, and the entry that says so. */
export interface Narrowing {
  readonly platforms: readonly string[];
  readonly narrowed_at: string;
  readonly attestation_id: string;
  readonly log_seq: number;
}

/** That the principal took a verification back, and the entry that says so. */
export interface VoidRecord {
  readonly voided_at: string;
  readonly returned_cents: number;
  readonly attestation_id: string;
  readonly log_seq: number;
}

export interface Mandate extends Counters {
  readonly id: string;
  readonly body: MandateBody;
  readonly bodyText: string;
  readonly terms: Terms;
  readonly sha256: string;
  readonly assurance: Assurance;
  readonly controlHash: string;
  /** How many verifications wait for their seal. */
  readonly holds: number;
  readonly isOverCap: boolean;
  readonly isSealedAfterRevocation: boolean;
  readonly createdAtMs: number;
  readonly attestationId: string;
  readonly seq: number;
  readonly revocation: Revocation | null;
  /** In their order; the last one is in force. */
  readonly narrowings: readonly Narrowing[];
  /** How many verifications the principal voided. */
  readonly voids: number;
  /** Null unless it was imported from AP2. */
  readonly ap2: ImportedMandate | null;
  /** Once it is erased, only seals of what was verified before still find it. */
  readonly erased: MandateErasure | null;
}

/** What was booked of a mandate in one of its periods. */
interface Period extends Counters {
  readonly mandateId: string;
  readonly startMs: number;
}

export interface RemainingBudget {
  readonly commit_cents: number;
  readonly period_cents: number | null;
  readonly actions: number | null;
}

export interface Verification {
  readonly ref: string;
  readonly mandateId: string;
  readonly platformId: string;
  readonly payloadKey: string;
  readonly request: VerifyRequest;
  readonly decision: Judgement['decision'];
  readonly reason: Reason;
  readonly checks: readonly CheckResult[];
  readonly remaining: RemainingBudget | null;
  readonly state: HandshakeState;
  readonly reserved: number;
  readonly committed: number;
  readonly isLate: boolean;
  readonly isOverCap: boolean;
  readonly periodStartMs: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly attestationId: string;
  readonly seq: number;
  readonly voided: VoidRecord | null;
  /** How AP2 receipts name the closed mandate; null where there is none. */
  readonly ap2Reference: string | null;
}

export interface KeptSeal {
  readonly attestationId: string;
  readonly ref: string;
  readonly outcome: HandshakeOutcome;
  readonly bodySha256: string;
  readonly externalRef: string | null;
  readonly settlementRef: string | null;
  readonly evidence: string | null;
  /** The whole answer: a repeated call gets the same bytes. */
  readonly answer: string;
  readonly atMs: number;
  readonly seq: number;
}

/** An open or closed mandate of AP2 that has had its one use, and what it was used for. */
interface Ap2Use {
  readonly useKey: string;
  readonly owner: string;
}

interface Approval {
  readonly ref: string;
  readonly mandateId: string;
  readonly payloadKey: string;
  readonly amount: number;
  readonly currency: string;
  readonly expiresAtMs: number;
  readonly usedBy: string | null;
}

interface KeptAnswer {
  readonly keyHash: string;
  readonly bodySha256: string;
  readonly answer: string;
  readonly expiresAtMs: number;
}

export interface State {
  /** By hash of the key; all keys of the platforms that are named. */
  readonly keys: VersionedMap<string, RegisteredKey>;
  readonly platforms: VersionedMap<string, RegisteredPlatform>;
  /** When platforms were registered from an address, by its tag. */
  readonly registeredAt: ReadonlyMap<string, readonly number[]>;
  readonly mandates: VersionedMap<string, Mandate>;
  /** By mandate and start of the period. */
  readonly periods: VersionedMap<string, Period>;
  readonly nonces: VersionedMap<string, { readonly nonceKey: string }>;
  readonly verifications: VersionedMap<string, Verification>;
  /** Verifications that keep their payload from being used again, by payload key. */
  readonly payloads: VersionedMap<string, { readonly refs: readonly string[] }>;
  /** Holds that are over or nearly, by mandate, soonest expiry first. */
  readonly holds: ReadonlyMap<string, readonly string[]>;
  readonly seals: VersionedMap<string, { readonly list: readonly KeptSeal[] }>;
  readonly approvals: VersionedMap<string, Approval>;
  readonly ap2Uses: VersionedMap<string, Ap2Use>;
  readonly answers: VersionedMap<string, KeptAnswer>;
  readonly dueHolds: readonly string[];
}

/** An Idempotency-Key as a keyed hash of its scope, and what it was used for. */
export interface Repeatable {
  readonly keyHash: string;
  readonly bodySha256: string;
}

/** Holds that are over by this time are given back before the decision; those of a clock ahead wait for the sweep. */
interface Timed {
  readonly dueBeforeMs: number;
}

/** What makes the entry of a handshake its own, and the receipt of the answer but for what it signs. */
interface Provable {
  readonly seed: string;
  readonly nonce: string;
  readonly receipt: ReceiptFrame;
}

/** Entries of the log say whether they are of a sandbox. */
interface Sealing {
  readonly sandbox: boolean;
  readonly draft: SealDraft;
}

export interface RegisterCommand {
  readonly type: 'register';
  readonly platform: Omit<RegisteredPlatform, 'status' | 'createdAtMs'>;
  readonly keyId: string;
  readonly keyHash: string;
}

export interface CreateMandateCommand extends Sealing {
  readonly type: 'create';
  readonly id: string;
  readonly body: MandateBody;
  readonly bodyText: string;
  readonly sha256: string;
  readonly assurance: Assurance;
  readonly controlHash: string;
  readonly nonceKey: string | null;
  readonly repeatable: Repeatable | null;
  /** Null unless it is imported from AP2. */
  readonly ap2: { readonly imported: ImportedMandate; readonly openKeys: readonly string[] } | null;
}

export interface VerifyCommand extends Provable, Timed {
  readonly type: 'verify';
  readonly ref: string;
  readonly keyHash: string;
  readonly mandateId: string;
  readonly request: VerifyRequest;
  readonly payloadKey: string;
  readonly isAgentSigned: boolean;
  readonly ap2: Ap2Evidence | null;
  readonly approvalRef: string | null;
  readonly holdMs: number;
  readonly repeatable: Repeatable | null;
}

export interface SealCommand extends Provable {
  readonly type: 'seal';
  readonly ref: string;
  readonly keyHash: string;
  readonly outcome: HandshakeOutcome;
  readonly finalAmount: number | null;
  readonly payloadHash: string | null;
  readonly externalRef: string | null;
  readonly settlementRef: string | null;
  readonly evidence: string | null;
  readonly bodySha256: string;
}

/** Of the principal: by its signature, which was checked before, or by the control token. */
export type Authority = { readonly by: 'principal' } | { readonly by: 'control'; readonly controlHash: string };

interface OfPrincipal {
  readonly mandateId: string;
  readonly authority: Authority;
  readonly nonceKey: string | null;
}

export interface RevokeCommand extends OfPrincipal, Timed, Sealing {
  readonly type: 'revoke';
}

export interface NarrowCommand extends OfPrincipal, Sealing {
  readonly type: 'narrow';
  /** Each once, in their order as texts. */
  readonly platforms: readonly string[];
}

export interface VoidCommand extends OfPrincipal, Sealing {
  readonly type: 'void';
  readonly platformId: string;
  /** Verifications of the platform, as they were found before the lock. */
  readonly refs: readonly string[];
  /** There were more than one command takes. */
  readonly isMore: boolean;
}

export interface ApproveCommand extends OfPrincipal {
  readonly type: 'approve';
  readonly approval: Omit<Approval, 'expiresAtMs' | 'usedBy'>;
}

export interface AddKeyCommand {
  readonly type: 'add_key';
  readonly keyHash: string;
  readonly newKeyId: string;
  readonly newKeyHash: string;
}

export interface RevokeKeyCommand {
  readonly type: 'revoke_key';
  readonly keyHash: string;
  readonly keyId: string;
}

interface SweepCommand extends Timed {
  readonly type: 'sweep';
}

export type MandateCommand = MandateDeed[0];

export type MandateRefusal =
  | 'key_invalid'
  | 'suspended'
  | 'mandate_not_found'
  | 'verify_ref_not_found'
  | 'idempotency_conflict'
  | 'nonce_reused'
  | 'control_invalid'
  | 'not_narrower'
  | 'platform_known'
  | 'imported_before'
  | 'import_erased'
  | 'creation_erased'
  | 'payload_mismatch'
  | 'amount_exceeds_verified'
  | 'amount_not_exact'
  | 'too_many_keys'
  | 'last_key'
  | 'key_not_found'
  | 'registrations_exceeded';

export interface MandateRefused {
  readonly outcome: 'refused';
  readonly code: MandateRefusal;
  readonly retryAfterMs?: number;
}

/** The answer as it goes out, made before or now; its receipt lacks the signature. */
export interface MandateAnswer {
  readonly outcome: 'answered';
  readonly answer: object;
  readonly replayed: boolean;
  /** What was asked for existed before. */
  readonly existed?: true;
}

export interface TransitionInvalid {
  readonly outcome: 'transition_invalid';
  readonly from: HandshakeState;
  readonly to: HandshakeOutcome;
  readonly allowed: readonly HandshakeOutcome[];
}

export interface Swept {
  readonly outcome: 'swept';
  readonly removed: number;
}

/** What is asked of mandates, and what comes of it. */
export type MandateDeed =
  | [
      (
        | RegisterCommand
        | CreateMandateCommand
        | VerifyCommand
        | RevokeCommand
        | NarrowCommand
        | VoidCommand
        | ApproveCommand
        | AddKeyCommand
        | RevokeKeyCommand
      ),
      MandateAnswer | MandateRefused,
    ]
  | [SealCommand, MandateAnswer | MandateRefused | TransitionInvalid]
  | [SweepCommand, Swept];
