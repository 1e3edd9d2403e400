import type { z } from 'zod';
import { type Clock, HOUR_MS, isoTime } from '#kernel/clock.ts';
import { idempotencyConflict } from '#kernel/idempotency.ts';
import { newToken, sha256Hex } from '#kernel/ids.ts';
import { type Place, placeCells } from '#kernel/newest-first.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Authenticate } from '#platform/ledger/caller.ts';
import { ledgerHalted } from '#platform/ledger/problems.ts';
import { readWallet } from '#platform/ledger/queries.ts';
import { formatEur, walletOf } from '#platform/ledger/steps.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Store } from '#platform/storage/store.ts';
import { ProcessorError, type StripeProcessor } from '../outside/stripe.ts';
import type { getTopUp, stripeWebhook, topUpReturn, topUpWallet } from './topup-operations.ts';
import * as problems from '../problems.ts';
import { AGENT_OF_ID } from '../sql.ts';
import { nextPollAt } from './topup-decide.ts';
import { NotSettled, TopUpSettlement } from './topup-settlement.ts';
import * as sql from './topup-sql.ts';
import { TIERS } from './tiers.ts';
import type { CardOutcome, Tier, TopUp } from './topup-state.ts';
import { type TopUpResult, topUps } from './topup-unit.ts';

export interface TopUpsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  /** Who calls; the second one also knows agents that are suspended. */
  readonly callers: { readonly authenticate: Authenticate; readonly recognise: Authenticate };
  /** Null where cards are switched off. */
  readonly processor: StripeProcessor | null;
  /** Why there is no processor, where it is not the settings' wish. */
  readonly notInstalled?: Refusal | undefined;
  readonly baseUrl: () => string;
  /** The email address of who is signed in, if anybody is. */
  readonly visitorOf: (call: Call) => Promise<string | null>;
  /** How many times longer than usual others may take. */
  readonly patience?: number;
  readonly warn: (message: string, fields: Readonly<Record<string, string>>) => void;
}

type Row = { readonly input: z.ZodType; readonly output: z.ZodType };
type In<R extends Row> = z.output<R['input']>;
type Out<R extends Row> = z.output<R['output']>;

const CENTS_PER_EUR = 100;
const RETRY_AFTER_S = 5;
const PATIENCE_MS = 3_000;
/** The processor is not asked about the same top-up more often. */
const ASK_EVERY_MS = 1_000;
/** Without a session nobody can pay: such a top-up is over after an hour. */
const UNOPENED_MS = HOUR_MS;

/** Top-ups of wallets: what callers ask for, and what background work keeps moving. */
export class TopUps {
  readonly #options: TopUpsOptions;
  readonly #cards: { readonly processor: StripeProcessor; readonly settlement: TopUpSettlement } | null;
  readonly #asked = new Map<string, { readonly atMs: number; readonly answer: Promise<unknown> }>();

  constructor(options: TopUpsOptions) {
    this.#options = options;
    const { processor, store, clock, warn } = options;
    this.#cards = processor && { processor, settlement: new TopUpSettlement({ store, clock, processor, warn }) };
  }

  async create(input: In<typeof topUpWallet>): Promise<Answer<Out<typeof topUpWallet>> | Refusal> {
    const caller = await this.#options.callers.authenticate(input.agent_key);
    if (caller instanceof Refusal) return caller;
    if (this.#cards === null) return this.#options.notInstalled ?? notConfigured();
    const given = this.#fresh(caller.agentId, input.tier, input.idempotency_key);
    const [opened] = await this.#options.store.runAll([topUps.open(given)]);
    if (opened?.type !== 'topup')
      return new Refusal(problems.tooManyTopUps, {
        detail: 'Ten top-ups are open. Complete one or let it expire first. Nothing was created.',
      });
    const { topUp, isNew } = opened;
    if (topUp.tier !== input.tier) {
      return new Refusal(idempotencyConflict, {
        detail: `This Idempotency-Key belongs to a top-up of tier ${topUp.tier}. Use a new key. Nothing was created.`,
      });
    }
    const { id, status } = topUp;
    const fault = status === 'created' ? await this.#openCheckout(topUp) : undefined;
    if (fault !== undefined) return fault;
    return new Answer(201, view(await this.#read(id)), undefined, !isNew);
  }

  async read({ agent_key, topup_id }: In<typeof getTopUp>): Promise<Out<typeof getTopUp> | Refusal> {
    const caller = await this.#options.callers.recognise(agent_key);
    if (caller instanceof Refusal) return caller;
    const topUp = await this.#find(topup_id);
    if (topUp?.agentId !== caller.agentId) return notFound();
    await this.#refresh(topUp);
    return view(await this.#read(topUp.id));
  }

  /** The page after the checkout, which anybody may open. */
  async returned(
    { topup_id, session_id }: In<typeof topUpReturn>,
    call: Call,
  ): Promise<Out<typeof topUpReturn> | Refusal> {
    const topUp = await this.#find(topup_id);
    if (topUp === undefined) return notFound();
    await this.#refresh(topUp, session_id);
    const { tier, price_eur, status, livemode, checkout_url } = view(await this.#read(topUp.id));
    const shown = { topup_id, tier, price_eur, status, livemode };
    const available = await this.#availableTo(call, topUp.agentId);
    return available === undefined ? shown : { ...shown, available_eur: available, checkout_url };
  }

  /** The balance of a wallet, for nobody but its owner. */
  async #availableTo(call: Call, agentId: string): Promise<string | undefined> {
    const { store, visitorOf } = this.#options;
    const email = await visitorOf(call);
    const [agent] = email === null ? [] : await store.read(AGENT_OF_ID, [agentId]);
    if (agent?.ownerEmail !== email || email === null) return undefined;
    const { postedMicro, heldMicro } = await readWallet(store, agentId);
    return formatEur(postedMicro - heldMicro);
  }

  async webhook({ event: body, signature }: In<typeof stripeWebhook>): Promise<Out<typeof stripeWebhook> | Refusal> {
    if (this.#cards === null) return this.#options.notInstalled ?? notConfigured();
    const { processor, settlement } = this.#cards;
    const event = await processor.event(Buffer.from(body, 'latin1'), signature ?? '');
    if (event === undefined) {
      return new Refusal(problems.signatureInvalid, {
        detail: 'Stripe-Signature does not match the body, or it is too old. Nothing was stored.',
      });
    }
    try {
      return { received: true, outcome: await settlement.handle(event) };
    } catch (error) {
      const isHalted = error instanceof NotSettled && error.isHalted;
      if (!(error instanceof NotSettled || error instanceof ProcessorError)) throw error;
      const type = isHalted ? ledgerHalted : problems.notSettled;
      return new Refusal(type, { detail: error.message, retryAfterSeconds: RETRY_AFTER_S });
    }
  }

  /** The open top-ups of a wallet, after the processor was asked about them. */
  async openOf(agentId: string): Promise<{ topup_id: string; status: string; checkout_url: string | null }[]> {
    const open = await this.#open(agentId);
    return open.map(view).map(({ topup_id, status, checkout_url }) => ({ topup_id, status, checkout_url }));
  }

  /** Those that somebody may still pay; of one that is past its end the processor had no news. */
  async payableOf(agentId: string): Promise<{ topup_id: string }[]> {
    const open = await this.#open(agentId);
    const nowMs = this.#options.clock.now();
    return open
      .filter(({ createdAtMs, expiresAtMs }) => (expiresAtMs ?? createdAtMs + UNOPENED_MS) > nowMs)
      .map(({ id }) => ({ topup_id: id }));
  }

  /** The newest top-ups of a wallet, after the processor was asked about those that are open. */
  async newestOf(agentId: string, limit: number, before?: Place): Promise<Out<typeof getTopUp>[]> {
    if (before === undefined) await this.#open(agentId);
    const cells = [agentId, ...placeCells(before), limit];
    return (await this.#options.store.read(sql.LATEST_TOPUPS_OF_AGENT, cells)).map(view);
  }

  /** Top-ups that a person must look at, oldest first. */
  inReview(limit: number): Promise<readonly TopUp[]> {
    return this.#options.store.read(sql.TOPUPS_IN_REVIEW, [limit]);
  }

  /** Asks about a top-up that is due; what cannot be learned is asked again at the next time. */
  async poll(due: TopUp): Promise<void> {
    if (this.#cards === null) return;
    const { sessionId } = due;
    const nowMs = this.#options.clock.now();
    if (sessionId === null) return this.#keep(due, { ...due, status: 'expired', nextPollAtMs: null });
    try {
      await this.#settle(sessionId);
    } catch (error) {
      this.#options.warn('top-up lookup failed', { topup_id: due.id, cause: (error as Error).message });
      const nextPollAtMs = nextPollAt(due.openedAtMs ?? nowMs, due.expiresAtMs ?? nowMs, nowMs);
      await this.#keep(due, { ...due, nextPollAtMs });
    }
  }

  /** Settles what happened since the newest event that is known; what was lost on the way is found here. */
  async sweepEvents(overlapMs: number): Promise<void> {
    if (this.#cards === null) return;
    const { store, clock, warn } = this.#options;
    const [newest, oldest] = await Promise.all([store.read(sql.SELECT_LATEST_EVENT), store.read(sql.OLDEST_TOPUP)]);
    const sinceMs = onlyOne(newest).createdAtMs ?? onlyOne(oldest).createdAtMs;
    if (sinceMs === null) return;
    for (const event of await this.#cards.processor.eventsSince(sinceMs - overlapMs)) {
      const failed = ({ message }: Error) => warn('card event not processed', { event: event.id, cause: message });
      await this.#cards.settlement.handle(event).catch(failed);
    }
    await store.runAll([topUps.forget(clock.now())]);
  }

  due(nowMs: number): Promise<readonly TopUp[]> {
    return this.#options.store.read(sql.TOPUPS_DUE, [nowMs]);
  }

  #fresh(agentId: string, tier: Tier, key: string | undefined): TopUp {
    const createdAtMs = this.#options.clock.now();
    const name = sha256Hex(`${walletOf(agentId)}\n${key ?? newToken()}`);
    return {
      id: `tu_${name.slice(0, 20)}`,
      agentId,
      tier,
      priceCents: priceCentsOf(tier),
      status: 'created',
      sessionId: null,
      paymentIntent: null,
      checkoutUrl: null,
      isLive: null,
      createdAtMs,
      openedAtMs: null,
      expiresAtMs: null,
      nextPollAtMs: createdAtMs + UNOPENED_MS,
      creditedAtMs: null,
      txId: null,
      review: null,
      version: 1,
    };
  }

  async #open(agentId: string): Promise<readonly TopUp[]> {
    const open = () => this.#options.store.read(sql.OPEN_TOPUPS_OF_AGENT, [agentId]);
    const before = await open();
    if (before.length === 0) return [];
    await Promise.all(before.map((topUp) => this.#refresh(topUp)));
    return open();
  }

  async #openCheckout(topUp: TopUp): Promise<Refusal | undefined> {
    if (this.#cards === null) return this.#options.notInstalled ?? notConfigured();
    const { processor, settlement } = this.#cards;
    const page = `${this.#options.baseUrl()}/wallet/topups/${topUp.id}`;
    try {
      const urls = { success: `${page}?session_id={CHECKOUT_SESSION_ID}`, cancel: page };
      await settlement.settle(await processor.open(topUp, urls));
      return undefined;
    } catch (error) {
      if (!(error instanceof ProcessorError || error instanceof NotSettled)) throw error;
      this.#options.warn('checkout creation failed', { topup_id: topUp.id, cause: error.message });
      return new Refusal(problems.processorUnavailable, {
        detail:
          'The card processor did not return a usable response. Retry with the same Idempotency-Key to continue this top-up. Nothing was charged.',
        members: { topup_id: topUp.id },
      });
    }
  }

  /** Has the processor asked about an open top-up, once for all who wait, and not for longer than a reader can. */
  async #refresh(topUp: TopUp, givenSession?: string): Promise<void> {
    const { id, status, sessionId } = topUp;
    const session = sessionId ?? givenSession;
    if (session === undefined || status === 'credited' || status === 'review') return;
    const nowMs = this.#options.clock.now();
    for (const [key, { atMs }] of this.#asked) if (nowMs - atMs >= ASK_EVERY_MS) this.#asked.delete(key);
    const warn = (error: Error) => this.#options.warn('top-up lookup failed', { topup_id: id, cause: error.message });
    const answer = this.#asked.get(id)?.answer ?? this.#settle(session).catch(warn);
    if (!this.#asked.has(id)) this.#asked.set(id, { atMs: nowMs, answer });
    await Promise.race([answer, delay((this.#options.patience ?? 1) * PATIENCE_MS)]);
  }

  async #settle(sessionId: string): Promise<CardOutcome | undefined> {
    return this.#cards?.settlement.settle(await this.#cards.processor.session(sessionId));
  }

  async #keep(before: TopUp, topUp: TopUp): Promise<void> {
    const isStopped = (result: unknown) => (result as TopUpResult).type === 'changed';
    await this.#options.store.runAll([topUps.expect({ topUp: before }), topUps.put({ topUp })], isStopped);
  }

  async #find(id: string): Promise<TopUp | undefined> {
    return (await this.#options.store.read(sql.TOPUP_OF_ID, [id]))[0];
  }

  async #read(id: string): Promise<TopUp> {
    return (await this.#find(id)) as TopUp;
  }
}

function view(topUp: TopUp): Out<typeof getTopUp> {
  const { id, tier, priceCents, status, isLive, createdAtMs, expiresAtMs, creditedAtMs, txId, review } = topUp;
  const eur = priceCents / CENTS_PER_EUR;
  return {
    topup_id: id,
    tier,
    price_eur: eur,
    credit_eur: eur,
    checkout_url: status === 'open' ? topUp.checkoutUrl : null,
    expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
    status,
    poll: `/api/agents/wallet/topup/${id}`,
    livemode: isLive,
    created_at: isoTime(createdAtMs),
    credited_at: creditedAtMs === null ? null : isoTime(creditedAtMs),
    tx_id: txId,
    review,
  };
}

function priceCentsOf(tier: Tier): number {
  return (TIERS.find((one) => one.tier === tier) as (typeof TIERS)[number]).price_eur * CENTS_PER_EUR;
}

function notFound(): Refusal {
  return new Refusal(problems.topUpNotFound, { detail: 'This wallet has no top-up with this id.' });
}

function notConfigured(): Refusal {
  return new Refusal(problems.paymentsNotConfigured, {
    detail: 'This installation does not accept card payments. Nothing was charged.',
    retryAfterSeconds: 3_600,
  });
}

function delay(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}
