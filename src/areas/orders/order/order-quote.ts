import { refuseFields } from '#kernel/general-problems.ts';
import type { Clock } from '#kernel/clock.ts';
import { formatScaled, parseScaled } from '#kernel/decimal.ts';
import { parseMicro } from '#kernel/money.ts';
import { type FieldError, Refusal } from '#kernel/problem.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { type ExchangeRate, OFFER_LIFE_MS, OFFER_SOURCES } from '../bom/bom.ts';
import { bestOption, inEuros, isBetter, type Option } from '../bom/bom-buy.ts';
import { quantityOf } from '../bom/bom-input.ts';
import type { Calculations } from '../bom/calculations.ts';
import { type OfferBook, silenceOf } from '../offers/offer-book.ts';
import { feeOf, type OrderLine } from './order.ts';
import type { CreateOrderInput } from './order-operations.ts';
import * as problems from '../problems.ts';

const COUNTRIES = ['NL', 'BE', 'DE'];
const PHASE_A_MICRO = 500_000_000;

export interface OrderQuote {
  readonly supplier: string;
  readonly channel: 'adapter' | 'manual';
  readonly lines: readonly OrderLine[];
  readonly goodsMicro: number;
  readonly feeMicro: number;
}

export type QuoteInput = Pick<
  CreateOrderInput,
  'calculation_id' | 'lines' | 'supplier' | 'ship_to' | 'max_total_eur' | 'note'
>;

export interface QuotesOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly calculations: Pick<Calculations, 'lines'>;
  readonly offers: Pick<OfferBook, 'find'>;
  readonly rates: ReadonlyMap<string, ExchangeRate>;
  /** How the supplier is reached; null where it is not. */
  readonly channelOf: (supplier: string) => 'adapter' | 'manual' | null;
}

/** What an order would cost, with every reason for which it cannot be made. Nothing is stored. */
export class Quotes {
  readonly #options: QuotesOptions;

  constructor(options: QuotesOptions) {
    this.#options = options;
  }

  async quote(input: QuoteInput, agentId: string): Promise<OrderQuote | Refusal> {
    const { channelOf } = this.#options;
    const { supplier } = input;
    const faults = inputFaults(input);
    if (faults.length > 0) return refuseFields(faults);
    const channel = channelOf(supplier);
    if (channel === null) {
      return new Refusal(problems.supplierUnreachable, {
        detail: 'This supplier does not accept orders from this installation. Nothing was ordered.',
      });
    }
    const lines = await this.#lines(input, agentId);
    if (lines instanceof Refusal) return lines;
    const goodsMicro = lines.reduce((sum, { total_eur }) => sum + (parseScaled(total_eur, 6) ?? Infinity), 0);
    if (lines.length === 0 || goodsMicro === 0) {
      return new Refusal(problems.nothingToOrder, {
        detail: 'None of these lines is offered by this supplier. Nothing was ordered.',
      });
    }
    if (goodsMicro > PHASE_A_MICRO) {
      const pointer = input.lines === undefined ? '#/calculation_id' : '#/lines';
      const detail = 'The goods cost more than €500, the maximum per order.';
      return refuseFields([{ pointer, code: 'amount_over_phase_a', detail }]);
    }
    const maxMicro = input.max_total_eur === undefined ? PHASE_A_MICRO : (parseMicro(input.max_total_eur) ?? 0);
    if (goodsMicro > maxMicro) {
      const members = { goods_total_eur: formatEur(goodsMicro), max_total_eur: formatEur(maxMicro) };
      return new Refusal(problems.totalOverLimit, {
        detail: 'The goods cost more than max_total_eur. Nothing was ordered.',
        members,
      });
    }
    return { supplier, channel, lines, goodsMicro, feeMicro: feeOf(goodsMicro) };
  }

  #lines(input: QuoteInput, agentId: string): Promise<OrderLine[] | Refusal> {
    const { calculation_id: id, lines, supplier } = input;
    return id === undefined ? this.#named(lines ?? [], supplier, agentId) : this.#calculated(id, supplier, agentId);
  }

  async #calculated(id: string, supplier: string, agentId: string): Promise<OrderLine[] | Refusal> {
    const { calculations, clock } = this.#options;
    const calculation = await calculations.lines(id, agentId);
    if (calculation === undefined) {
      return new Refusal(problems.calculationNotFound, {
        detail: 'You have no calculation with this id. Nothing was ordered.',
      });
    }
    if (calculation.validUntilMs <= clock.now()) {
      return new Refusal(problems.calculationExpired, {
        detail: 'The prices of this calculation have expired. Calculate again. Nothing was ordered.',
      });
    }
    const { buys } = JSON.parse(calculation.lines) as { buys: Record<string, string>[] };
    return buys
      .filter((buy) => buy['supplier'] === supplier)
      .map((buy) => ({
        mpn: buy['mpn'] ?? null,
        sku: buy['sku'] as string,
        qty: buy['order_qty'] as string,
        unit_price_eur: buy['unit_price_eur'] as string,
        total_eur: buy['total_eur'] as string,
      }));
  }

  /** Each line at the best offer of the supplier at the moment, in a quantity that the offer allows. */
  async #named(
    lines: NonNullable<QuoteInput['lines']>,
    supplier: string,
    agentId: string,
  ): Promise<OrderLine[] | Refusal> {
    const { offers, rates, clock } = this.#options;
    const oldestMs = clock.now() - OFFER_LIFE_MS;
    const found = await offers.find(agentId, [...new Set(lines.map(({ mpn }) => mpn))], new Set(OFFER_SOURCES));
    const priced: OrderLine[] = [];
    for (const { mpn, sku, qty } of lines) {
      let best: Option | undefined;
      for (const offer of found.offers.get(mpn) ?? []) {
        const isNew = offer.asOfMs >= oldestMs;
        const isAsked = isNew && offer.supplier === supplier && (sku === undefined || offer.sku === sku);
        const euro = isAsked ? inEuros(offer, rates) : null;
        const by = { strategy: 'cost', maxBuyUp: 1_000 } as const;
        const option = euro === null ? undefined : bestOption(euro, quantityOf(qty) as number, by);
        if (option !== undefined && (best === undefined || isBetter(option, best, 'cost'))) best = option;
      }
      if (best === undefined) {
        return new Refusal(problems.nothingToOrder, {
          detail: [
            `The supplier has no usable offer of the last day for ${mpn}.`,
            silenceOf(found.adapters),
            'Nothing was ordered.',
          ]
            .filter((sentence) => sentence !== null)
            .join(' '),
        });
      }
      priced.push({
        mpn,
        sku: best.offer.sku,
        qty: formatScaled(best.order, 3),
        unit_price_eur: formatScaled(best.unitNano, 9, 2),
        total_eur: formatScaled(best.totalMicro, 6, 2),
      });
    }
    return priced;
  }
}

function inputFaults({ calculation_id: id, lines, ship_to: { country } }: QuoteInput): FieldError[] {
  const faults: FieldError[] = [];
  if ((id === undefined) === (lines === undefined)) {
    faults.push({ pointer: '#/calculation_id', code: 'missing', detail: 'Give either calculation_id or lines.' });
  }
  if (!COUNTRIES.includes(country)) {
    faults.push({ pointer: '#/ship_to/country', code: 'region_unsupported', detail: 'Must be NL, BE or DE.' });
  }
  return faults;
}
