import type { VerifiedIdentity } from '#kernel/identity.ts';
import { DAY_MS } from '#kernel/clock.ts';
import { type LeaseId, sha256Hex } from '#kernel/ids.ts';
import type { ReleaseOutcome } from '#protocol/attestation/leaf-entry.ts';

export const LEASE_MODES = ['shared', 'exclusive', 'once'] as const;
export type LeaseMode = (typeof LEASE_MODES)[number];

/** A right on a key until `expiresAtMs`. The token itself is never kept, only its hash. */
export interface Lease {
  readonly key: string;
  readonly id: LeaseId;
  readonly agent: string;
  readonly mode: LeaseMode;
  readonly tokenHash: string;
  readonly intent: string | null;
  readonly hops: number | null;
  readonly addressTag: string;
  readonly sinceMs: number;
  readonly evidenceAtMs: number | null;
  readonly expiresAtMs: number;
  /** Revision of the grant: strictly increasing over all grants, constant over refreshes. */
  readonly fence: number;
  /** Who signed the claim; null where nobody did, or not verifiably. */
  readonly identity: VerifiedIdentity | null;
}

/** What is remembered of a lease for thirty days after its end, so that a repeated release is answered. */
export interface EndedLease {
  readonly id: LeaseId;
  readonly key: string;
  readonly agent: string;
  readonly tokenHash: string;
  readonly addressTag: string;
  readonly mode: LeaseMode;
  readonly fence: number;
  readonly how: 'released' | 'expired';
  readonly endedAtMs: number;
  /** Revision of the event that ended it. */
  readonly rev: number;
  /** Number of its log entry; an expiry has none. */
  readonly seq: number | null;
  readonly outcome: ReleaseOutcome | null;
  /** Number of the log entry of the mark that the release left. */
  readonly markSeq: number | null;
  /** Why the release left no mark although it had an outcome. */
  readonly markRefused: 'mark_limit' | 'rule_refused' | null;
}

/** The taking of a once intent: nobody takes it again before `untilMs`. */
export interface OnceTaking {
  readonly intent: string;
  readonly untilMs: number;
  readonly fence: number;
}

/** Of one key, and the most slots: every call on a key reads its leases, so no crowd of names may make them many. */
export const MAX_SHARED_LEASES = 128;
/** Consul's default lock delay: time for a holder that paused to notice that its lease died. */
export const CLEARANCE_MS = 15_000;
export const ENDED_KEPT_MS = 30 * DAY_MS;
export const ONCE_MS = 30 * DAY_MS;

type Term = Pick<Lease, 'mode' | 'expiresAtMs'>;

export function isLive(lease: Pick<Lease, 'expiresAtMs'>, nowMs: number): boolean {
  return lease.expiresAtMs > nowMs;
}

export function isExclusive(mode: LeaseMode): boolean {
  return mode !== 'shared';
}

/** When the key is free of this lease if nobody refreshes it. */
export function freeAtMs(lease: Term): number {
  return isExclusive(lease.mode) ? lease.expiresAtMs + CLEARANCE_MS : lease.expiresAtMs;
}

export function isInClearance(lease: Term, nowMs: number): boolean {
  return !isLive(lease, nowMs) && freeAtMs(lease) > nowMs;
}

/** Names what mode once lets happen once: the intent on the key, or the key itself where none is given. */
export function onceIntentOf({ key, intent }: Pick<Lease, 'key' | 'intent'>): string {
  return sha256Hex(`${key}\0${intent ?? ''}`);
}
