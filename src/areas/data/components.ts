import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Component } from './retrieval-operations.ts';

type ComponentFacts = Omit<Component, 'mpn' | 'as_of' | 'sandbox'>;

export interface ComponentsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  /** Offers and catalogue, by the part number in its one form; absent where no source of parts is configured. */
  readonly look?: (mpn: string) => Promise<ComponentFacts>;
}

const NOT_CONFIGURED: ComponentFacts = {
  ...{ found: false, manufacturer: null, lifecycle: null, offers_count: 0, stock_total: null, price_range: null },
  ...{ lead_days: null, alternates: [], sources: [], state: 'not_configured' },
  note: 'No source of parts is configured here; the operator switches one on by its credentials.',
};

/** The one form of a part number: upper case, no spaces, no dashes. */
function partNumber(mpn: string): string {
  return mpn.toUpperCase().replace(/[\s-]+/g, '');
}

export class Components {
  readonly #options: ComponentsOptions;

  constructor(options: ComponentsOptions) {
    this.#options = options;
  }

  async ground(mpn: string): Promise<Component> {
    const { clock, sandbox, look } = this.#options;
    const normal = partNumber(mpn);
    const facts = look === undefined ? NOT_CONFIGURED : await look(normal);
    return { ...facts, mpn: normal, as_of: isoTime(clock.now()), ...(sandbox && { sandbox: true }) };
  }
}
