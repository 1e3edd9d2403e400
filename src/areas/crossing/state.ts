import type { LeaseId } from '#kernel/ids.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import type { EndedLease, Lease, LeaseMode, OnceTaking } from './lease.ts';

export interface CrossingState {
  /** The rows of each key that the batch names: live leases and those not yet removed after expiry. */
  readonly leases: VersionedMap<string, readonly Lease[]>;
  readonly ended: VersionedMap<LeaseId, EndedLease>;
  readonly once: VersionedMap<string, OnceTaking>;
  /** Where the leases that commands name by id are; a lease granted in this batch cannot be named in it. */
  readonly keyOfLease: ReadonlyMap<LeaseId, string>;
  /** What a sweep found past its time. */
  readonly due: {
    readonly keys: ReadonlySet<string>;
    readonly ended: readonly LeaseId[];
    readonly once: readonly string[];
  };
}

export interface ClaimCommand {
  readonly type: 'claim';
  readonly commandId: string;
  readonly key: string;
  readonly publicVenue: boolean;
  readonly agent: string;
  readonly mode: LeaseMode;
  readonly ttlMs: number;
  readonly intent: string | null;
  /** SHA-256 of key and intent: what may happen once. */
  readonly onceIntent: string;
  readonly hops: number | null;
  readonly slots: number | null;
  readonly addressTag: string;
  readonly leaseSalt: string;
  readonly newTokenHash: string;
  /** Hash of the token that the caller sent: a client-made secret, or the token of a lapsed lease. */
  readonly givenTokenHash: string | null;
}

export interface RefreshCommand {
  readonly type: 'refresh';
  readonly commandId: string;
  readonly key: string;
  readonly leaseId: LeaseId;
  readonly tokenHash: string;
  readonly ttlMs: number;
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

export type CrossingCommand = ClaimCommand | RefreshCommand | ReleaseCommand | SweepCommand | ExpireCommand;

export type ClaimRefusalCode =
  | 'lease_lost'
  | 'hop_limit'
  | 'public_venue'
  | 'once_taken'
  | 'already_yours'
  | 'held'
  | 'in_clearance'
  | 'slots_full';

interface Moment {
  readonly rev: number;
  readonly atMs: number;
}

export type ClaimResult =
  | (Moment & {
      readonly outcome: 'granted' | 'refreshed' | 'repeated';
      readonly lease: Lease;
      readonly otherAgents: number;
      readonly position: number;
    })
  | (Moment & {
      readonly outcome: 'refused';
      readonly code: ClaimRefusalCode;
      /** When the key can be free at the latest if nobody refreshes; 0 when it is not a matter of time. */
      readonly waitMs: number;
      readonly holders: readonly Lease[];
      readonly own?: Lease;
    })
  | (Moment & { readonly outcome: 'bad_token' | 'other_key' });

export type ReleaseResult =
  | (Moment & {
      readonly outcome: 'released';
      readonly again: boolean;
      readonly leaseId: LeaseId;
      readonly key: string;
      readonly releasedAtMs: number | null;
      /** Number of the log entry; null where the lease was not released. */
      readonly seq: number | null;
    })
  | (Moment & { readonly outcome: 'bad_token' | 'unknown_lease' });

export interface SweepResult {
  readonly outcome: 'swept';
  readonly removed: number;
}

export type CrossingResult = ClaimResult | ReleaseResult | SweepResult;
