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
export async function paymentTotals(store: Pick<Store, 'read'>): Promise<PaymentTotals> {
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
