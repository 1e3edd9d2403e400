import { type Clock, DAY_MS } from '#kernel/clock.ts';
import { step, type Store } from '#platform/storage/store.ts';
import { type Order, ORDER_MOVES, type OrderState } from './order.ts';
import type { SupplierChannel, SupplierState } from './order-ports.ts';
import type { Orders } from './orders.ts';
import { orderUnit } from './order-unit.ts';
import * as sql from '../sql.ts';

const ADDRESS_KEPT_MS = 90 * DAY_MS;

export interface OrderFollowOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly orders: Orders;
  readonly channels: readonly SupplierChannel[];
}

/** The way of an order that all goes well with. */
const USUAL: readonly OrderState[] = ['placed', 'confirmed', 'shipped', 'delivered', 'returned'];

/** The states between what is known and what the supplier says, in order; none where it does not follow. */
export function statesUntil(known: OrderState, said: SupplierState): OrderState[] {
  if (said !== 'received' && ORDER_MOVES[known][said] !== undefined) return [said];
  const way = USUAL.slice(USUAL.indexOf(known) + 1, USUAL.indexOf(said as OrderState) + 1);
  return USUAL.includes(known) ? way : [];
}

/** What happens to orders without a call: suppliers are asked, quotes end, addresses are forgotten. */
export class OrderFollow {
  readonly #options: OrderFollowOptions;
  #isStopped = false;

  constructor(options: OrderFollowOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { store, clock, orders } = this.#options;
    for (const order of await store.read(sql.ORDERS_ASKING, [clock.now()])) {
      if (this.#isStopped) return;
      await this.#ask(await orders.followUp(order));
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Ends quotes that nobody placed and forgets addresses of orders that ended long ago, in portions. */
  async sweep(): Promise<number> {
    const { store, clock, orders } = this.#options;
    const over = await store.read(sql.QUOTES_OVER, [clock.now()]);
    for (const order of over) await orders.move(order, 'expired');
    const known = await store.read(sql.ADDRESSES_OVER, [clock.now() - ADDRESS_KEPT_MS]);
    await store.runAll(known.map(({ id }) => step(orderUnit, { type: 'forget', id })));
    return over.length + known.length;
  }

  async #ask(order: Order): Promise<void> {
    const channel = this.#options.channels.find(({ supplier }) => supplier === order.supplier);
    if (order.channel !== 'adapter' || order.supplierRef === null || order.endedAtMs !== null) return;
    const said = await channel?.status(order.supplierRef);
    if (said === null || said === undefined) return;
    let known: Order | undefined = order;
    for (const state of statesUntil(order.state, said)) {
      known = known && (await this.#options.orders.move(known, state));
    }
    if (known !== undefined && known !== order) await this.#options.orders.followUp(known);
  }
}
