import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { formatMicro } from '#kernel/money.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';

const FRESH_MS = DAY_MS;
const LIFECYCLES = ['active', 'nrnd', 'obsolete'] as const;

/** What offers of one part say of it together. Prices are those in EUR; nothing is converted or guessed. */
export function componentFacts(mpn: string, offers: readonly PartOffer[], nowMs: number) {
  const prices = offers
    .filter(({ currency }) => currency === 'EUR')
    .flatMap(({ breaks }) => breaks.map(({ priceNano }) => Math.ceil(priceNano / 1_000)));
  const stocks = offers.flatMap(({ stockThousandths }) => stockThousandths ?? []);
  const leads = offers.flatMap(({ leadDays }) => leadDays ?? []);
  const sources = Map.groupBy(offers, ({ source }) => source);
  const oldestMs = Math.min(...offers.map(({ asOfMs }) => asOfMs));
  const lifecycle = offers.find((offer) => offer.lifecycle !== null)?.lifecycle?.toLowerCase();
  const makers = new Map(
    offers
      .flatMap(({ manufacturer: maker }) => (maker === null ? [] : [[maker.toLowerCase(), maker] as const]))
      .toReversed(),
  );
  const names = [...makers.values()].toSorted();
  return {
    found: offers.length > 0,
    manufacturer: names.length === 1 ? (names[0] ?? null) : null,
    lifecycle: LIFECYCLES.find((one) => one === lifecycle) ?? null,
    offers_count: offers.length,
    stock_total: stocks.length === 0 ? null : Math.floor(stocks.reduce((sum, stock) => sum + stock, 0) / 1_000),
    price_range:
      prices.length === 0
        ? null
        : { min_eur: formatMicro(Math.min(...prices)), max_eur: formatMicro(Math.max(...prices)) },
    lead_days: leads.length === 0 ? null : Math.min(...leads),
    alternates: names.length > 1 ? names.map((name) => `${mpn} (${name})`) : [],
    sources: [...sources].map(([source, list]) => ({
      source,
      retrieved_at: isoTime(Math.min(...list.map(({ asOfMs }) => asOfMs))),
    })),
    state: nowMs - oldestMs > FRESH_MS ? ('stale' as const) : ('fresh' as const),
  };
}
