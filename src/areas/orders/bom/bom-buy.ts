import { mulDivUp, upTo } from '#kernel/decimal.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import type { ExchangeRate, Strategy } from './bom.ts';

/** An offer whose prices are in nano-euros; one that cannot be counted is Infinity. */
export interface EuroOffer {
  readonly offer: PartOffer;
  readonly breaks: readonly { readonly from: number; readonly nano: number }[];
}

/** One way to cover a need: an offer with the quantity that is ordered. */
export interface Option {
  readonly offer: PartOffer;
  readonly order: number;
  readonly unitNano: number;
  readonly totalMicro: number;
  readonly isShort: boolean;
  readonly leadDays: number | null;
  /** The least quantity that the offer allows for the need. */
  readonly legal: number;
}

const IN_STOCK_DAYS = 1;
const NANO_PER_MICRO_OF_THOUSANDTHS = 1_000_000;

/** Returns null where there is no rate for the currency of the offer. */
export function inEuros(offer: PartOffer, fx: ReadonlyMap<string, ExchangeRate>): EuroOffer | null {
  const rate = offer.currency === 'EUR' ? 1_000_000_000 : fx.get(offer.currency)?.nano;
  if (rate === undefined) return null;
  const breaks = offer.breaks.map(({ fromThousandths: from, priceNano }) => ({
    from,
    nano: rate === 1_000_000_000 ? priceNano : mulDivUp(priceNano, rate, 1_000_000_000),
  }));
  return { offer, breaks };
}

/** What so many thousandths cost in micro-euros, rounded up once; Infinity where it cannot be counted. */
export function partCostMicro(unitNano: number, thousandths: number): number {
  return mulDivUp(unitNano, thousandths, NANO_PER_MICRO_OF_THOUSANDTHS);
}

/** A first price break above the need is a minimum order: below it the supplier names no price. */
function legalQuantity(offer: PartOffer, need: number): number {
  return upTo(Math.max(need, offer.moqThousandths, firstBreak(offer)), offer.multipleThousandths);
}

function firstBreak({ breaks }: PartOffer): number {
  return breaks[0]?.fromThousandths ?? 0;
}

/** True where nothing but the first price break makes the order as large as it is. */
export function isRaisedByBreak(offer: PartOffer, need: number): boolean {
  return upTo(Math.max(need, offer.moqThousandths), offer.multipleThousandths) < firstBreak(offer);
}

/** True when the offer can give the need from its stock, or does not say that it cannot. */
export function hasStockFor({ offer }: EuroOffer, need: number): boolean {
  return offer.stockThousandths === null || offer.stockThousandths >= legalQuantity(offer, need);
}

/** The price of a legal quantity: that of the highest break it reaches. */
export function unitPriceAt({ breaks }: EuroOffer, quantity: number): number {
  let nano = breaks[0]?.nano as number;
  for (const { from, nano: price } of breaks) {
    if (from > quantity) break;
    nano = price;
  }
  return nano;
}

/**
 * The best quantity of an offer for a need: the legal one, or a higher price break where that costs less in all.
 * Undefined where even the legal quantity costs more than can be counted.
 */
export function bestOption(
  euro: EuroOffer,
  need: number,
  { strategy, maxBuyUp }: { readonly strategy: Strategy; readonly maxBuyUp: number | null },
): Option | undefined {
  const { offer, breaks } = euro;
  const legal = legalQuantity(offer, need);
  const most = maxBuyUp === null ? Number.MAX_SAFE_INTEGER : Number((BigInt(legal) * BigInt(maxBuyUp)) / 1_000n);
  let best = optionAt(euro, legal, legal);
  if (best === undefined) return undefined;
  for (const { from } of breaks) {
    if (from <= legal) continue;
    const order = upTo(from, offer.multipleThousandths);
    if (order > most) break;
    const option = optionAt(euro, order, legal);
    const isCheaper = option !== undefined && option.totalMicro < best.totalMicro;
    if (isCheaper && isBetter(option, best, strategy)) best = option;
  }
  return best;
}

function optionAt(euro: EuroOffer, order: number, legal: number): Option | undefined {
  const { offer } = euro;
  const unitNano = unitPriceAt(euro, order);
  if (!Number.isSafeInteger(unitNano) || !Number.isSafeInteger(order)) return undefined;
  const totalMicro = partCostMicro(unitNano, order);
  if (!Number.isSafeInteger(totalMicro)) return undefined;
  const isShort = offer.stockThousandths !== null && offer.stockThousandths < order;
  return { offer, order, unitNano, totalMicro, isShort, leadDays: leadDaysOf(offer, isShort), legal };
}

/** An offer that says nothing of its stock promises only the lead that it states. */
function leadDaysOf({ stockThousandths, leadDays }: PartOffer, isShort: boolean): number | null {
  if (isShort) return leadDays;
  return stockThousandths === null ? (leadDays ?? IN_STOCK_DAYS) : IN_STOCK_DAYS;
}

/** Says of two options which comes first; equal ones are told apart by what they are, never by where they stood. */
export function isBetter(a: Option, b: Option, strategy: Strategy): boolean {
  const byTotal = a.totalMicro - b.totalMicro;
  const byLead = (a.leadDays ?? Number.MAX_SAFE_INTEGER) - (b.leadDays ?? Number.MAX_SAFE_INTEGER);
  const order = strategy === 'lead' ? byLead || byTotal : byTotal || Number(a.isShort) - Number(b.isShort) || byLead;
  if (order !== 0) return order < 0;
  if (a.offer.supplier !== b.offer.supplier) return a.offer.supplier < b.offer.supplier;
  if (a.order !== b.order) return a.order < b.order;
  if (a.offer.sku !== b.offer.sku) return a.offer.sku < b.offer.sku;
  if (a.offer.source !== b.offer.source) return a.offer.source < b.offer.source;
  return a.offer.asOfMs > b.offer.asOfMs;
}
