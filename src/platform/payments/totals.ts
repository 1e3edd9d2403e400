import type { Store } from '#platform/storage/store.ts';
import { OLDEST_UNKNOWN, TOTALS_BY_STATE } from './sql.ts';

export interface PaymentTotals {
  readonly settled: number;
  readonly settledAtomic: number;
  readonly refundsDue: number;
  readonly unknown: number;
  readonly oldestUnknownMs: number | null;
}

/** What became of all payments so far. */
async function paymentTotals(store: Pick<Store, 'read'>): Promise<PaymentTotals> {
  const rows = await store.read(TOTALS_BY_STATE);
  const [oldest] = await store.read(OLDEST_UNKNOWN);
  const of = (state: string) => rows.find((row) => row['state'] === state);
  return {
    settled: Number(of('settled')?.['count'] ?? 0),
    settledAtomic: Number(of('settled')?.['amount'] ?? 0),
    refundsDue: Number(of('refund_due')?.['count'] ?? 0),
    unknown: Number(of('unknown')?.['count'] ?? 0),
    oldestUnknownMs: (oldest?.['at'] ?? null) as number | null,
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
