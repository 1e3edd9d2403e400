import { DAY_MS } from '#kernel/clock.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';

export const UNITS = ['each', 'm', 'kg', 'l', 'm2'] as const;
export type BomUnit = (typeof UNITS)[number];
export const STRATEGIES = ['cost', 'lead', 'fewest_suppliers'] as const;
export type Strategy = (typeof STRATEGIES)[number];
export const OFFER_SOURCES = ['inline', 'embedded', 'nexar', 'mouser', 'digikey'] as const;
export type SourceName = (typeof OFFER_SOURCES)[number];

/** An older offer is no price to buy at. */
export const OFFER_LIFE_MS = DAY_MS;
/** What a wallet pays for a calculation. */
export const CALCULATE_MICRO = 20_000;
export const MAX_LINES = 100_000;
export const MAX_LEVELS = 50;
/** A longer body is read and computed in a thread of its own, and one in CSV with more lines: JSON cannot hold as many. */
export const READ_HERE_BYTES = 262_144;
export const READ_HERE_LINES = 20_000;

/** A bill of materials whose references are places in `parts`. Quantities are whole thousandths of a unit. */
export interface Bom {
  readonly root: number;
  readonly parts: readonly BomPart[];
  readonly lineCount: number;
}

export interface BomPart {
  readonly id: string;
  readonly unit: BomUnit;
  readonly mpn: string | null;
  readonly manufacturer: string | null;
  readonly stock: number;
  /** Null is a part that is bought. */
  readonly make: Make | null;
  readonly offers: readonly PartOffer[];
}

export interface Make {
  readonly leadDays: number;
  readonly costNano: number;
  readonly lines: readonly BomLine[];
}

export interface BomLine {
  readonly part: number;
  readonly qty: number;
  /** Thousandths of a percent. */
  readonly scrap: number;
  readonly setup: number;
  readonly rounding: number;
  readonly optional: boolean;
  readonly alternates: readonly number[];
}

/** Everything that the answer depends on, beside offers that others have. */
export interface BomTerms {
  readonly quantity: number;
  readonly strategy: Strategy;
  readonly sources: ReadonlySet<SourceName>;
  readonly fx: ReadonlyMap<string, ExchangeRate>;
  /** YYYY-MM-DD */
  readonly needBy: string | null;
  readonly includeOptional: boolean;
  /** Thousandths. */
  readonly maxBuyUp: number | null;
}

/** Euros for one unit of a currency, in 10^-9. */
export interface ExchangeRate {
  readonly nano: number;
  readonly from: 'caller' | 'service';
  readonly asOf: string | null;
}

/** An amount or quantity beyond 2^53: ends a calculation, which then names the part. */
export class AmountOverflow extends Error {
  override readonly name = 'AmountOverflow';
  readonly part: number;

  constructor(part: number) {
    super('an amount is beyond what can be counted exactly');
    this.part = part;
  }
}
