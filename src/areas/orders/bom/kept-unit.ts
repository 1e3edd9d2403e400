import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import { decideByType, type Found, type Unit } from '#platform/storage/store.ts';
import { given } from '#platform/storage/table.ts';
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
  | { readonly type: 'offers'; readonly offers: readonly KeptOffers[] }
  | SweepCommand;

interface SweepCommand {
  readonly type: 'sweep';
  readonly nowMs: number;
  readonly offersBeforeMs: number;
}

interface Kept {
  readonly due: Found<typeof reads>;
  readonly calculations: readonly KeptCalculation[];
  readonly offers: readonly KeptOffers[];
  readonly swept: boolean;
}

function reads(commands: readonly KeepCommand[]) {
  const sweep = commands.find((command) => command.type === 'sweep');
  return {
    calculations: given(sql.CALCULATIONS_DUE, sweep === undefined ? null : [sweep.nowMs]),
    offers: given(sql.OFFERS_DUE, sweep === undefined ? null : [sweep.offersBeforeMs]),
  };
}

/** What is written once and read until it is old: nothing is decided about it. A sweep gives how much it removed. */
export const keptUnit: Unit<[KeepCommand, number], Kept, typeof reads> = {
  name: 'orders-kept',
  reads,
  load: (due) => ({ due, calculations: [], offers: [], swept: false }),
  decide: decideByType<[KeepCommand, number], Kept>({
    calculation: (state, _nowMs, _next, { calculation }) => ({
      state: { ...state, calculations: [...state.calculations, calculation] },
      result: 0,
    }),
    offers: (state, _nowMs, _next, { offers }) => ({
      state: { ...state, offers: [...state.offers, ...offers] },
      result: 0,
    }),
    sweep: (state) => ({
      state: { ...state, swept: true },
      result: state.due.calculations.length + state.due.offers.length,
    }),
  }),
  writes: (_before, { due, calculations, offers, swept }) => [
    sql.CALCULATION.remove(swept ? due.calculations.map(({ id }) => [id]) : []),
    sql.SUPPLIER_OFFER.remove(swept ? due.offers.map(({ source, owner, mpn }) => [source, owner, mpn]) : []),
    sql.CALCULATION.insert(calculations),
    // A statement may not touch a row twice.
    sql.SUPPLIER_OFFER.upsert([
      ...new Map(offers.map((one) => [`${one.source}\n${one.owner}\n${one.mpn}`, one])).values(),
    ]),
  ],
};
