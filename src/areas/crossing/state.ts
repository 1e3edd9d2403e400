import type { VerifiedIdentity } from '#kernel/identity.ts';
import type { LeaseId } from '#kernel/ids.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import type { MarkKind, ReleaseOutcome } from '#protocol/attestation/leaf-entry.ts';
import type { ClearanceCause } from './lease/clearance.ts';
import { type EndedLease, type Lease, type LeaseMode, MAX_SHARED_LEASES, type OnceTaking } from './lease/lease.ts';
import type { Mark } from './mark/mark.ts';
import type { Queue } from './lease/queue.ts';

/** What a brief says of its key: how many agents may share it, until when. */
export interface BriefSlots {
  readonly id: string;
  readonly key: string;
  readonly slots: number;
  readonly openUntilMs: number | null;
}

/** How many agents may share a key, and by whose word: that of the caller, of the brief that it names, or of the service. */
export type SlotCap =
  | { readonly cause: 'slots' | 'limit'; readonly slots: number }
  | { readonly cause: 'brief'; readonly slots: number; readonly brief: string };

/** The smallest of the caps that bind this claim. A brief that the claim does not name binds nobody. */
export function slotCap(
  { briefSlots }: Pick<CrossingState, 'briefSlots'>,
  nowMs: number,
  { key, slots, brief }: Pick<ClaimCommand, 'key' | 'slots' | 'brief'>,
): SlotCap {
  const own: SlotCap = slots === null ? { cause: 'limit', slots: MAX_SHARED_LEASES } : { cause: 'slots', slots };
  const releaseInfo = brief === null ? undefined : briefSlots.get(brief.id);
  const isOpen = releaseInfo?.key === key && (releaseInfo.openUntilMs === null || releaseInfo.openUntilMs > nowMs);
  if (brief === null || releaseInfo === undefined || !isOpen || own.slots <= releaseInfo.slots) return own;
  return { cause: 'brief', slots: releaseInfo.slots, brief: brief.id };
}

export interface CrossingState {
  /** The rows of each key that the batch names: live leases and those not yet removed after expiry. */
  readonly leases: VersionedMap<string, readonly Lease[]>;
  readonly ended: VersionedMap<LeaseId, EndedLease>;
  readonly once: VersionedMap<string, OnceTaking>;
  readonly queues: VersionedMap<string, Queue>;
  /** What the briefs say that claims of the batch name, by their id. */
  readonly briefSlots: ReadonlyMap<string, BriefSlots>;
  /** Marks by the address and the key that they came from and went to. */
  readonly marks: VersionedMap<string, readonly Mark[]>;
  /** When the last lease of a holder on a key ended, by `holderName`. */
  readonly lastHeld: VersionedMap<string, { readonly endedAtMs: number }>;
  readonly faded: VersionedMap<string, { readonly seq: number; readonly fadesAtMs: number }>;
  /** Where the leases that commands name by id are; a lease granted in this batch cannot be named in it. */
  readonly keyOfLease: ReadonlyMap<LeaseId, string>;
  /** What a sweep found past its time. */
  readonly due: {
    readonly keys: ReadonlySet<string>;
    readonly ended: readonly LeaseId[];
    readonly once: readonly string[];
    readonly marks: readonly string[];
    readonly queues: readonly string[];
  };
}

export function holderName({ key, addressTag, agent }: Pick<Lease, 'key' | 'addressTag' | 'agent'>): string {
  return JSON.stringify([key, addressTag, agent]);
}

/** The lease of that id among the rows, and the rows of its key. */
export function leaseNamed(
  state: CrossingState,
  id: LeaseId,
): { readonly lease: Lease | undefined; readonly rows: readonly Lease[] } {
  const key = state.keyOfLease.get(id);
  const rows = key === undefined ? [] : (state.leases.get(key) ?? []);
  return { lease: rows.find((row) => row.id === id), rows };
}

export interface ClaimCommand {
  readonly type: 'claim';
  readonly commandId: string;
  readonly key: string;
  /** Of mode once alone, which no public venue takes. */
  readonly publicVenue: boolean;
  readonly agent: string;
  readonly mode: LeaseMode;
  readonly ttlMs: number;
  readonly intent: string | null;
  /** SHA-256 of key and intent: what may happen once. */
  readonly onceIntent: string;
  readonly hops: number | null;
  readonly slots: number | null;
  /** The brief that the claim is for: by its parameter, or because its key is the link of that brief. */
  readonly brief: { readonly id: string; readonly by: 'parameter' | 'link' } | null;
  readonly addressTag: string;
  readonly leaseSalt: string;
  readonly newTokenHash: string;
  /** Hash of the token that the caller sent: a client-made secret, or the token of a lapsed lease. */
  readonly givenTokenHash: string | null;
  readonly hasEvidence: boolean;
  /** A refused claim takes a place in the line. */
  readonly queues: boolean;
  /** What the place in the line belongs to beside the name. */
  readonly proof: string;
  readonly attempt: number;
  readonly identity: VerifiedIdentity | null;
}

export interface ClaimAllCommand {
  readonly type: 'claim_all';
  /** Of different keys. */
  readonly claims: readonly ClaimCommand[];
}

export interface RefreshCommand {
  readonly type: 'refresh';
  readonly commandId: string;
  readonly key: string;
  readonly leaseId: LeaseId;
  readonly tokenHash: string;
  readonly ttlMs: number;
  readonly hasEvidence: boolean;
}

export interface ReleaseCommand {
  readonly type: 'release';
  readonly commandId: string;
  readonly sandbox: boolean;
  /** Secret of the commitments in the log entry. */
  readonly seed: string;
  readonly nonce: string;
  readonly leaseId: LeaseId;
  readonly tokenHash: string;
  readonly outcome: ReleaseOutcome | null;
  /** The mark that the outcome leaves; null without one, and when the lease was not among the live ones. */
  readonly mark: ReleaseMark | null;
  readonly ruleRefused: boolean;
}

/** Says of a once intent that it did not happen: it may be taken again. */
export function reopensOnce(outcome: ReleaseOutcome | null): boolean {
  return outcome === 'failed' || outcome === 'declined';
}

export interface ReleaseMark {
  readonly key: string;
  readonly note: string | null;
  readonly evidence: string | null;
  readonly addressTag: string;
  readonly seed: string;
  readonly nonce: string;
  readonly identity: VerifiedIdentity | null;
}

export interface MarkCommand {
  readonly type: 'mark';
  readonly commandId: string;
  readonly sandbox: boolean;
  /** Secret of the commitments in the log entry. */
  readonly seed: string;
  readonly nonce: string;
  readonly key: string;
  readonly kind: MarkKind;
  readonly agent: string;
  readonly note: string | null;
  readonly evidence: string | null;
  readonly addressTag: string;
  /** The lease that the marker says it held. */
  readonly proof: { readonly leaseId: LeaseId; readonly tokenHash: string } | null;
  readonly identity: VerifiedIdentity | null;
}

interface SweepCommand {
  readonly type: 'sweep';
  readonly commandId: string;
  readonly dueBeforeMs: number;
}

/** Removes the leases of these keys that are past their time: somebody waits for that. */
interface ExpireCommand {
  readonly type: 'expire';
  readonly commandId: string;
  readonly keys: readonly string[];
}

export type CrossingCommand = CrossingDeed[0];

export type ClaimRefusalCode =
  | 'lease_lost'
  | 'hop_limit'
  | 'public_venue'
  | 'once_taken'
  | 'already_yours'
  | 'held'
  | 'in_clearance'
  | 'slots_full';

export interface CrossingMoment {
  readonly rev: number;
  readonly atMs: number;
}

export interface KeyRefused {
  readonly key: string;
  readonly code: ClaimRefusalCode;
  /** When the key can be free at the latest if nobody refreshes; 0 when it is not a matter of time. */
  readonly waitMs: number;
}

export interface ClaimRefused extends KeyRefused, CrossingMoment {
  readonly outcome: 'refused';
  readonly holders: readonly Lease[];
  readonly own?: Lease;
  /** What the key is full by. */
  readonly cap?: SlotCap;
  /** Of `in_clearance` alone. */
  readonly clearance?: ClearanceCause;
  /** The place in the line that the caller took or kept. */
  readonly queue?: { readonly position: number; readonly keepAliveMs: number };
}

export interface ClaimGranted extends CrossingMoment {
  readonly outcome: 'granted' | 'refreshed' | 'repeated';
  readonly lease: Lease;
  readonly otherAgents: number;
  readonly position: number;
}

export type ClaimResult =
  | ClaimGranted
  | ClaimRefused
  | (CrossingMoment & { readonly outcome: 'bad_token' | 'other_key' | 'other_brief' });

export type ClaimAllResult =
  | { readonly outcome: 'all'; readonly results: readonly ClaimResult[] }
  /** Every refused key, and of the first who holds it. */
  | { readonly outcome: 'none'; readonly refused: readonly [ClaimRefused, ...KeyRefused[]] };

export type ReleaseResult =
  | (CrossingMoment & {
      readonly outcome: 'released';
      readonly again: boolean;
      readonly leaseId: LeaseId;
      readonly key: string;
      readonly releasedAtMs: number | null;
      /** What the release said and left; of an expired lease nothing. */
      readonly releaseInfo: Pick<EndedLease, 'seq' | 'outcome' | 'markSeq' | 'markRefused'>;
    })
  | (CrossingMoment & { readonly outcome: 'bad_token' | 'unknown_lease' });

export type MarkResult =
  | { readonly outcome: 'marked'; readonly repeated: boolean; readonly mark: Mark; readonly atMs: number }
  | (CrossingMoment & { readonly outcome: 'mark_limit'; readonly waitMs: number })
  | (CrossingMoment & { readonly outcome: 'other_key' })
  | (CrossingMoment & { readonly outcome: 'bad_token' | 'unknown_lease' });

export interface LeasesSwept {
  readonly outcome: 'swept';
  readonly removed: number;
}

/** What is asked of crossing, and what comes of it. */
export type CrossingDeed =
  | [ClaimCommand | RefreshCommand, ClaimResult]
  | [ClaimAllCommand, ClaimAllResult]
  | [ReleaseCommand, ReleaseResult]
  | [MarkCommand, MarkResult]
  | [SweepCommand | ExpireCommand, LeasesSwept];
