import { newToken } from '#kernel/ids.ts';

export interface CardDispute {
  readonly id: string;
  readonly amountCents: number;
  status: 'needs_response' | 'won' | 'lost';
}

export interface CardSession {
  readonly id: string;
  readonly createdS: number;
  readonly expiresS: number;
  amountCents: number;
  currency: string;
  readonly productName: string;
  readonly clientReferenceId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly url: string;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'paid' | 'unpaid';
  paymentIntent: string | null;
  /** When a slow method pays, in ms; null where none is under way. */
  paysAtMs: number | null;
  refundedCents: number;
  dispute: CardDispute | null;
}

export interface CardRefund {
  readonly id: string;
  readonly createdS: number;
  readonly paymentIntent: string;
  readonly amountCents: number;
  status: 'succeeded' | 'failed';
}

/** What happened, as webhooks and the list of events tell it. */
export interface ProcessorEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly object: object;
}

export interface CardState {
  sessions: CardSession[];
  refunds: CardRefund[];
  /** Oldest first. */
  events: ProcessorEvent[];
  /** Answers by Idempotency-Key. */
  answers: { readonly key: string; readonly bodySha256: string; readonly status: number; readonly body: string }[];
}

const KEPT = 1_000;

export function noCards(): CardState {
  return { sessions: [], refunds: [], events: [], answers: [] };
}

/** A simulator runs for months: what is oldest goes. */
export function trimmed({ sessions, refunds, events, answers }: CardState): CardState {
  return {
    sessions: sessions.slice(-KEPT),
    refunds: refunds.slice(-KEPT),
    events: events.slice(-KEPT),
    answers: answers.slice(-KEPT),
  };
}

export function newCardId(prefix: 'cs_test_' | 'evt_' | 'pi_' | 're_' | 'du_' | 'req_'): string {
  return prefix + newToken().replaceAll(/[_-]/g, '').slice(0, 24);
}

export function wireSession(session: CardSession): Record<string, unknown> {
  return {
    id: session.id,
    object: 'checkout.session',
    mode: 'payment',
    livemode: false,
    created: session.createdS,
    expires_at: session.expiresS,
    status: session.status,
    payment_status: session.paymentStatus,
    amount_total: session.amountCents,
    currency: session.currency,
    client_reference_id: session.clientReferenceId,
    metadata: session.metadata,
    payment_intent: session.paymentIntent,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    url: session.status === 'open' ? session.url : null,
  };
}

export function wireRefund({ id, createdS, paymentIntent, amountCents, status }: CardRefund): Record<string, unknown> {
  return {
    id,
    object: 'refund',
    created: createdS,
    amount: amountCents,
    currency: 'eur',
    status,
    payment_intent: paymentIntent,
    charge: chargeOf(paymentIntent),
  };
}

export function wireCharge({ paymentIntent, amountCents, currency, refundedCents }: CardSession): object {
  const intent = paymentIntent ?? '';
  return {
    id: chargeOf(intent),
    object: 'charge',
    payment_intent: intent,
    amount: amountCents,
    currency,
    amount_refunded: refundedCents,
    refunded: refundedCents >= amountCents,
  };
}

export function wireDispute({ paymentIntent, currency }: CardSession, dispute: CardDispute): object {
  const { id, amountCents: amount, status } = dispute;
  const charge = chargeOf(paymentIntent ?? '');
  return { id, object: 'dispute', amount, currency, status, charge, payment_intent: paymentIntent };
}

function chargeOf(paymentIntent: string): string {
  return paymentIntent.replace(/^pi_/, 'ch_');
}

export function wireEvent({ id, type, created, object }: ProcessorEvent): Record<string, unknown> {
  return {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created,
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object },
  };
}
