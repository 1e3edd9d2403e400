import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { sha256Hex } from '#kernel/ids.ts';
import { jsonAnswer, type Simulator, type SimulatorAnswer, type SimulatorRequest } from '../registers/simulator.ts';
import { CARD_ACTIONS, type CardAction, type CardActionName, type CardDesk } from './card-actions.ts';
import * as card from './card-state.ts';
import type { CardRefund, CardSession, CardState, ProcessorEvent } from './card-state.ts';
import { Deliveries, type WebhookTarget } from './deliveries.ts';

const SESSION_S = 86_400;
const MAX_PAGE = 100;
const PRICE = 'line_items[0][price_data]';

/** Where the processor shows its checkout page, sends webhooks, and keeps what it knows; without a file in memory. */
export interface CardConnection {
  readonly baseUrl: string;
  readonly webhook: WebhookTarget;
  readonly file?: string;
}

type Route = readonly [
  method: 'GET' | 'POST',
  path: RegExp,
  answer: (state: CardState, request: SimulatorRequest, id: string) => SimulatorAnswer,
];

/** A card processor in the wire format of Stripe, on whose checkout page anybody pays with nothing. */
export class CardProcessor implements Simulator, Disposable {
  readonly deliveries: Deliveries;
  readonly #nowMs: () => number;
  #state: CardState = card.noCards();
  #baseUrl = '';
  #file: string | undefined;
  /** What the call under way made happen. */
  #news: ProcessorEvent[] = [];
  #slow: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.deliveries = new Deliveries(nowMs);
  }

  connect({ baseUrl, webhook, file }: CardConnection): void {
    this.#baseUrl = baseUrl;
    this.#file = file;
    this.deliveries.target = webhook;
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    const [answer, told] = this.#change((state) => this.#answered(state, request));
    void this.deliveries.send(told);
    return { ...answer, headers: { ...answer.headers, 'request-id': card.newCardId('req_') } };
  }

  throttle(): SimulatorAnswer {
    return refusal(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' });
  }

  sessions(): CardSession[] {
    const [sessions, told] = this.#change((state) => structuredClone(state.sessions));
    void this.deliveries.send(told);
    return sessions;
  }

  session(id: string): CardSession | undefined {
    return this.sessions().find((one) => one.id === id);
  }

  /** What the checkout page shows. */
  checkout(id: string) {
    const session = this.session(id);
    if (session === undefined) return undefined;
    const names = Object.keys(CARD_ACTIONS) as CardActionName[];
    return {
      session_id: id,
      product: session.productName,
      amount_eur: (session.amountCents / 100).toFixed(2),
      status: session.status,
      payment_status: session.paymentStatus,
      return_url: session.status === 'complete' ? session.successUrl : session.cancelUrl,
      actions: names
        .filter((name) => CARD_ACTIONS[name].isPossible(session))
        .map((action) => ({ action, label: CARD_ACTIONS[action].label })),
    };
  }

  /** Changes a session behind everybody's back, as no processor should. */
  alter(id: string, change: (session: CardSession) => void): void {
    this.#change(({ sessions }) => sessions.filter((one) => one.id === id).forEach(change));
  }

  /** Plays the card holder; resolves when the webhooks went out. */
  async act(id: string, name: CardActionName): Promise<'done' | 'unknown' | 'impossible'> {
    const action: CardAction = CARD_ACTIONS[name];
    const [outcome, told] = this.#change((state) => {
      const session = state.sessions.find((one) => one.id === id);
      if (session === undefined) return 'unknown';
      if (!action.isPossible(session)) return 'impossible';
      action.run(session, this.#desk(state));
      return 'done';
    });
    await this.deliveries.send(told, action.webhooks);
    return outcome;
  }

  /** The bank sends a refund back. */
  async failRefund(id: string): Promise<void> {
    const [, told] = this.#change((state) => {
      const refund = state.refunds.find((one) => one.id === id);
      if (refund === undefined) return;
      refund.status = 'failed';
      const session = state.sessions.find((one) => one.paymentIntent === refund.paymentIntent);
      if (session !== undefined) session.refundedCents -= refund.amountCents;
      this.#tell(state, 'refund.failed', card.wireRefund(refund));
    });
    await this.deliveries.send(told);
  }

  events(): readonly ProcessorEvent[] {
    return this.#change(({ events }) => [...events])[0];
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#slow);
    this.deliveries[Symbol.dispose]();
  }

  /** One change at a time, on what is stored: several processes may share the file. */
  #change<T>(work: (state: CardState) => T): readonly [T, readonly ProcessorEvent[]] {
    this.#load();
    const before = JSON.stringify(this.#state);
    this.#news = [];
    this.#passTime(this.#state);
    const result = work(this.#state);
    this.#state = card.trimmed(this.#state);
    this.#wakeForSlow();
    const after = JSON.stringify(this.#state);
    if (after !== before) this.#save(after);
    return [result, this.#news];
  }

  #load(): void {
    if (this.#file !== undefined && existsSync(this.#file)) {
      this.#state = JSON.parse(readFileSync(this.#file, 'utf8')) as CardState;
    }
  }

  /** With a disk that takes nothing it goes on from memory. */
  #save(text: string): void {
    if (this.#file === undefined) return;
    try {
      writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      this.#file = undefined;
    }
  }

  /** Slow methods pay and old sessions expire by themselves. */
  #passTime(state: CardState): void {
    const nowMs = this.#nowMs();
    for (const session of state.sessions) {
      if (session.paysAtMs !== null && session.paysAtMs <= nowMs) {
        Object.assign(session, { paysAtMs: null, paymentStatus: 'paid' });
        this.#tell(state, 'checkout.session.async_payment_succeeded', card.wireSession(session));
      }
      if (session.status === 'open' && session.expiresS * 1_000 <= nowMs) {
        session.status = 'expired';
        this.#tell(state, 'checkout.session.expired', card.wireSession(session));
      }
    }
  }

  #wakeForSlow(): void {
    clearTimeout(this.#slow);
    const times = this.#state.sessions.flatMap(({ paysAtMs }) => (paysAtMs === null ? [] : [paysAtMs]));
    if (times.length === 0) return;
    const inMs = Math.max(50, Math.min(...times) - this.#nowMs());
    this.#slow = setTimeout(() => void this.deliveries.send(this.#change(() => {})[1]), inMs).unref();
  }

  #tell(state: CardState, type: string, object: object): void {
    const event = { id: card.newCardId('evt_'), type, created: Math.floor(this.#nowMs() / 1_000), object };
    state.events.push(event);
    this.#news.push(event);
  }

  #desk(state: CardState): CardDesk {
    const tellDispute = (type: string, session: CardSession) => {
      if (session.dispute !== null) this.#tell(state, type, card.wireDispute(session, session.dispute));
    };
    return {
      nowMs: this.#nowMs(),
      tell: (type, session) => this.#tell(state, type, card.wireSession(session)),
      tellDispute,
      complete: (session) => {
        Object.assign(session, { status: 'complete', paymentIntent: card.newCardId('pi_') });
        this.#tell(state, 'checkout.session.completed', card.wireSession(session));
      },
      refund: (session, amountCents) => void this.#refunded(state, session, amountCents),
      openDispute: (session) => {
        session.dispute = { id: card.newCardId('du_'), amountCents: session.amountCents, status: 'needs_response' };
        tellDispute('charge.dispute.created', session);
        tellDispute('charge.dispute.funds_withdrawn', session);
      },
    };
  }

  #refunded(state: CardState, session: CardSession, amountCents: number): CardRefund {
    const createdS = Math.floor(this.#nowMs() / 1_000);
    const paymentIntent = session.paymentIntent ?? '';
    const refund: CardRefund = { id: card.newCardId('re_'), createdS, paymentIntent, amountCents, status: 'succeeded' };
    state.refunds.push(refund);
    session.refundedCents += amountCents;
    this.#tell(state, 'refund.created', card.wireRefund(refund));
    this.#tell(state, 'charge.refunded', card.wireCharge(session));
    return refund;
  }

  #answered(state: CardState, request: SimulatorRequest): SimulatorAnswer {
    const { method, path, header, body } = request;
    if (!/^Bearer sk_test_\w+$/.test(header('authorization') ?? '')) {
      return refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
    }
    const route = this.#routes.find(([verb, pattern]) => verb === method && pattern.test(path));
    if (route === undefined)
      return refusal(404, { type: 'invalid_request_error', message: 'Unrecognized request URL' });
    const run = () => route[2](state, request, route[1].exec(path)?.[1] ?? '');
    const key = header('idempotency-key');
    if (method !== 'POST' || key === undefined) return run();
    const bodySha256 = sha256Hex(`${path}\n${body}`);
    const before = state.answers.find((one) => one.key === key);
    if (before === undefined) {
      const answer = run();
      state.answers.push({ key, bodySha256, status: answer.status, body: String(answer.body) });
      return answer;
    }
    if (before.bodySha256 === bodySha256) {
      return jsonAnswer(before.status, JSON.parse(before.body), { 'idempotent-replayed': 'true' });
    }
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
    return refusal(400, { type: 'idempotency_error', message });
  }

  readonly #routes: readonly Route[] = [
    ['POST', /^\/checkout\/sessions$/, (state, { body }) => this.#open(state, new URLSearchParams(body))],
    [
      'GET',
      /^\/checkout\/sessions\/([^/]+)$/,
      ({ sessions }, _request, id) => {
        const found = sessions.find((session) => session.id === id);
        return found === undefined ? missing('checkout.session') : jsonAnswer(200, card.wireSession(found));
      },
    ],
    [
      'GET',
      /^\/checkout\/sessions$/,
      ({ sessions }, { query }) => {
        const ofIntent = sessions.filter((session) => session.paymentIntent === query.get('payment_intent'));
        return page(ofIntent.map(card.wireSession), query);
      },
    ],
    [
      'GET',
      /^\/events$/,
      ({ events }, { query }) => {
        const types = [...query].flatMap(([name, value]) => (/^types?(\[\d+\])?$/.test(name) ? [value] : []));
        const sinceS = Number(query.get('created[gte]') ?? '0');
        const found = events.filter(
          ({ type, created }) => created >= sinceS && (types[0] === undefined || types.includes(type)),
        );
        return page(found.map(card.wireEvent), query);
      },
    ],
    [
      'POST',
      /^\/refunds$/,
      (state, { body }) => {
        const fields = new URLSearchParams(body);
        const session = state.sessions.find((one) => one.paymentIntent === fields.get('payment_intent'));
        if (session?.paymentStatus !== 'paid') return missing('payment_intent');
        const left = session.amountCents - session.refundedCents;
        const amountCents = Number(fields.get('amount') ?? left);
        if (!(Number.isSafeInteger(amountCents) && amountCents > 0 && amountCents <= left)) return wrong('amount');
        return jsonAnswer(200, card.wireRefund(this.#refunded(state, session, amountCents)));
      },
    ],
    [
      'GET',
      /^\/refunds$/,
      ({ refunds }, { query }) => {
        const intent = query.get('payment_intent');
        const found = refunds.filter(({ paymentIntent }) => intent === null || paymentIntent === intent);
        return page(found.map(card.wireRefund), query);
      },
    ],
  ];

  #open(state: CardState, fields: URLSearchParams): SimulatorAnswer {
    const required = ['mode', 'success_url', `${PRICE}[currency]`, `${PRICE}[product_data][name]`];
    const lacking = required.find((name) => !fields.get(name));
    if (lacking !== undefined) return wrong(lacking);
    const amountCents = Number(fields.get(`${PRICE}[unit_amount]`)) * Number(fields.get('line_items[0][quantity]'));
    if (!(Number.isSafeInteger(amountCents) && amountCents > 0)) return wrong(`${PRICE}[unit_amount]`);
    const id = card.newCardId('cs_test_');
    const createdS = Math.floor(this.#nowMs() / 1_000);
    const metadata = [...fields].flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value] as const];
    });
    const session: CardSession = {
      id,
      createdS,
      expiresS: createdS + SESSION_S,
      amountCents,
      currency: fields.get(`${PRICE}[currency]`) ?? '',
      productName: fields.get(`${PRICE}[product_data][name]`) ?? '',
      clientReferenceId: fields.get('client_reference_id'),
      metadata: Object.fromEntries(metadata),
      successUrl: (fields.get('success_url') ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id),
      cancelUrl: fields.get('cancel_url') ?? '',
      url: `${this.#baseUrl}/sandbox/checkout/${id}`,
      status: 'open',
      paymentStatus: 'unpaid',
      paymentIntent: null,
      paysAtMs: null,
      refundedCents: 0,
      dispute: null,
    };
    state.sessions.push(session);
    return jsonAnswer(200, card.wireSession(session));
  }
}

/** Newest first, as the real one lists. */
function page(items: readonly object[], query: URLSearchParams): SimulatorAnswer {
  const newest = items.toReversed() as { id: string }[];
  const from = newest.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const size = Math.min(MAX_PAGE, Number(query.get('limit') ?? '10'));
  const data = newest.slice(from, from + size);
  return jsonAnswer(200, { object: 'list', url: '/v1', has_more: newest.length > from + size, data });
}

function refusal(status: number, error: Record<string, string>): SimulatorAnswer {
  return jsonAnswer(status, { error });
}

function missing(what: string): SimulatorAnswer {
  return refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` });
}

function wrong(param: string): SimulatorAnswer {
  return refusal(400, { type: 'invalid_request_error', param, message: `Missing or wrong parameter: ${param}` });
}
