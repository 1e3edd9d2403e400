import { onlyOne } from '#platform/storage/head.ts';
import type { Store } from '#platform/storage/store.ts';
import type { PaymentState } from './payment-record.ts';
import { type Listing, LISTINGS } from './listing.ts';
import { OLDEST_UNKNOWN, TOTALS_BY_STATE } from './sql.ts';

export interface PaymentTotals {
  readonly settled: number;
  readonly settledAtomic: number;
  readonly refundsDue: number;
  readonly unknown: number;
  readonly oldestUnknownMs: number | null;
  /** What the facilitator's catalogue said of each call. */
  readonly listings: readonly Listing[];
}

/** What became of all payments so far. */
async function paymentTotals(store: Pick<Store, 'read'>): Promise<PaymentTotals> {
  const totals = await store.read(TOTALS_BY_STATE);
  const oldest = onlyOne(await store.read(OLDEST_UNKNOWN));
  const of = (state: PaymentState) => totals.find((total) => total.state === state) ?? { count: 0, amountAtomic: 0 };
  return {
    settled: of('settled').count,
    settledAtomic: of('settled').amountAtomic,
    refundsDue: of('refund_due').count,
    unknown: of('unknown').count,
    oldestUnknownMs: oldest.atMs,
    listings: await store.read(LISTINGS),
  };
}

/** The totals as they were last counted. */
export class PaymentFigures {
  readonly #store: Pick<Store, 'read'>;
  #newest: PaymentTotals | null = null;

  constructor(store: Pick<Store, 'read'>) {
    this.#store = store;
  }

  /** Null before the first count. */
  newest(): PaymentTotals | null {
    return this.#newest;
  }

  async refresh(): Promise<PaymentTotals> {
    this.#newest = await paymentTotals(this.#store);
    return this.#newest;
  }
}
