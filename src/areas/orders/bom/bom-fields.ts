import { z } from 'zod';
import { parseScaled } from '#kernel/decimal.ts';
import { withFaultCode } from '#kernel/query-decoder.ts';
import { type BomTerms, type ExchangeRate, OFFER_SOURCES, type SourceName, STRATEGIES } from './bom.ts';
import { quantityOf } from './bom-input.ts';

const amountField = (leastThousandths: number, says: string) =>
  z
    .union([z.number(), z.string().max(40)], { error: says })
    .refine((value) => (quantityOf(value) ?? 0) >= leastThousandths, says)
    .transform((value) => quantityOf(value) as number);

const SOURCE_LIST = new RegExp(`^(?:${OFFER_SOURCES.join('|')})(?:,(?:${OFFER_SOURCES.join('|')}))*$`);
const isRate = (text: string) => (parseScaled(text, 9) ?? 0) > 0;

/** Everything beside the bill itself, as JSON members or, for CSV, as query parameters. */
export const termFields = {
  quantity: withFaultCode(
    amountField(1, 'must be above 0, a whole number or a decimal text with at most 3 decimals').meta({
      description: 'How much of the root is built',
    }),
    'quantity_invalid',
  ),
  currency: z.literal('EUR').default('EUR').meta({ description: 'Of all amounts in the answer' }),
  strategy: z.enum(STRATEGIES).default('cost').meta({ description: 'What decides between offers' }),
  catalogue: z
    .union(
      [
        z.array(z.enum(OFFER_SOURCES)).min(1).max(OFFER_SOURCES.length),
        z
          .string()
          .regex(SOURCE_LIST, `must be of ${OFFER_SOURCES.join(', ')}, by commas`)
          .transform((text) => text.split(',') as SourceName[]),
      ],
      { error: `must be of ${OFFER_SOURCES.join(', ')}, as a list or by commas` },
    )
    .default([...OFFER_SOURCES])
    .meta({ description: 'Where offers are taken from' }),
  fx: z
    .record(z.string().regex(/^[A-Z]{3}$/), z.string().refine(isRate, 'must be a decimal text above 0'))
    .default({})
    .meta({ description: 'Euros for one unit of a currency; before the dated rate of the service' }),
  need_by: z.iso.date().nullish().meta({ description: 'Day by which the build is needed' }),
  include_optional: z.boolean().default(false).meta({ description: 'Counts optional lines too' }),
  max_buyup_factor: amountField(1_000, 'must be at least 1, with at most 3 decimals').nullish().meta({
    description: 'At most so many times the least quantity is bought to reach a cheaper price; null: no bound',
  }),
};

const Terms = z.strictObject(termFields);
export type TermsInput = z.output<typeof Terms>;

/** The bill itself is read by hand: a schema would take seconds for a hundred thousand lines. */
export const bomField = z
  .looseObject({})
  .meta({ description: 'root and parts; see docs/bom.md for its members and limits' });

export const BomBody = z.strictObject({ bom: bomField, ...termFields });

export function bomTerms(input: TermsInput, serviceRates: ReadonlyMap<string, ExchangeRate>): BomTerms {
  const fx = new Map(serviceRates);
  for (const [currency, rate] of Object.entries(input.fx)) {
    fx.set(currency, { nano: parseScaled(rate, 9) as number, from: 'caller', asOf: null });
  }
  return {
    quantity: input.quantity,
    strategy: input.strategy,
    sources: new Set(input.catalogue),
    fx,
    needBy: input.need_by ?? null,
    includeOptional: input.include_optional,
    maxBuyUp: input.max_buyup_factor ?? null,
  };
}
