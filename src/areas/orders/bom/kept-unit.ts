import { DAY_MS } from '#kernel/clock.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import { decideByType, type Unit } from '#platform/storage/store.ts';
import * as sql from '../sql.ts';

interface KeptCalculation {
  readonly id: string;
  readonly agentId: string;
  /** JSON of the answer without buys and flags. */
  readonly head: string;
  readonly lines: string;
  readonly validUntilMs: number;
  readonly expiresAtMs: number;
}

interface KeptOffers {
  readonly source: string;
  /** Whoever asked: what a supplier told one customer is not shown to another. */
  readonly owner: string;
  readonly mpn: string;
  readonly offers: readonly PartOffer[];
  readonly retrievedAtMs: number;
}

type KeepCommand =
  | { readonly type: 'calculation'; readonly calculation: KeptCalculation }
  | { readonly type: 'offers'; readonly offers: readonly KeptOffers[] };

interface Kept {
  readonly calculations: readonly KeptCalculation[];
  readonly offers: readonly KeptOffers[];
}

export const KEPT_EXPIRIES = [
  sql.CALCULATION.expiring({ by: ['expires_at'] }),
  sql.SUPPLIER_OFFER.expiring({ by: ['retrieved_at'], keptMs: 7 * DAY_MS }),
];

/** What is written once and read until it is old: nothing is decided about it. */
export const keptUnit: Unit<[KeepCommand, null], Kept> = {
  name: 'orders-kept',
  reads: () => ({}),
  load: () => ({ calculations: [], offers: [] }),
  decide: decideByType<[KeepCommand, null], Kept>({
    calculation: (state, _nowMs, _next, { calculation }) => ({
      state: { ...state, calculations: [...state.calculations, calculation] },
      result: null,
    }),
    offers: (state, _nowMs, _next, { offers }) => ({
      state: { ...state, offers: [...state.offers, ...offers] },
      result: null,
    }),
  }),
  writes: (_before, { calculations, offers }) => [
    sql.CALCULATION.insert(calculations),
    // A statement may not touch a row twice.
    sql.SUPPLIER_OFFER.upsert([
      ...new Map(offers.map((one) => [`${one.source}\n${one.owner}\n${one.mpn}`, one])).values(),
    ]),
  ],
};
