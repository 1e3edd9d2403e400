import type Stripe from 'stripe';
import type { CardEvent, CheckoutSession, DisputeNews, Refund, TopUp } from '../topup/topup-state.ts';

export interface StripeOptions {
  readonly secretKey: () => string;
  readonly webhookSecret: () => string;
  readonly baseUrl: string;
  readonly nowMs: () => number;
  readonly timeoutMs?: number;
}

/** The processor gave no answer that could be used; asking again may help. */
export class ProcessorError extends Error {
  override readonly name = 'ProcessorError';
}

/** How long an answer of the processor is waited for. */
export const PROCESSOR_TIMEOUT_MS = 5_000;
const SIGNATURE_LIFE_S = 300;
const MAX_LISTED = 10_000;
const PAGE = 100;

const SESSION_EVENTS: Readonly<Record<string, { readonly hasFailed: boolean }>> = {
  'checkout.session.completed': { hasFailed: false },
  'checkout.session.async_payment_succeeded': { hasFailed: false },
  'checkout.session.async_payment_failed': { hasFailed: true },
  'checkout.session.expired': { hasFailed: false },
};
const REFUND_EVENTS = ['charge.refunded', 'refund.created', 'refund.updated', 'refund.failed'];
const DISPUTE_EVENTS: Readonly<Record<string, DisputeNews['fact'] | 'closed'>> = {
  'charge.dispute.created': 'opened',
  'charge.dispute.funds_withdrawn': 'withdrawn',
  'charge.dispute.funds_reinstated': 'reinstated',
  'charge.dispute.closed': 'closed',
};
/** What a webhook endpoint of the service subscribes to. */
const EVENT_TYPES = [...Object.keys(SESSION_EVENTS), ...REFUND_EVENTS, ...Object.keys(DISPUTE_EVENTS)];

/** The card processor through its own client, which is loaded when it is first needed: it takes a quarter of a second. */
export class StripeProcessor {
  readonly #options: StripeOptions;
  #client: Promise<Stripe> | undefined;

  constructor(options: StripeOptions) {
    this.#options = options;
  }

  /** Opens a checkout; asked again for the same top-up it gives the same session. */
  open({ id, tier, priceCents, agentId }: TopUp, urls: { success: string; cancel: string }): Promise<CheckoutSession> {
    const metadata = { topup_id: id, tier };
    const product_data = { name: `Wallet credit, tier ${tier}` };
    return this.#ask(async ({ checkout }) =>
      sessionOf(
        await checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: agentId,
            metadata,
            payment_intent_data: { metadata },
            line_items: [{ price_data: { currency: 'eur', unit_amount: priceCents, product_data }, quantity: 1 }],
            success_url: urls.success,
            cancel_url: urls.cancel,
          },
          { idempotencyKey: id },
        ),
      ),
    );
  }

  session(id: string): Promise<CheckoutSession> {
    return this.#ask(async ({ checkout }) => sessionOf(await checkout.sessions.retrieve(id)));
  }

  sessionOfPayment(paymentIntent: string): Promise<CheckoutSession | undefined> {
    return this.#ask(async ({ checkout }) => {
      const { data } = await checkout.sessions.list({ payment_intent: paymentIntent, limit: 1 });
      return data[0] && sessionOf(data[0]);
    });
  }

  refundsOf(paymentIntent: string): Promise<Refund[]> {
    return this.#ask(async ({ refunds }) => {
      const listed = refunds.list({ payment_intent: paymentIntent, limit: PAGE });
      return (await listed.autoPagingToArray({ limit: MAX_LISTED })).map(({ id, amount, status }) => {
        return { id, amountCents: amount, hasFailed: status === 'failed' || status === 'canceled' };
      });
    });
  }

  /** What happened since then, oldest first. */
  eventsSince(sinceMs: number): Promise<CardEvent[]> {
    return this.#ask(async ({ events }) => {
      const created = { gte: Math.floor(sinceMs / 1_000) };
      const listed = events.list({ types: EVENT_TYPES, created, limit: PAGE });
      const found = await listed.autoPagingToArray({ limit: MAX_LISTED });
      return found.map(eventOf).toReversed();
    });
  }

  /** The event in a webhook; undefined where its signature does not hold. */
  async event(payload: Uint8Array, signature: string): Promise<CardEvent | undefined> {
    const { webhookSecret, nowMs } = this.#options;
    const { webhooks } = await this.#loaded();
    try {
      const given = [payload, signature, webhookSecret(), SIGNATURE_LIFE_S] as const;
      return eventOf(webhooks.constructEvent(...given, undefined, nowMs()));
    } catch {
      return undefined;
    }
  }

  async #ask<T>(work: (client: Stripe) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#loaded());
    } catch (error) {
      // Its text may quote what was sent.
      const { type = 'no answer', statusCode = 0 } = error as { type?: string; statusCode?: number };
      throw new ProcessorError(`The card processor failed (${type} ${statusCode}).`);
    }
  }

  #loaded(): Promise<Stripe> {
    this.#client ??= this.#load();
    return this.#client;
  }

  async #load(): Promise<Stripe> {
    const { default: Client } = await import('stripe');
    const { secretKey, baseUrl, timeoutMs: timeout = PROCESSOR_TIMEOUT_MS } = this.#options;
    const { hostname: host, port: given, protocol: scheme } = new URL(baseUrl);
    const protocol = scheme === 'http:' ? 'http' : 'https';
    const port = given || (protocol === 'http' ? '80' : '443');
    return new Client(secretKey(), { host, port, protocol, timeout, maxNetworkRetries: 1, telemetry: false });
  }
}

function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function sessionOf(session: Stripe.Checkout.Session): CheckoutSession {
  return {
    id: session.id,
    topUpId: session.metadata?.['topup_id'] ?? null,
    status: session.status ?? 'open',
    paymentStatus: session.payment_status,
    amountCents: session.amount_total,
    currency: session.currency,
    paymentIntent: idOf(session.payment_intent),
    url: session.url,
    expiresAtMs: session.expires_at * 1_000,
    isLive: session.livemode,
  };
}

function eventOf({ id, type, created, data }: Stripe.Event): CardEvent {
  const told = { id, type, createdAtMs: created * 1_000 };
  const ofSession = SESSION_EVENTS[type];
  if (ofSession !== undefined) {
    return { ...told, ...ofSession, about: 'session', session: sessionOf(data.object as Stripe.Checkout.Session) };
  }
  if (REFUND_EVENTS.includes(type)) {
    const { object, id: objectId, payment_intent } = data.object as Stripe.Refund | Stripe.Charge;
    const refundId = object === 'refund' ? objectId : null;
    return { ...told, about: 'refund', paymentIntent: idOf(payment_intent), refundId };
  }
  const fact = DISPUTE_EVENTS[type];
  if (fact === undefined) return { ...told, about: 'nothing' };
  const { id: disputeId, amount, status, payment_intent } = data.object as Stripe.Dispute;
  const ending = status === 'lost' ? 'lost' : 'won';
  const news = { id: disputeId, amountCents: amount, paymentIntent: idOf(payment_intent) };
  return { ...told, about: 'dispute', dispute: { ...news, fact: fact === 'closed' ? ending : fact } };
}
