import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { formatScaled } from '#kernel/decimal.ts';
import { AmountOverflow, type Bom, type BomPart, type BomTerms, OFFER_LIFE_MS } from './bom.ts';
import { isRaisedByBreak, type Option, partCostMicro, unitPriceAt } from './bom-buy.ts';
import { type Choice, choose, type OffersByMpn } from './bom-choice.ts';
import { type Requirements, requirements } from './bom-explode.ts';

export interface Buy {
  readonly part: BomPart;
  /** The part that stands in for it. */
  readonly alternate: BomPart | null;
  readonly need: number;
  readonly option: Option;
}

/** Members stand in the order of their names, so that JSON.stringify gives their canonical text. */
type Flag = { readonly code: string; readonly part: string } & Readonly<Record<string, unknown>>;

export interface Calculation {
  readonly materialMicro: number;
  readonly conversionMicro: number;
  readonly excessMicro: number;
  readonly totalMicro: number;
  /** Of the strategy that wants few suppliers: what that costs more. */
  readonly extraMicro: number;
  /** Null where a part that is needed has no offer, or one of unknown lead. */
  readonly leadDays: number | null;
  readonly criticalPath: readonly string[];
  readonly buys: readonly Buy[];
  readonly flags: readonly Flag[];
  readonly unpriced: number;
  /** The time of the oldest offer that is used; null where none is. */
  readonly oldestOfferMs: number | null;
}

/** An excess that is worth more than a fifth of its line is told. */
const EXCESS_SHARE = 5;

export interface Priced {
  readonly bom: Bom;
  readonly order: readonly number[];
  readonly terms: BomTerms;
  readonly offers: OffersByMpn;
  readonly nowMs: number;
}

/** The whole calculation; throws AmountOverflow where an amount cannot be counted exactly. */
export function calculate({ bom, order, terms, offers, nowMs }: Priced): Calculation {
  const needs = requirements(bom, order, terms);
  const { choices, extraMicro } = choose(bom, needs, { terms, offers });
  const sums = { material: 0, excess: 0, conversion: 0 };
  const add = (sum: keyof typeof sums, micro: number, part: number) => {
    sums[sum] += micro;
    if (!Number.isSafeInteger(sums[sum])) throw new AmountOverflow(part);
  };
  const buys: Buy[] = [];
  const flags: Flag[] = [];
  for (const choice of choices) {
    const { part, used, need, option } = choice;
    const named = bom.parts[part] as BomPart;
    flags.push(...flagsOf(named, choice, bom, nowMs));
    if (option === undefined) continue;
    add('material', option.totalMicro, part);
    add('excess', partCostMicro(option.unitNano, option.order - need), part);
    buys.push({ part: named, alternate: used === part ? null : (bom.parts[used] as BomPart), need, option });
  }
  for (const at of order) {
    const { make } = bom.parts[at] as BomPart;
    if (make !== null) add('conversion', partCostMicro(make.costNano, needs.net[at] as number), at);
  }
  const totalMicro = sums.material + sums.conversion;
  if (!Number.isSafeInteger(totalMicro)) throw new AmountOverflow(bom.root);
  const { days, path } = leadOf({ bom, order, terms }, needs, choices);
  const root = bom.parts[bom.root] as BomPart;
  if (terms.needBy !== null && days !== null && Date.parse(terms.needBy) < startOfDay(nowMs) + days * DAY_MS) {
    flags.push({ code: 'late', lead_days: days, need_by: terms.needBy, part: root.id });
  }
  return {
    materialMicro: sums.material,
    conversionMicro: sums.conversion,
    excessMicro: sums.excess,
    totalMicro,
    extraMicro,
    leadDays: days,
    criticalPath: path,
    buys: buys.toSorted((a, b) => (a.part.id < b.part.id ? -1 : 1)),
    flags: flags.toSorted((a, b) => byText(a.part, b.part) || byText(a.code, b.code)),
    unpriced: choices.length - buys.length,
    oldestOfferMs: buys.length === 0 ? null : buys.reduce((ms, buy) => Math.min(ms, buy.option.offer.asOfMs), nowMs),
  };
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function startOfDay(ms: number): number {
  return ms - (ms % DAY_MS);
}

function flagsOf({ id: part }: BomPart, choice: Choice, bom: Bom, nowMs: number): Flag[] {
  const { option, usable, unrated, used } = choice;
  const flags: Flag[] = unrated.map((currency) => ({ code: 'fx_missing', currency, part }));
  if (option === undefined) return [...flags, { code: 'no_offer', part }];
  const { offer, order, legal, totalMicro, unitNano } = option;
  if (used !== choice.part) flags.push({ alternate: bom.parts[used]?.id, code: 'alternate_used', part });
  if (usable.every((other) => other.offer.supplier === offer.supplier)) {
    flags.push({ code: 'single_source', part, supplier: offer.supplier });
  }
  if (option.isShort)
    flags.push({ code: 'stock_short', order: amount(order), part, stock: amount(offer.stockThousandths ?? 0) });
  if (offer.lifecycle !== null && offer.lifecycle.toLowerCase() !== 'active') {
    flags.push({ code: 'lifecycle', lifecycle: offer.lifecycle, part });
  }
  const excess = order - choice.need;
  if (order > legal) {
    const euro = usable.find((one) => one.offer === offer);
    const plainMicro = euro === undefined ? totalMicro : partCostMicro(unitPriceAt(euro, legal), legal);
    flags.push({ code: 'buy_up', excess_qty: amount(excess), part, saving_eur: euros(plainMicro - totalMicro) });
  } else if (partCostMicro(unitNano, excess) * EXCESS_SHARE > totalMicro) {
    flags.push({ code: 'moq_excess', excess_qty: amount(excess), part });
  }
  if (order === legal && isRaisedByBreak(offer, choice.need)) flags.push({ code: 'below_first_break', part });
  if (nowMs - offer.asOfMs > OFFER_LIFE_MS) flags.push({ as_of: isoTime(offer.asOfMs), code: 'offer_stale', part });
  return flags;
}

/** A quantity as callers write it. */
export function amount(thousandths: number): string {
  return formatScaled(thousandths, 3);
}

export function euros(micro: number | bigint): string {
  return formatScaled(micro, 6, 2);
}

interface Lead {
  readonly days: number | null;
  readonly path: readonly string[];
}

/** The time until the root is there, and the way down by which it takes so long. What is in stock takes none. */
function leadOf(
  { bom, order, terms }: Pick<Priced, 'bom' | 'order' | 'terms'>,
  needs: Requirements,
  choices: readonly Choice[],
): Lead {
  const unknown = Number.POSITIVE_INFINITY;
  const days = new Float64Array(bom.parts.length);
  const slowest = new Int32Array(bom.parts.length).fill(-1);
  for (const { part, option } of choices) days[part] = option?.leadDays ?? unknown;
  for (const at of order) {
    const { make } = bom.parts[at] as BomPart;
    if (make === null || needs.net[at] === 0) continue;
    for (const line of make.lines) {
      if (line.optional && !terms.includeOptional) continue;
      const rival = slowest[at] as number;
      const more = rival === -1 ? 1 : (days[line.part] as number) - (days[rival] as number);
      const isFirst = more === 0 || Number.isNaN(more) ? isNamedBefore(bom, line.part, rival) : more > 0;
      if (isFirst) slowest[at] = line.part;
    }
    days[at] = make.leadDays + (slowest[at] === -1 ? 0 : (days[slowest[at] as number] as number));
  }
  const path: string[] = [];
  for (let at = bom.root; at !== -1 && needs.net[at] !== 0; at = slowest[at] as number) {
    path.push(bom.parts[at]?.id as string);
  }
  const total = days[bom.root] as number;
  return { days: total === unknown ? null : total, path };
}

function isNamedBefore(bom: Bom, part: number, other: number): boolean {
  return (bom.parts[part]?.id as string) < (bom.parts[other]?.id as string);
}

/** The bought parts whose offers are looked up by number, alternates included, whether needed or not. */
export function mpnsOf({ parts }: Bom): string[] {
  return [...new Set(parts.flatMap(({ make, mpn }) => (make === null && mpn !== null ? [mpn] : [])))];
}
