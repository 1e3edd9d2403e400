import type { Clock } from '#kernel/clock.ts';
import { newId, sha256Hex } from '#kernel/ids.ts';
import { isRefused, ledger, type LedgerResult, receivableOf, walletOf } from '#platform/ledger/steps.ts';
import type { Step, Store } from '#platform/storage/store.ts';
import { isErased } from '../agents/agent.ts';
import type { AgentDeed } from '../decide.ts';
import type { StripeProcessor } from '../outside/stripe.ts';
import { AGENT_OF_ID, KEYS_OF_AGENT } from '../sql.ts';
import { agentStep } from '../unit.ts';
import { decideDispute, decideSession, isFrozenBy } from './topup-decide.ts';
import * as sql from './topup-sql.ts';
import type { CardEvent, CardOutcome, CheckoutSession, Dispute, DisputeNews, TopUp } from './topup-state.ts';
import { stampOf, type TopUpResult, topUps } from './topup-unit.ts';

type AgentResult = AgentDeed[1];

/** What cannot be settled now but may be later: the one who told of it must tell again. */
export class NotSettled extends Error {
  override readonly name = 'NotSettled';
  readonly isHalted: boolean;

  constructor(message: string, isHalted = false) {
    super(message);
    this.isHalted = isHalted;
  }
}

export interface TopUpSettlementOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly processor: StripeProcessor;
  readonly warn: (message: string, fields: Readonly<Record<string, string>>) => void;
}

const MAX_ATTEMPTS = 20;
const MICRO_PER_CENT = 10_000;

/** The one way from what the processor says to what the ledger holds; any part of it may be run again at any time. */
export class TopUpSettlement {
  readonly #options: TopUpSettlementOptions;

  constructor(options: TopUpSettlementOptions) {
    this.#options = options;
  }

  /** Every webhook and every listed event comes here; one that was settled before changes nothing. */
  handle(event: CardEvent): Promise<CardOutcome> {
    switch (event.about) {
      case 'session':
        return this.settle(event.session, event);
      case 'refund':
        return this.#ofPayment(event, event.paymentIntent, (topUp) => this.#refunds(topUp, event));
      case 'dispute':
        return this.#ofPayment(event, event.dispute.paymentIntent, (topUp) => this.#dispute(topUp, event.dispute));
      case 'nothing':
        return Promise.resolve('ignored');
    }
  }

  /** Credits a paid session once, whoever tells of it: webhook, poll, return page or a reader of the wallet. */
  async settle(
    session: CheckoutSession,
    event: (CardEvent & { about: 'session' }) | null = null,
  ): Promise<CardOutcome> {
    return this.#repeated(async () => {
      const given = await this.#topUpOfSession(session);
      if (given === undefined) return this.#unknown(event, session.id);
      const isAgentErased = await this.#isErased(given.agentId);
      const facts = { hasFailed: event?.hasFailed, isAgentErased };
      const verdict = decideSession(given, session, this.#options.clock.now(), facts);
      const txId = newId('tx_');
      const topUp = verdict.isCredit ? { ...verdict.topUp, txId } : verdict.topUp;
      if (event === null && JSON.stringify(topUp) === JSON.stringify(given)) return verdict.outcome;
      const stopped = await this.#run([
        topUps.expect({ topUp: given, eventId: event?.id ?? null }),
        ...(verdict.isCredit
          ? [agentStep({ type: 'expect_kept', agentId: topUp.agentId }), credit(topUp, session, txId)]
          : []),
        topUps.put({ topUp, event: event && { ...event, outcome: verdict.outcome, topUpId: topUp.id } }),
      ]);
      if (stopped === undefined && topUp.status === 'review' && given.status !== 'review') {
        this.#options.warn('top-up needs review', { topup_id: topUp.id, reason: topUp.review ?? '' });
      }
      return stopped ?? verdict.outcome;
    });
  }

  async #topUpOfSession({ id, topUpId }: CheckoutSession): Promise<TopUp | undefined> {
    const found = await this.#options.store.read(sql.TOPUPS_OF_SESSION, [id, topUpId ?? '']);
    return found.find(({ sessionId }) => sessionId === id) ?? found[0];
  }

  async #isErased(agentId: string): Promise<boolean> {
    const { store } = this.#options;
    const [[agent], keys] = await Promise.all([
      store.read(AGENT_OF_ID, [agentId]),
      store.read(KEYS_OF_AGENT, [agentId]),
    ]);
    return isErased(agent, keys);
  }

  /** Refunds and disputes follow the credit of their payment: it is settled first. */
  async #ofPayment(
    event: CardEvent,
    paymentIntent: string | null,
    work: (topUp: TopUp) => Promise<Work>,
  ): Promise<CardOutcome> {
    return this.#repeated(async () => {
      const topUp = paymentIntent === null ? undefined : await this.#creditedBy(paymentIntent);
      if (topUp === undefined) return this.#unknown(event, paymentIntent ?? '');
      const isInReview = topUp.status === 'review';
      if (!isInReview && topUp.status !== 'credited')
        throw new NotSettled('The payment is not settled yet. Send the event again later.');
      const outcome = isInReview ? 'review' : 'applied';
      const { steps, dispute = null, stamp } = isInReview ? { steps: [] } : await work(topUp);
      const stopped = await this.#run([
        topUps.expect({ topUp, eventId: event.id, ...(stamp !== undefined && { disputes: stamp }) }),
        ...steps,
        topUps.put({ topUp, dispute, event: { ...event, outcome, topUpId: topUp.id } }),
      ]);
      return stopped ?? outcome;
    });
  }

  async #creditedBy(paymentIntent: string): Promise<TopUp | undefined> {
    const { store, processor } = this.#options;
    const find = async () => (await store.read(sql.TOPUP_OF_PAYMENT, [paymentIntent]))[0];
    const found = await find();
    if (found?.status === 'credited' || found?.status === 'review') return found;
    const session = await processor.sessionOfPayment(paymentIntent);
    if (session !== undefined) await this.settle(session);
    return find();
  }

  /** What was refunded is asked for: the event only says that something changed. */
  async #refunds({ agentId, paymentIntent }: TopUp, { refundId }: CardEvent & { about: 'refund' }): Promise<Work> {
    const refunds = await this.#options.processor.refundsOf(paymentIntent ?? '');
    if (refundId !== null && !refunds.some(({ id }) => id === refundId))
      throw new NotSettled('The card processor does not list the refund yet. Send the event again later.');
    const taking = refunds.filter(({ amountCents }) => amountCents > 0);
    const steps = taking.flatMap(({ id, amountCents, hasFailed }) => {
      const amountMicro = amountCents * MICRO_PER_CENT;
      const legs = [
        { account: walletOf(agentId), amountMicro, restTo: receivableOf(agentId) },
        { account: 'psp:stripe', amountMicro: -amountMicro },
      ];
      // Named by the refund, so that whoever undoes it later knows what to undo.
      const txId = newId('tx_', (count) => Buffer.from(sha256Hex(`refund:${id}`), 'hex').subarray(0, count));
      const taken = ledger.post({ txId, kind: 'refund', idem: `refund:${id}`, ref: id, legs });
      const back = { txId: newId('tx_'), of: txId, idem: `refundfail:${id}`, kind: 'refund_failed' };
      return hasFailed ? [taken, ledger.reverse(back)] : [taken];
    });
    return { steps };
  }

  async #dispute({ id: topUpId, agentId }: TopUp, { id, amountCents, fact }: DisputeNews): Promise<Work> {
    const all = await this.#options.store.read(sql.DISPUTES_OF_AGENT, [agentId]);
    const [txId, holdId] = [newId('tx_'), newId('hold_')];
    const nothingYet = { withdrawnTx: null, isReinstated: false, closed: null, version: 0 };
    const fresh: Dispute = { id, topUpId, agentId, amountCents, holdId, ...nothingYet };
    const before = all.find((one) => one.id === id);
    const { dispute, ...plan } = decideDispute(before, { fresh, txId, fact });
    const amountMicro = dispute.amountCents * MICRO_PER_CENT;
    const legs = [
      { account: walletOf(agentId), amountMicro, restTo: 'expense:chargeback' },
      { account: 'psp:stripe', amountMicro: -amountMicro },
    ];
    const hold = { holdId, agentId, amountMicro, idem: `disp:${id}`, ref: id, lifeMs: null, upTo: true } as const;
    const back = { txId: newId('tx_'), of: dispute.withdrawnTx ?? '', idem: `dispr:${id}`, kind: 'dispute_reinstated' };
    const frozen = isFrozenBy([...all.filter((one) => one.id !== id), dispute]);
    const steps = [
      ...(plan.isHeld ? [ledger.hold(hold)] : []),
      ...(plan.isReleased ? [ledger.release({ holdId: dispute.holdId })] : []),
      ...(plan.isWithdrawn ? [ledger.post({ txId, kind: 'dispute', idem: `dispw:${id}`, ref: id, legs })] : []),
      ...(plan.isReinstated ? [ledger.reverse(back)] : []),
      ...(plan.isBeginOrEnd ? [ledger.freeze({ agentId, frozen })] : []),
    ];
    return { steps, dispute, stamp: stampOf(all) };
  }

  /** Undefined when all was done; throws when the ledger does not move money. */
  async #run(steps: readonly Step[]): Promise<'duplicate_event' | 'changed' | undefined> {
    const results = (await this.#options.store.runAll(steps, stops)) as (TopUpResult | LedgerResult | AgentResult)[];
    const last = results.at(-1);
    if (last === undefined || !stops(last)) return undefined;
    if (last.type === 'event_known') return 'duplicate_event';
    if (last.type === 'changed') return 'changed';
    if (last.type === 'refused' && last.code === 'agent_erased') return 'changed';
    if (last.type === 'refused' && last.code === 'ledger_halted')
      throw new NotSettled('Ledger payments are paused. Send the event again later.', true);
    throw new Error(`the ledger refused a settlement: ${JSON.stringify(last)}`);
  }

  /** Looks again when somebody else was quicker. */
  async #repeated(attempt: () => Promise<CardOutcome | 'changed'>): Promise<CardOutcome> {
    for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
      const outcome = await attempt();
      if (outcome !== 'changed') return outcome;
    }
    throw new NotSettled('Another process is settling the same payment. Send the event again later.');
  }

  async #unknown(event: CardEvent | null, reference: string): Promise<CardOutcome> {
    this.#options.warn('unknown card payment', { reference });
    if (event !== null) {
      await this.#options.store.runAll([topUps.see({ ...event, outcome: 'unknown_session', topUpId: null })]);
    }
    return 'unknown_session';
  }
}

interface Work {
  readonly steps: readonly Step[];
  readonly dispute?: Dispute;
  /** Of all disputes of the agent, when they were looked at. */
  readonly stamp?: number;
}

/** What the agent owes is paid first. */
function credit({ agentId, priceCents }: TopUp, { id }: CheckoutSession, txId: string): Step {
  const amountMicro = priceCents * MICRO_PER_CENT;
  const legs = [
    { account: 'psp:stripe', amountMicro },
    { account: receivableOf(agentId), amountMicro: -amountMicro, restTo: walletOf(agentId) },
  ];
  return ledger.post({ txId, kind: 'topup', idem: `topup:${id}`, ref: id, legs });
}

/** An empty wallet had nothing to hold, and so there is nothing to release. */
function stops(result: unknown): boolean {
  const { type, code } = result as { type: string; code?: string };
  return type === 'changed' || type === 'event_known' || (isRefused(result) && code !== 'hold_unknown');
}
