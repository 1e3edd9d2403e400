import type { VersionedMap } from '#kernel/versioned-map.ts';

/** `tail` goes on from an audit that found nothing; only the balances are looked at whole. */
export type AuditScope = 'full' | 'nightly' | 'tail';

export interface LedgerAudit {
  readonly scope: AuditScope;
  readonly uptoSeq: number;
  readonly uptoHash: string;
  /** Transactions whose legs and hashes were made again. */
  readonly checked: number;
  readonly findings: readonly string[];
}

export interface LedgerAccount {
  readonly id: string;
  /** The side on which the account grows. */
  readonly side: 'debit' | 'credit';
  readonly currency: string;
  readonly posted: number;
  readonly held: number;
  readonly noOverdraft: boolean;
  readonly isFrozen: boolean;
}

/** One line of a transaction: positive is a debit, negative a credit. */
export interface Leg {
  readonly account: string;
  readonly amountMicro: number;
  /** Takes what the account cannot give: it is then emptied, frozen or not, and never refused. */
  readonly restTo?: string;
}

export interface Entry {
  readonly account: string;
  readonly amountMicro: number;
  readonly balanceAfter: number;
}

export interface Tx {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly idem: string;
  readonly fingerprint: string;
  readonly ref: string | null;
  readonly atMs: number;
  /** JSON text, as it is hashed. */
  readonly meta: string;
  readonly prevHash: string;
  readonly hash: string;
  /** Empty where only its idempotency matters. */
  readonly entries: readonly Entry[];
}

export interface Hold {
  readonly id: string;
  readonly account: string;
  readonly amount: number;
  readonly captured: number;
  readonly status: 'pending' | 'captured' | 'voided' | 'expired';
  readonly idem: string;
  readonly fingerprint: string;
  readonly ref: string | null;
  /** Null never expires. */
  readonly expiresAtMs: number | null;
  readonly atMs: number;
}

interface LedgerHead {
  /** There is one. */
  readonly id: number;
  readonly seq: number;
  readonly hash: string;
  /** Set by an audit that found something: nothing moves until a full audit finds nothing. */
  readonly isHalted: boolean;
}

export interface LedgerState {
  readonly accounts: VersionedMap<string, LedgerAccount>;
  /** By idempotency key. */
  readonly txs: VersionedMap<string, Tx>;
  readonly txsById: VersionedMap<string, Tx>;
  readonly holds: VersionedMap<string, Hold>;
  readonly holdsByIdem: VersionedMap<string, { readonly id: string }>;
  readonly due: readonly string[];
  readonly head: LedgerHead;
  /** Reports to be kept. */
  readonly audits: readonly (LedgerAudit & { readonly atMs: number })[];
}

type Meta = Readonly<Record<string, unknown>>;

export interface PostCommand {
  readonly txId: string;
  readonly kind: string;
  /** Names the effect for ever: the same again is answered as before, another under it is refused. */
  readonly idem: string;
  readonly ref: string | null;
  readonly legs: readonly Leg[];
  readonly meta?: Meta;
}

export interface HoldCommand {
  readonly holdId: string;
  readonly agentId: string;
  readonly amountMicro: number;
  readonly idem: string;
  readonly ref: string | null;
  readonly lifeMs: number | null;
  /** Holds what there is, up to the amount, also in a frozen wallet; nothing where there is nothing. */
  readonly upTo?: true;
}

export interface CaptureCommand {
  readonly holdId: string;
  readonly amountMicro: number;
  readonly kind: string;
  readonly txId: string;
  /** All legs but the wallet's. */
  readonly legs: readonly Leg[];
  readonly meta?: Meta;
  /** With `post` an expired hold is charged to what the wallet has, the rest to `expense:overrun`. */
  readonly whenGone?: 'refuse' | 'post';
}

export interface ReverseCommand {
  readonly txId: string;
  /** Id of the transaction that is undone. */
  readonly of: string;
  readonly idem: string;
  readonly kind: string;
  readonly meta?: Meta;
}

export type LedgerCommand =
  | ({ readonly type: 'post' } & PostCommand)
  | ({ readonly type: 'hold' } & HoldCommand)
  | ({ readonly type: 'capture' } & CaptureCommand)
  | { readonly type: 'release'; readonly holdId: string }
  | ({ readonly type: 'reverse' } & ReverseCommand)
  | { readonly type: 'open'; readonly agentId: string }
  | { readonly type: 'freeze'; readonly agentId: string; readonly frozen: boolean }
  | { readonly type: 'expire'; readonly dueBeforeMs: number }
  | { readonly type: 'audited'; readonly report: LedgerAudit };

interface Balance {
  readonly postedMicro: number;
  readonly heldMicro: number;
}

export type LedgerRefusal =
  | 'insufficient_funds'
  | 'wallet_frozen'
  | 'ledger_halted'
  | 'idempotency_conflict'
  | 'exceeds_hold'
  | 'hold_voided'
  | 'hold_expired'
  | 'hold_unknown'
  | 'tx_unknown'
  | 'no_account'
  | 'unbalanced'
  | 'bad_amount';

export interface LedgerRefused {
  readonly type: 'refused';
  readonly code: LedgerRefusal;
  readonly availableMicro: number;
}

export type LedgerResult =
  | {
      readonly type: 'done';
      readonly txId: string | null;
      readonly holdId: string | null;
      /** True where nothing was moved, because it had been before. */
      readonly replayed: boolean;
      /** Of the wallet that was named first. */
      readonly balance: Balance | null;
    }
  | LedgerRefused;
