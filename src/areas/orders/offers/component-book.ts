import { type Clock, MINUTE_MS } from '#kernel/clock.ts';
import type { OffersByMpn } from '../bom/bom-choice.ts';
import { componentFacts } from './component-facts.ts';
import { type OfferBook, silenceOf } from './offer-book.ts';

export interface ComponentBookOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly catalogue: OffersByMpn;
  readonly offers: Pick<OfferBook, 'find'>;
  readonly hasSuppliers: boolean;
}

export type ComponentFacts = ReturnType<typeof componentFacts> & { readonly mpn: string; readonly note?: string };

/** Suppliers count our calls: those who pay for theirs come before those who only look. */
export const FREE_LOOKS_PER_MINUTE = 30;
/** What free looks found is kept for all of them, apart from what agents paid for. */
const OWNER = 'ground_component';
const SUPPLIERS = new Set(['nexar', 'mouser', 'digikey'] as const);

/** What is known of a part by its number, from the catalogue and from suppliers. */
export class ComponentBook {
  readonly #options: ComponentBookOptions;
  /** The numbers of the catalogue by their one form. */
  readonly #written: ReadonlyMap<string, string>;
  #minute = 0;
  #looks = 0;

  constructor(options: ComponentBookOptions) {
    this.#options = options;
    this.#written = new Map([...options.catalogue.keys()].map((mpn) => [partForm(mpn), mpn] as const));
  }

  /** Null where there is neither a catalogue nor a supplier. */
  async look(mpn: string): Promise<ComponentFacts | null> {
    const { catalogue, offers, clock, hasSuppliers } = this.#options;
    if (catalogue.size === 0 && !hasSuppliers) return null;
    const written = this.#written.get(partForm(mpn));
    const own = written === undefined ? [] : (catalogue.get(written) ?? []);
    const asked = (written ?? mpn).trim().toUpperCase();
    let isAllowed: boolean | undefined;
    const found = await offers.find(OWNER, [asked], SUPPLIERS, () => (isAllowed ??= this.#take()));
    const all = [...own, ...(found.offers.get(asked) ?? [])];
    const name = written ?? (all.length > 0 ? asked : mpn.trim());
    const facts = componentFacts(name, all, clock.now());
    const note = silenceOf(found.adapters);
    // Who was not heard may have the part.
    return note === null ? { ...facts, mpn: name } : { ...facts, mpn: name, state: 'stale', note };
  }

  #take(): boolean {
    const minute = Math.floor(this.#options.clock.now() / MINUTE_MS);
    if (minute !== this.#minute) this.#looks = 0;
    this.#minute = minute;
    this.#looks += 1;
    return this.#looks <= FREE_LOOKS_PER_MINUTE;
  }
}

/** The one form of a part number: upper case, no spaces, no dashes. */
function partForm(mpn: string): string {
  return mpn.toUpperCase().replace(/[\s-]+/g, '');
}
