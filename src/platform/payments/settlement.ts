import type { TransferAuthorization } from '#protocol/payment/authorization-digest.ts';
import type { PaymentExtension } from '#protocol/payment/extension.ts';
import type { Hex } from '#protocol/payment/hex.ts';
import type { PaymentReason } from '#protocol/payment/reason.ts';
import type { PaymentPayload, PaymentRequirements } from '#protocol/payment/wire.ts';

/** Names one authorization for ever: network, asset, payer and nonce in lower case, joined by a bar. */
export type PaymentKey = string;

/** What a backend needs to settle a payment, now or after a crash: it all stands in the payment's record. */
export interface Settleable {
  readonly key: PaymentKey;
  readonly payload: PaymentPayload;
  readonly requirements: PaymentRequirements;
  readonly authorization: TransferAuthorization;
  /** An earlier attempt may have sent it: a refusal of this one proves nothing then, while the chain shows no use. */
  readonly mayBeSent?: boolean;
  /** What it buys, for the catalogue of whoever settles. */
  readonly listing?: { readonly operationId: string; readonly bazaar: PaymentExtension };
}

/** Where on the chain the transfer stands. */
export interface OnChain {
  readonly transaction: Hex;
  /** Block-wide index of the AuthorizationUsed log. */
  readonly logIndex: number;
}

export type Settlement =
  | ({ readonly outcome: 'confirmed' } & OnChain)
  /** Certain: nothing was moved, and this authorization can no longer move anything or was refused for what it is. */
  | { readonly outcome: 'failed'; readonly reason: PaymentReason }
  | { readonly outcome: 'unknown'; readonly transaction: Hex | null };

export type Reconciliation =
  | ({ readonly outcome: 'confirmed' } & OnChain)
  /** Cancelled by the payer, or unused and past its time: nothing was moved. */
  | { readonly outcome: 'failed'; readonly reason: PaymentReason }
  /** Unused and still valid for more than six seconds: it may be settled again. */
  | { readonly outcome: 'unused' }
  /** The chain does not answer, or it is too early to tell. */
  | { readonly outcome: 'unknown' };

/** What the chain says of a payer before work is begun. */
export interface PayerFacts {
  readonly hasCode: boolean;
  readonly balance: bigint;
  readonly isNonceUsed: boolean;
}

/** Moves the money. Only what the chain itself shows counts as confirmed, whatever a facilitator says. */
export interface SettlementBackend extends AsyncDisposable {
  readonly name: 'chain' | 'facilitator';
  /** Resolves with false where there is nothing to settle with. Absent: there is. */
  isConfigured?(): Promise<boolean>;
  /** Read in one round trip; throws ChainUnavailableError when there is no answer. */
  payerFacts(authorization: TransferAuthorization): Promise<PayerFacts>;
  /** Never throws: whatever goes wrong on the way is `unknown`. Safe to repeat for the same payment. */
  settle(payment: Settleable): Promise<Settlement>;
  /** Never throws. */
  reconcile(payment: Settleable): Promise<Reconciliation>;
  /** Signature forms other than a plain 65-byte one: the official verification. Absent: such payments are refused. */
  verifySlow?(
    payment: Settleable,
  ): Promise<{ readonly valid: true } | { readonly valid: false; readonly reason: PaymentReason }>;
  /** Asks who settles whether it answers; throws where it does not. */
  probe?(): Promise<unknown>;
  status(): { readonly state: 'up' | 'degraded' | 'down'; readonly detail: string | null };
  /** What it has for gas, and what it should have at least; null before the first look. Absent: it pays no gas. */
  gas?(): GasMoney | null;
}

export interface GasMoney {
  readonly wei: bigint;
  readonly minWei: bigint;
}

export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError';
}
