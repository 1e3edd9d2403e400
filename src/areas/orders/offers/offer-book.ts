import { type Clock, DAY_MS, HOUR_MS } from '#kernel/clock.ts';
import type { AdapterState, OfferAdapter } from '#platform/registers/suppliers/adapter.ts';
import type { PartOffer } from '#platform/registers/suppliers/offer.ts';
import { step, type Store } from '#platform/storage/store.ts';
import type { SourceName } from '../bom/bom.ts';
import type { OffersByMpn } from '../bom/bom-choice.ts';
import { keptUnit } from '../bom/kept-unit.ts';
import * as sql from '../sql.ts';

const FRESH_MS = DAY_MS;
/** A part that nobody had may be there sooner. */
const NONE_FRESH_MS = 6 * HOUR_MS;
const ADAPTERS = ['nexar', 'mouser', 'digikey'] as const;
/** So many numbers are asked for live in one calculation; the limits of the suppliers allow no more in the time. */
const MAX_LIVE = 500;

export interface OfferBookOptions {
  readonly store: Pick<Store, 'read' | 'runAll'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly catalogue: OffersByMpn;
  readonly adapters: readonly OfferAdapter[];
}

export interface FoundOffers {
  readonly offers: OffersByMpn;
  readonly adapters: readonly { readonly name: string; readonly state: AdapterState }[];
}

interface Asked {
  readonly owner: string;
  readonly mpns: readonly string[];
  readonly mayAsk: () => boolean;
}

const NOT_ASKED = { offers: new Map<string, readonly PartOffer[]>(), state: 'limited' } as const;

interface Kept {
  readonly offers: readonly PartOffer[];
  readonly retrievedAtMs: number;
}

/** All offers that the service knows of, or can ask for; each says where it comes from and when. */
export class OfferBook {
  readonly #options: OfferBookOptions;

  constructor(options: OfferBookOptions) {
    this.#options = options;
  }

  /**
   * Offers by part number from the wanted sources. What a supplier does not answer is left out, and its state says so.
   * `mayAsk` is called where a supplier would be asked live; who may not gets what is kept.
   */
  async find(
    owner: string,
    mpns: readonly string[],
    sources: ReadonlySet<SourceName>,
    mayAsk: () => boolean = () => true,
  ): Promise<FoundOffers> {
    const offers = new Map<string, PartOffer[]>();
    const add = (mpn: string, found: readonly PartOffer[]) => {
      if (found.length > 0) offers.set(mpn, [...(offers.get(mpn) ?? []), ...found]);
    };
    if (sources.has('embedded')) for (const mpn of mpns) add(mpn, this.#options.catalogue.get(mpn) ?? []);
    const asked = ADAPTERS.filter((name) => sources.has(name));
    const answers = await Promise.all(asked.map((name) => this.#ask(name, { owner, mpns, mayAsk })));
    for (const { found } of answers) for (const [mpn, list] of found) add(mpn, list);
    return { offers, adapters: answers.map(({ name, state }) => ({ name, state })) };
  }

  async #ask(name: string, { owner, mpns, mayAsk }: Asked) {
    const adapter = this.#options.adapters.find((one) => one.name === name);
    const none: OffersByMpn = new Map();
    if (adapter === undefined) return { name, state: 'not_configured' as const, found: none };
    const nowMs = this.#options.clock.now();
    const kept = await this.#kept(name, owner, mpns);
    const isFresh = (one: Kept | undefined) =>
      one !== undefined && nowMs - one.retrievedAtMs < (one.offers.length > 0 ? FRESH_MS : NONE_FRESH_MS);
    const wanted = mpns.filter((mpn) => !isFresh(kept.get(mpn)));
    const isHeld = wanted.length > 0 && !mayAsk();
    const live = isHeld ? NOT_ASKED : await adapter.lookup(wanted.slice(0, MAX_LIVE));
    await this.#keep(name, owner, live.offers);
    // An old answer is better than none where none came; whoever uses it says how old it is.
    const found = new Map([...kept].map(([mpn, one]) => [mpn, one.offers] as const));
    for (const [mpn, list] of live.offers) found.set(mpn, list);
    const state: AdapterState = live.state === 'ok' && wanted.length > MAX_LIVE ? 'limited' : live.state;
    return { name, state, found };
  }

  async #kept(source: string, owner: string, mpns: readonly string[]): Promise<Map<string, Kept>> {
    const kept = new Map<string, Kept>();
    for (let from = 0; from < mpns.length; from += sql.OFFERS_PER_READ) {
      const some = mpns.slice(from, from + sql.OFFERS_PER_READ);
      const padded = [...some, ...new Array<string>(sql.OFFERS_PER_READ - some.length).fill('')];
      for (const one of await this.#options.store.read(sql.OFFERS_OF_MPNS, [source, owner, ...padded])) {
        kept.set(one.mpn, one);
      }
    }
    return kept;
  }

  async #keep(source: string, owner: string, found: OffersByMpn): Promise<void> {
    if (found.size === 0) return;
    const retrievedAtMs = this.#options.clock.now();
    const offers = [...found].map(([mpn, list]) => ({ source, owner, mpn, offers: list, retrievedAtMs }));
    await this.#options.store.runAll([step(keptUnit, { type: 'offers', offers })]);
  }
}

/** Names those who could not be asked; null where all were. */
export function silenceOf(adapters: FoundOffers['adapters']): string | null {
  const silent = adapters.filter(({ state }) => state === 'down' || state === 'limited');
  const names = silent.map(({ name, state }) => `${name}: ${state}`).join(', ');
  return silent.length === 0 ? null : `Some suppliers did not respond (${names}). Retry later.`;
}
