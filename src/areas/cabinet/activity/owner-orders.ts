import type { z } from 'zod';
import { type ListAsked, pageOf, type Place, type Placed } from '#kernel/newest-first.ts';
import type { Answer } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { type AsOwner, notOwned, type OwnedAgent, type Owner } from '../owner.ts';
import type { CabinetOrders } from '../shapes.ts';
import { CANCELLABLE_ORDERS, LIST_PAGE, ORDER_FILTERS } from './filters.ts';

type Output = z.output<typeof CabinetOrders>;
type OrderLine = Output['orders'][number];

interface OrderSeen {
  readonly order_id: string;
  readonly state: string;
  readonly supplier: string;
  readonly channel: string;
  readonly goods_total_eur: string;
  readonly fee: { readonly fee_eur: string; readonly state: string };
  readonly history: readonly { readonly state: string; readonly at: string; readonly attestation_id: string | null }[];
  readonly lines: readonly { readonly sku: string; readonly qty: string; readonly total_eur: string }[];
  readonly mandate: { readonly mandate_id: string } | null;
  readonly receipt: object;
}

export interface OrdersPort {
  ofAgent(agentId: string, asked: ListAsked): Promise<readonly (Place & { readonly view: OrderSeen })[]>;
  placeOf(orderId: string): Promise<(Place & { readonly agentId: string }) | undefined>;
  view(asked: { agent_key: string; order_id: string }): Promise<OrderSeen | Refusal>;
  cancel(asked: { agent_key: string; order_id: string }): Promise<Answer<unknown> | Refusal>;
  hasOpen(agentId: string): Promise<boolean>;
  erasePortion(agentId: string): Promise<number>;
}

interface OrdersAsked {
  readonly order_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly show?: keyof typeof ORDER_FILTERS | undefined;
  readonly before?: string | undefined;
}

/** The orders that a page shows, with what the JSON does not have. */
export interface OrdersSeen {
  readonly output: Output;
  /** The order that is shown, as its agent gets it: the receipt signs parts of it. */
  readonly signed: object | null;
}

/** The orders of an owner's agents. */
export class OwnerOrders {
  readonly #orders: OrdersPort;
  readonly #asOwner: AsOwner;

  constructor({ orders, asOwner }: { readonly orders: OrdersPort; readonly asOwner: AsOwner }) {
    this.#orders = orders;
    this.#asOwner = asOwner;
  }

  async seen(
    owner: Owner,
    { order_id, agent_id, show, before }: OrdersAsked = {},
    limit = LIST_PAGE,
  ): Promise<OrdersSeen | Refusal> {
    const agents = owner.only(agent_id);
    if (agents instanceof Refusal) return agents;
    const last = before === undefined ? undefined : await this.#place(owner, before);
    if (last instanceof Refusal) return last;
    const asked = { states: show && ORDER_FILTERS[show].states, before: last, limit: limit + 1 };
    const found = await Promise.all(agents.map((agent) => this.#ofAgent(agent, asked)));
    const { items, nextBefore } = pageOf(found, limit);
    const shown = order_id === undefined ? null : await this.#detail(owner, order_id);
    if (shown instanceof Refusal) return shown;
    const { order = null, signed = null } = shown ?? {};
    const output = {
      ...owner.head,
      agents: owner.names,
      orders: items.map(({ line }) => line),
      next_before: nextBefore,
      order,
    };
    return { output, signed };
  }

  /** Those of an agent that follow one in the list, newest first. */
  page(agent: OwnedAgent, before: Place | undefined, limit: number): Promise<Placed<OrderLine>[]> {
    return this.#ofAgent(agent, { before, limit });
  }

  /** Whether an order is of one of the owner's agents. */
  async has(owner: Owner, orderId: string): Promise<boolean> {
    return !((await this.#place(owner, orderId)) instanceof Refusal);
  }

  /** Those of an agent that are not over. */
  async open(agent: OwnedAgent, limit: number): Promise<OrderLine[]> {
    const found = await this.#ofAgent(agent, { states: ORDER_FILTERS.open.states, limit });
    return found.map(({ line }) => line);
  }

  async cancel(owner: Owner, orderId: string): Promise<Output | Refusal> {
    const place = await this.#place(owner, orderId);
    if (place instanceof Refusal) return place;
    const { agent } = place;
    const ended = await this.#asOwner(agent, (pass) => this.#orders.cancel({ agent_key: pass, order_id: orderId }));
    if (ended instanceof Refusal) return ended;
    const seen = await this.seen(owner, { order_id: orderId });
    return seen instanceof Refusal ? seen : seen.output;
  }

  async #ofAgent(agent: OwnedAgent, asked: ListAsked): Promise<Placed<OrderLine>[]> {
    const orders = await this.#orders.ofAgent(agent.agentId, asked);
    return orders.map(({ id, createdAtMs, view }) => ({ id, createdAtMs, line: orderLine(view, agent) }));
  }

  async #place(owner: Owner, orderId: string): Promise<(Place & { readonly agent: OwnedAgent }) | Refusal> {
    const place = await this.#orders.placeOf(orderId);
    const agent = owner.agent(place?.agentId);
    if (place === undefined || agent instanceof Refusal) return notOwned();
    return { ...place, agent };
  }

  async #detail(owner: Owner, orderId: string) {
    const place = await this.#place(owner, orderId);
    if (place instanceof Refusal) return place;
    const { agent } = place;
    const seen = await this.#asOwner(agent, (pass) => this.#orders.view({ agent_key: pass, order_id: orderId }));
    if (seen instanceof Refusal) return notOwned();
    const order = {
      ...orderLine(seen, agent),
      lines: seen.lines.map(({ sku, qty, total_eur }) => ({ sku, qty, total_eur })),
      mandate_id: seen.mandate?.mandate_id ?? null,
    };
    return { order, signed: seen };
  }
}

function orderLine(order: OrderSeen, { agentId }: OwnedAgent): OrderLine {
  const { order_id, state, supplier, channel, goods_total_eur, fee, history } = order;
  return {
    order_id,
    agent_id: agentId,
    state,
    untrusted_supplier: supplier,
    channel,
    goods_total_eur,
    fee_eur: fee.fee_eur,
    fee_state: fee.state,
    history: history.map(({ state: reached, at, attestation_id }) => ({ state: reached, at, attestation_id })),
    cancellable: CANCELLABLE_ORDERS.has(state),
  };
}
