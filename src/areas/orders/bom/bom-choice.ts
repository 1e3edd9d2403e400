import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import { AmountOverflow, type Bom, type BomPart, type BomTerms, type Strategy } from './bom.ts';
import { bestOption, type EuroOffer, hasStockFor, inEuros, isBetter, type Option } from './bom-buy.ts';
import type { Requirements } from './bom-explode.ts';
import { fewestSuppliers, type OptionsBySupplier } from './bom-suppliers.ts';

/** Offers that the part does not bring along, by manufacturer part number. */
export type OffersByMpn = ReadonlyMap<string, readonly PartOffer[]>;

/** A part that must be bought, with those of its offers, or of an alternate's, that can be priced. */
interface Demand {
  readonly part: number;
  readonly need: number;
  /** The part whose offers are used: itself or an alternate. */
  readonly used: number;
  readonly usable: readonly EuroOffer[];
  /** Currencies of the part's own offers without a rate. */
  readonly unrated: readonly string[];
}

export interface Choice extends Demand {
  /** Undefined where nothing can be priced. */
  readonly option: Option | undefined;
}

export interface Choices {
  readonly choices: readonly Choice[];
  /** What covering all with few suppliers costs more than covering each at its cheapest. */
  readonly extraMicro: number;
}

/** How each bought part is covered, by the strategy of the terms. */
export function choose(bom: Bom, needs: Requirements, given: { terms: BomTerms; offers: OffersByMpn }): Choices {
  const { terms } = given;
  const demands: Demand[] = [];
  needs.net.forEach((need, part) => {
    if (need > 0 && bom.parts[part]?.make === null) demands.push(demandOf(bom, { part, need, needs }, given));
  });
  const best = (demand: Demand, strategy: Strategy) => bestOf(demand, { strategy, maxBuyUp: terms.maxBuyUp });
  if (terms.strategy !== 'fewest_suppliers') {
    const choices = demands.map((demand) => ({ ...demand, option: best(demand, terms.strategy)?.option }));
    return { choices, extraMicro: 0 };
  }
  const priced = demands.filter(({ usable }) => usable.length > 0);
  const found = priced.map((demand) => best(demand, 'cost') as Best);
  const options = fewestSuppliers(found.map(({ bySupplier }) => bySupplier));
  const optionOf = new Map(priced.map(({ part }, index) => [part, options[index]]));
  const extraMicro = found.reduce(
    (sum, { option }, index) => sum + (options[index] as Option).totalMicro - option.totalMicro,
    0,
  );
  return { choices: demands.map((demand) => ({ ...demand, option: optionOf.get(demand.part) })), extraMicro };
}

/** An alternate stands in only where the part itself has no offer, or none with enough stock. */
function demandOf(
  bom: Bom,
  { part, need, needs }: { part: number; need: number; needs: Requirements },
  { terms, offers }: { terms: BomTerms; offers: OffersByMpn },
): Demand {
  const own = euroOffers(bom.parts[part] as BomPart, terms, offers);
  const demand = { part, need, used: part, usable: own.usable, unrated: own.unrated };
  const suffices = (usable: readonly EuroOffer[]) => usable.some((offer) => hasStockFor(offer, need));
  const alternates = needs.alternates.get(part) ?? [];
  if (alternates.length === 0 || suffices(own.usable)) return demand;
  const others = alternates.map((used) => ({
    used,
    usable: euroOffers(bom.parts[used] as BomPart, terms, offers).usable,
  }));
  const other =
    others.find(({ usable }) => suffices(usable)) ??
    (own.usable.length === 0 ? others.find(({ usable }) => usable.length > 0) : undefined);
  return { ...demand, ...other };
}

function euroOffers(
  { mpn, manufacturer, offers: inline }: BomPart,
  { sources, fx }: BomTerms,
  offers: OffersByMpn,
): { usable: EuroOffer[]; unrated: string[] } {
  const usable: EuroOffer[] = [];
  const unrated = new Set<string>();
  const take = (offer: PartOffer) => {
    const euro = inEuros(offer, fx);
    if (euro === null) unrated.add(offer.currency);
    else usable.push(euro);
  };
  if (sources.has('inline')) inline.forEach(take);
  for (const offer of (mpn === null ? undefined : offers.get(mpn)) ?? []) {
    if (isMadeBy(offer, manufacturer)) take(offer);
  }
  return { usable, unrated: [...unrated].toSorted() };
}

/** Two makers may give the same number to different parts. */
function isMadeBy({ manufacturer }: PartOffer, wanted: string | null): boolean {
  return wanted === null || manufacturer === null || manufacturer.toLowerCase() === wanted.toLowerCase();
}

interface Best {
  readonly option: Option;
  readonly bySupplier: OptionsBySupplier;
}

function bestOf(
  { part, need, usable }: Demand,
  by: { readonly strategy: Strategy; readonly maxBuyUp: number | null },
): Best | undefined {
  const bySupplier = new Map<string, Option>();
  let best: Option | undefined;
  for (const euro of usable) {
    const option = bestOption(euro, need, by);
    if (option === undefined) continue;
    const rival = bySupplier.get(option.offer.supplier);
    if (rival === undefined || isBetter(option, rival, by.strategy)) bySupplier.set(option.offer.supplier, option);
    if (best === undefined || isBetter(option, best, by.strategy)) best = option;
  }
  if (best === undefined && usable.length > 0) throw new AmountOverflow(part);
  return best === undefined ? undefined : { option: best, bySupplier };
}
