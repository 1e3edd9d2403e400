import { refuseFields } from '#kernel/general-problems.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Clock } from '#kernel/clock.ts';
import { newCommandId, sha256Hex } from '#kernel/ids.ts';
import { type ListAsked, newestIn, type Place, placeCells } from '#kernel/newest-first.ts';
import { Answer } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { Turns } from '#kernel/turns.ts';
import { answerAgain, type AnsweredBefore, answers, isAnswered } from '#platform/ledger/answers.ts';
import { type Authenticate, refuseFunds } from '#platform/ledger/caller.ts';
import { isRefused } from '#platform/ledger/steps.ts';
import { PUBLISHED_RULES } from '#platform/usage-rules/hard-rules.ts';
import { refuseTexts, type TextPolicy } from '#platform/usage-rules/text-policy.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import type { SignReceipt } from '../bom/calculations.ts';
import { linesDigest, type Order, ORDER_MOVES, type OrderState, OUTCOME_STATES } from './order.ts';
import type { CreateOrderInput, MoveInput, OrderView } from './order-operations.ts';
import { draftedOrder } from './order-draft.ts';
import { entropyOf, isStopped, moveSteps } from './order-moves.ts';
import type { MandatePort, SupplierChannel } from './order-ports.ts';
import type { OrderQuote, QuoteInput, Quotes } from './order-quote.ts';
import { cancellation, requestForQuotation, type SupplierMail } from './order-rfq.ts';
import { isNotMoved, movedOrder, type NotMoved, orderUnit } from './order-unit.ts';
import { orderView } from './order-view.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import * as problems from '../problems.ts';
import * as sql from '../sql.ts';

export interface OrdersOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly authenticate: Authenticate;
  /** As `authenticate`, and a suspended agent may still read. */
  readonly recognise: Authenticate;
  readonly quotes: Quotes;
  readonly mandates: MandatePort;
  readonly channels: readonly SupplierChannel[];
  /** Where a request for a quotation is sent; null where the supplier has no address. */
  readonly mailOf: (supplier: string) => string | null;
  /** The step that hands a mail to the outbox. */
  readonly queueMail: (mail: SupplierMail) => Step;
  readonly receipt: SignReceipt;
  readonly rules: TextPolicy;
  readonly serviceName: string;
  readonly sandbox: boolean;
  readonly logFault: (orderId: string, error: unknown) => void;
}

type Ordered = Answer<OrderView> | Refusal;
interface Asked {
  readonly scope: string;
  readonly key: string;
  readonly bodySha256: string;
}

/** How an order is placed: with the answer that is kept, and the step that makes it where it is new. */
interface Placing {
  readonly asked: Asked | null;
  readonly status: number;
  readonly create?: Step;
  /** Calls with the same key are told that this one runs. */
  readonly isBegun?: boolean | undefined;
}

interface Running extends Pick<Placing, 'status' | 'isBegun'> {
  readonly order: Order;
  readonly neededMicro: number;
  readonly to?: OrderState;
}

/** Orders: the service brokers them, seals every state and takes its fee only when the supplier confirms. */
export class Orders {
  readonly #options: OrdersOptions;
  readonly #turns = new Turns();

  constructor(options: OrdersOptions) {
    this.#options = options;
  }

  /** The newest entry of an order in the log, for whoever knows its id; undefined where there is no such order. */
  async newestEntry(id: string): Promise<{ readonly attestationId: string | null } | undefined> {
    const [order] = await this.#options.store.read(sql.HISTORY_OF_ORDER, [id]);
    if (order === undefined) return undefined;
    return { attestationId: order.history.findLast((one) => one.attestation_id !== null)?.attestation_id ?? null };
  }

  /** Whose order it is and where it stands in the list; undefined where there is none. */
  async placeOf(id: string): Promise<(Place & { readonly agentId: string }) | undefined> {
    return (await this.#options.store.read(sql.PLACE_OF_ORDER, [id]))[0];
  }

  /** The newest orders of an agent, each as the agent gets it. */
  async ofAgent(agentId: string, asked: ListAsked): Promise<readonly (Place & { readonly view: OrderView })[]> {
    const { store } = this.#options;
    const cells = [agentId, ...placeCells(asked.before), asked.limit];
    const orders = await newestIn(asked, (state) =>
      state === undefined ? store.read(sql.ORDERS_OF_AGENT, cells) : store.read(sql.ORDERS_IN_STATE, [...cells, state]),
    );
    return orders.map((order) => ({ id: order.id, createdAtMs: order.createdAtMs, view: this.#shown(order) }));
  }

  async hasOpen(agentId: string): Promise<boolean> {
    return (await this.#options.store.read(sql.OPEN_ORDERS_OF_AGENT, [agentId])).length > 0;
  }

  /** Forgets a portion of the addresses of an agent that goes, and says of how many orders. */
  async erasePortion(agentId: string): Promise<number> {
    const { store } = this.#options;
    const orders = await store.read(sql.ADDRESSES_OF_AGENT, [agentId]);
    if (orders.length > 0) await store.runAll(orders.map(({ id }) => step(orderUnit, { type: 'forget', id })));
    return orders.length;
  }

  /** What an order would cost; nothing is made. */
  quote(input: QuoteInput, agentId: string): Promise<OrderQuote | Refusal> {
    return this.#options.quotes.quote(input, agentId);
  }

  async create(input: CreateOrderInput): Promise<Ordered> {
    const { authenticate } = this.#options;
    const caller = await authenticate(input.agent_key);
    if (caller instanceof Refusal) return caller;
    const { agent_key: _agent, header_key: header, idempotency_key: key = header, ...body } = input;
    if (header !== undefined && key !== header) {
      return refuseFields([
        { pointer: '#/idempotency_key', code: 'not_allowed', detail: 'Must equal the Idempotency-Key header.' },
      ]);
    }
    const asked = askedOf(caller.agentId, 'create_order', key, body);
    const before = await this.#answeredBefore(asked, caller.agentId);
    if (before !== undefined) return before;
    const ruleRefusal = await refuseTexts(this.#options.rules, sentTexts(body), PUBLISHED_RULES);
    if (ruleRefusal !== null) return ruleRefusal;
    const quote = await this.quote(body, caller.agentId);
    if (quote instanceof Refusal) return quote;
    const lineRefusal = await this.#lineRefusal(quote);
    if (lineRefusal !== null) return lineRefusal;
    const order = draftedOrder(quote, { body, agentId: caller.agentId }, this.#options);
    const create = step(orderUnit, { type: 'create', order, entropy: entropyOf(this.#options.sandbox) });
    if (body.mode === 'auto') return this.#place(order, { asked, status: 201, create });
    return this.#run([create], asked, { order, status: 201, neededMicro: 0 });
  }

  async place(input: MoveInput): Promise<Ordered> {
    const found = await this.#found(input, 'place_order');
    if (found instanceof Refusal || found instanceof Answer) return found;
    const { asked } = found;
    const order = await this.#expiredIfOver(found.order);
    return order.state === 'quoted' ? this.#place(order, { asked, status: 200 }) : refuseMove(order.state, 'placed');
  }

  async cancel(input: MoveInput): Promise<Ordered> {
    const found = await this.#found(input, 'cancel_order');
    if (found instanceof Refusal || found instanceof Answer) return found;
    const { asked, order } = found;
    if (ORDER_MOVES[order.state].cancelled === undefined) return refuseMove(order.state, 'cancelled');
    const steps = [...moveSteps(order, 'cancelled', this.#options), ...this.#mailSteps(order, cancellation)];
    return this.#run(steps, asked, { order, status: 200, neededMicro: 0, to: 'cancelled' });
  }

  async view({ agent_key, order_id }: Pick<MoveInput, 'agent_key' | 'order_id'>): Promise<OrderView | Refusal> {
    const caller = await this.#options.recognise(agent_key);
    if (caller instanceof Refusal) return caller;
    const order = await this.#order(order_id, caller.agentId);
    return order === undefined ? notFound() : this.#shown(order);
  }

  async list(input: { agent_key?: string | undefined; limit: number; before?: string | undefined }) {
    const { store, recognise } = this.#options;
    const caller = await recognise(input.agent_key);
    if (caller instanceof Refusal) return caller;
    const last = input.before === undefined ? undefined : await this.#order(input.before, caller.agentId);
    if (input.before !== undefined && last === undefined) return notFound();
    const orders = await store.read(sql.ORDERS_OF_AGENT, [caller.agentId, ...placeCells(last), input.limit + 1]);
    const items = orders.slice(0, input.limit).map((order) => this.#shown(order));
    return { items, next_before: orders.length > input.limit ? (items.at(-1)?.order_id ?? null) : null };
  }

  /** Runs a move that nobody waits for; false where the order had gone on meanwhile. */
  async move(order: Order, to: OrderState): Promise<Order | undefined> {
    const results = await this.#options.store.runAll(moveSteps(order, to, this.#options), isStopped);
    return movedOrder(results.at(-1));
  }

  /** Judged a line in a turn: an order may have thousands. */
  async #lineRefusal({ lines }: OrderQuote): Promise<Refusal | null> {
    for (const [index, { mpn, sku }] of lines.entries()) {
      const texts = { [`lines.${index}.mpn`]: mpn ?? undefined, [`lines.${index}.sku`]: sku };
      const refused = await this.#turns.run(() => refuseTexts(this.#options.rules, texts, PUBLISHED_RULES));
      if (refused !== null) return refused;
    }
    return null;
  }

  /** Verified first: what a mandate does not allow leaves neither an order nor a hold. */
  async #place(order: Order, by: Placing): Promise<Ordered> {
    if (order.mandateId === null || by.asked === null) return this.#placeVerified(order, by);
    // A repeated call would be told that the mandate denies it, since the first one was verified.
    const [begun] = await this.#options.store.runAll([answers.begin(by.asked)]);
    if (isAnswered(begun)) return this.#again(begun, order.agentId);
    const placed = await this.#placeVerified(order, { ...by, isBegun: true });
    if (placed instanceof Refusal) await this.#options.store.runAll([answers.abandon(by.asked)]);
    return placed;
  }

  async #placeVerified(order: Order, by: Placing): Promise<Ordered> {
    const verified = await this.#verified(order);
    if (verified instanceof Refusal) return verified;
    const quoted = { ...order, state: 'quoted' as const };
    const { sandbox } = this.#options;
    const facts = { sandbox, ...(verified !== null && { verifyRef: verified }) };
    const [hold, ...rest] = [...moveSteps(quoted, 'placed', facts), ...this.#mailSteps(quoted, requestForQuotation)];
    const check = step(orderUnit, { type: 'check', id: order.id, from: 'quoted', to: 'placed' });
    const steps = by.create === undefined ? [check, hold as Step, ...rest] : [hold as Step, by.create, ...rest];
    const { status, isBegun } = by;
    const placed = await this.#run(steps, by.asked, {
      order,
      status,
      neededMicro: order.feeMicro,
      to: 'placed',
      isBegun,
    });
    // The mandate is told that nothing came of it, so that it counts nothing.
    if (placed instanceof Refusal && verified !== null) {
      await this.#options.mandates.seal(verified, 'failed', { orderId: order.id });
    }
    return placed;
  }

  /** The word to a supplier whom no programme reaches. */
  #mailSteps(order: Order, letter: typeof requestForQuotation): Step[] {
    const { mailOf, queueMail, serviceName } = this.#options;
    const to = order.channel === 'manual' ? mailOf(order.supplier) : null;
    return to === null ? [] : [queueMail(letter(order, to, serviceName))];
  }

  async #verified(order: Order): Promise<string | null | Refusal> {
    const { mandates } = this.#options;
    const { mandateId, goodsMicro, lines, id } = order;
    if (mandateId === null) return null;
    const payloadHash = `sha256:${linesDigest(lines)}`;
    const amountCents = Math.ceil(goodsMicro / 10_000);
    const verified = await mandates.verify({
      mandateId,
      amountCents,
      payloadHash,
      requestId: `${id} ${newCommandId()}`,
    });
    const members = { mandate_id: mandateId, platform_id: mandates.platformId };
    if (verified instanceof Refusal) {
      const detail = 'This installation has no mandate with this id. Nothing was ordered.';
      return new Refusal(problems.mandateDenied, { detail, members: { ...members, reason: verified.type.code } });
    }
    const { ok, verifyRef, reason } = verified;
    if (ok) return verifyRef;
    const detail = `The mandate does not allow this order (${reason}). Nothing was ordered.`;
    return new Refusal(problems.mandateDenied, { detail, members: { ...members, reason, verify_ref: verifyRef } });
  }

  /** One transaction, with the answer's memory where a key was given; then what follows outside. */
  async #run(
    steps: readonly Step[],
    asked: Asked | null,
    { order, status, neededMicro, to, isBegun = false }: Running,
  ): Promise<Ordered> {
    const { store } = this.#options;
    const isNew = asked !== null && !isBegun;
    const remembered = [
      ...(isNew ? [answers.check(asked)] : []),
      ...steps,
      ...(isNew ? [answers.begin(asked)] : []),
      ...(asked === null ? [] : [answers.finish({ ...asked, status, body: { order_id: order.id } })]),
    ];
    const results = await store.runAll(remembered, isStopped);
    const stopped = results.find(isStopped);
    if (isAnswered(stopped)) return this.#again(stopped, order.agentId);
    if (isRefused(stopped)) return refuseFunds(stopped, neededMicro);
    if (isNotMoved(stopped)) return refuseMove((stopped as NotMoved).state, to ?? 'placed');
    const stored = results.map(movedOrder).findLast((one) => one !== undefined) ?? order;
    // What is stored is answered: what it still owes is done by the job that follows orders.
    const after = await this.followUp(stored).catch((error: unknown) => this.#options.logFault(order.id, error));
    return new Answer(status, this.#shown(after ?? stored));
  }

  /** What a committed state still owes: its seal as an outcome of the mandate, and the word to the supplier. */
  async followUp(given: Order): Promise<Order> {
    const { store, mandates, channels, clock } = this.#options;
    let order = given;
    for (const { state, attestation_id, document_sha256 } of order.history) {
      if (attestation_id !== null || order.verifyRef === null || !OUTCOME_STATES.has(state)) continue;
      const sealed = await mandates.seal(order.verifyRef, state, {
        orderId: order.id,
        documentSha256: document_sha256,
      });
      if (sealed instanceof Refusal) continue;
      const { attestationId } = sealed;
      ({ order } = await store.run(orderUnit, { type: 'sealed', id: order.id, state, attestationId }));
    }
    const channel =
      order.channel === 'adapter' ? channels.find(({ supplier }) => supplier === order.supplier) : undefined;
    const isOpen = order.endedAtMs === null && order.state !== 'quoted';
    const isSealed = order.history.every(({ attestation_id }) => attestation_id !== null);
    const ref = order.state === 'placed' && order.supplierRef === null ? await channel?.place(order) : null;
    const isTold = order.state !== 'cancelled' || channel === undefined || (await channel.cancel(order));
    const isAsked = (channel !== undefined && isOpen) || !isSealed || !isTold;
    const asksAtMs = isAsked ? clock.now() + askAgainMs(order, clock.now()) : null;
    if (asksAtMs === order.asksAtMs && !ref) return order;
    const set = { asksAtMs, ...(ref && { supplierRef: ref }) };
    return (await store.run(orderUnit, { type: 'note', id: order.id, set })).order;
  }

  async #found(
    { agent_key, order_id, idempotency_key: key }: MoveInput,
    operation: 'place_order' | 'cancel_order',
  ): Promise<{ order: Order; asked: Asked | null } | Ordered> {
    const { authenticate, recognise } = this.#options;
    // A suspended agent may let go of what it ordered.
    const caller = await (operation === 'cancel_order' ? recognise : authenticate)(agent_key);
    if (caller instanceof Refusal) return caller;
    const asked = askedOf(caller.agentId, operation, key, { order_id });
    const before = await this.#answeredBefore(asked, caller.agentId);
    if (before !== undefined) return before;
    const order = await this.#order(order_id, caller.agentId);
    return order === undefined ? notFound() : { order, asked };
  }

  async #answeredBefore(asked: Asked | null, agentId: string): Promise<Ordered | undefined> {
    if (asked === null) return undefined;
    const [result] = await this.#options.store.runAll([answers.check(asked)]);
    return isAnswered(result) ? this.#again(result, agentId) : undefined;
  }

  /** The same order as it stands now. */
  async #again(result: AnsweredBefore, agentId: string): Promise<Ordered> {
    const answer = answerAgain<{ order_id: string }>(result);
    if (answer instanceof Refusal) return answer;
    const order = await this.#order(answer.body.order_id, agentId);
    return order === undefined ? notFound() : new Answer(answer.status, this.#shown(order), undefined, true);
  }

  async #expiredIfOver(order: Order): Promise<Order> {
    if (order.state !== 'quoted' || order.expiresAtMs > this.#options.clock.now()) return order;
    return (await this.move(order, 'expired')) ?? order;
  }

  async #order(id: string, agentId: string): Promise<Order | undefined> {
    return (await this.#options.store.read(sql.ORDER_OF_ID, [id, agentId]))[0];
  }

  #shown(order: Order): OrderView {
    return orderView(order, this.#options);
  }
}

export const ASK_EVERY_MS = 1_000;
const ASK_AT_LEAST_EVERY_MS = 600_000;

/** Every second at first; the longer nothing happened the less often. */
function askAgainMs({ history }: Order, nowMs: number): number {
  const sinceMs = nowMs - Date.parse(history.at(-1)?.at ?? '');
  return Math.min(Math.max(ASK_EVERY_MS, sinceMs / 20), ASK_AT_LEAST_EVERY_MS) | 0;
}

function askedOf(agentId: string, operation: string, key: string | undefined, body: object): Asked | null {
  if (key === undefined) return null;
  const plain = JSON.parse(JSON.stringify(body)) as unknown;
  return { scope: `${agentId} ${operation}`, key, bodySha256: sha256Hex(canonicalJson(plain)) };
}

function refuseMove(from: OrderState, to: OrderState): Refusal {
  const members = { from, to, allowed: Object.keys(ORDER_MOVES[from]) };
  return new Refusal(transitionInvalid, {
    detail: `An order in state ${from} cannot change to ${to}. Nothing was changed.`,
    members,
  });
}

function notFound(): Refusal {
  return new Refusal(problems.orderNotFound, { detail: 'You have no order with this id.' });
}

/** What a supplier reads of the caller's own words, beside the lines of the order. */
function sentTexts({ supplier, note, ship_to }: Pick<CreateOrderInput, 'supplier' | 'note' | 'ship_to'>) {
  const lines = Object.fromEntries(ship_to.lines.map((line, index) => [`ship_to.lines.${index}`, line]));
  return { supplier, note, 'ship_to.postcode': ship_to.postcode, ...lines };
}
