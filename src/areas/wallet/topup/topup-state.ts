import type { TIERS } from './tiers.ts';

export type Tier = (typeof TIERS)[number]['tier'];

export const TOPUP_STATES = ['created', 'open', 'credited', 'expired', 'failed', 'review'] as const;
export type TopUpState = (typeof TOPUP_STATES)[number];

export const CARD_OUTCOMES = [
  ...(['credited', 'already_credited', 'duplicate_event', 'not_paid', 'expired', 'review'] as const),
  ...(['unknown_session', 'applied', 'ignored'] as const),
] as const;
/** What an event of the processor led to; `applied` is said of refunds and disputes. */
export type CardOutcome = (typeof CARD_OUTCOMES)[number];

export interface TopUp {
  readonly id: string;
  readonly agentId: string;
  readonly tier: Tier;
  readonly priceCents: number;
  /** `created` until the processor has given a session. */
  readonly status: TopUpState;
  readonly sessionId: string | null;
  readonly paymentIntent: string | null;
  readonly checkoutUrl: string | null;
  readonly isLive: boolean | null;
  readonly createdAtMs: number;
  readonly openedAtMs: number | null;
  readonly expiresAtMs: number | null;
  readonly nextPollAtMs: number | null;
  readonly creditedAtMs: number | null;
  readonly txId: string | null;
  /** Why a person must look. */
  readonly review: string | null;
  /** Grows with every change. */
  readonly version: number;
}

/** A checkout session as the processor tells of it. */
export interface CheckoutSession {
  readonly id: string;
  /** Of the metadata that we gave it. */
  readonly topUpId: string | null;
  /** open, complete or expired. */
  readonly status: string;
  /** paid, unpaid or no_payment_required; whatever is none of them is not paid. */
  readonly paymentStatus: string;
  readonly amountCents: number | null;
  readonly currency: string | null;
  readonly paymentIntent: string | null;
  readonly url: string | null;
  readonly expiresAtMs: number;
  readonly isLive: boolean;
}

export interface Refund {
  readonly id: string;
  readonly amountCents: number;
  /** The money came back to us after all. */
  readonly hasFailed: boolean;
}

export interface DisputeNews {
  readonly id: string;
  readonly paymentIntent: string | null;
  readonly amountCents: number;
  readonly fact: 'opened' | 'withdrawn' | 'reinstated' | 'won' | 'lost';
}

export interface Dispute {
  readonly id: string;
  readonly topUpId: string;
  readonly agentId: string;
  readonly amountCents: number;
  readonly holdId: string;
  readonly withdrawnTx: string | null;
  readonly isReinstated: boolean;
  readonly closed: 'won' | 'lost' | null;
  readonly version: number;
}

interface Told {
  readonly id: string;
  readonly type: string;
  readonly createdAtMs: number;
}

/** An event of the processor whose signature holds, or that was read from it. */
export type CardEvent = Told &
  (
    | { readonly about: 'session'; readonly session: CheckoutSession; readonly hasFailed: boolean }
    | { readonly about: 'refund'; readonly paymentIntent: string | null; readonly refundId: string | null }
    | { readonly about: 'dispute'; readonly dispute: DisputeNews }
    | { readonly about: 'nothing' }
  );

export interface SeenEvent extends Told {
  readonly outcome: CardOutcome;
  readonly topUpId: string | null;
}
