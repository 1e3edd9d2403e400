import type { Cell, Step, Unit } from '#platform/storage/store.ts';
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
  /** JSON */
  readonly offers: string;
  readonly retrievedAtMs: number;
}

type KeepCommand =
  | { readonly type: 'calculation'; readonly calculation: KeptCalculation }
  | { readonly type: 'offers'; readonly offers: readonly KeptOffers[] }
  | { readonly type: 'sweep'; readonly nowMs: number; readonly offersBeforeMs: number };

interface Kept {
  readonly due: { readonly calculations: readonly Cell[][]; readonly offers: readonly Cell[][] };
  readonly calculations: readonly KeptCalculation[];
  readonly offers: readonly KeptOffers[];
  readonly swept: boolean;
}

/** What is written once and read until it is old: nothing is decided about it. */
const keptUnit: Unit<[KeepCommand, number], Kept> = {
  name: 'orders-kept',
  reads(commands) {
    const sweep = commands.find((command) => command.type === 'sweep');
    if (sweep === undefined) return [];
    return [
      { sql: sql.CALCULATIONS_DUE, params: [sweep.nowMs] },
      { sql: sql.OFFERS_DUE, params: [sweep.offersBeforeMs] },
    ];
  },
  load: ([calculations = [], offers = []]) => ({
    due: {
      calculations: calculations.map((row) => [row['id'] as Cell]),
      offers: offers.map((row) => [row['source'] as Cell, row['owner'] as Cell, row['mpn'] as Cell]),
    },
    calculations: [],
    offers: [],
    swept: false,
  }),
  decide(state, _nowMs, _next, command) {
    switch (command.type) {
      case 'calculation':
        return { state: { ...state, calculations: [...state.calculations, command.calculation] }, result: 0 };
      case 'offers':
        return { state: { ...state, offers: [...state.offers, ...command.offers] }, result: 0 };
      case 'sweep':
        return { state: { ...state, swept: true }, result: state.due.calculations.length + state.due.offers.length };
    }
  },
  writes: (_before, { due, calculations, offers, swept }) => [
    { sql: sql.CALCULATION_DELETE, rows: swept ? due.calculations : [] },
    { sql: sql.OFFER_DELETE, rows: swept ? due.offers : [] },
    {
      sql: sql.CALCULATION_INSERT,
      rows: calculations.map((one) => [one.id, one.agentId, one.head, one.lines, one.validUntilMs, one.expiresAtMs]),
    },
    {
      sql: sql.OFFER_UPSERT,
      // A statement may not touch a row twice.
      rows: [...new Map(offers.map((one) => [`${one.source}\n${one.owner}\n${one.mpn}`, one])).values()].map((one) => [
        ...[one.source, one.owner, one.mpn, one.offers, one.retrievedAtMs],
      ]),
    },
  ],
};

export function keepStep(command: KeepCommand): Step {
  return { unit: keptUnit, command };
}
