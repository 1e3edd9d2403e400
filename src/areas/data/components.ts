import { type Clock, isoTime } from '#kernel/clock.ts';
import type { PartFacts } from './retrieval/retrieval-operations.ts';

type ComponentFacts = Omit<PartFacts, 'as_of' | 'sandbox'>;

export interface ComponentsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  /** By the part number in any writing; null where no source of parts is configured. */
  readonly look: (partNumber: string) => Promise<ComponentFacts | null>;
}

const NOT_CONFIGURED: Omit<ComponentFacts, 'mpn'> = {
  found: false,
  manufacturer: null,
  lifecycle: null,
  offers_count: 0,
  stock_total: null,
  price_range: null,
  lead_days: null,
  alternates: [],
  sources: [],
  state: 'not_configured',
  note: 'No parts source is configured. The operator enables one by setting its credentials.',
};

export class Components {
  readonly #options: ComponentsOptions;

  constructor(options: ComponentsOptions) {
    this.#options = options;
  }

  async ground(mpn: string): Promise<PartFacts> {
    const { clock, sandbox, look } = this.#options;
    const facts = (await look(mpn)) ?? { ...NOT_CONFIGURED, mpn: mpn.trim() };
    return { ...facts, as_of: isoTime(clock.now()), ...(sandbox && { sandbox: true }) };
  }
}
