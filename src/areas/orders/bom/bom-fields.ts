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
    amountField(1, 'Must be above 0: a whole number, or decimal text with at most 3 decimals.').meta({
      description: 'How many units of the root part to build.',
    }),
    'quantity_invalid',
  ),
  currency: z.literal('EUR').default('EUR').meta({ description: 'Currency of all amounts in the response.' }),
  strategy: z.enum(STRATEGIES).default('cost').meta({ description: 'How to choose between offers.' }),
  catalogue: z
    .union(
      [
        z.array(z.enum(OFFER_SOURCES)).min(1).max(OFFER_SOURCES.length),
        z
          .string()
          .regex(SOURCE_LIST, `Must be a comma-separated list of ${OFFER_SOURCES.join(', ')}.`)
          .transform((text) => text.split(',') as SourceName[]),
      ],
      { error: `Must be a list or comma-separated text of ${OFFER_SOURCES.join(', ')}.` },
    )
    .default([...OFFER_SOURCES])
    .meta({ description: 'Sources of offers.' }),
  fx: z
    .record(z.string().regex(/^[A-Z]{3}$/), z.string().refine(isRate, 'Must be decimal text above 0.'))
    .default({})
    .meta({ description: "Euros per unit of a currency. Overrides the service's dated rate." }),
  need_by: z.iso.date().nullish().meta({ description: 'Date by which the build is needed.' }),
  include_optional: z.boolean().default(false).meta({ description: 'Include optional lines.' }),
  max_buyup_factor: amountField(1_000, 'Must be at least 1, with at most 3 decimals.').nullish().meta({
    description:
      'Maximum multiple of the smallest possible order quantity to buy for a cheaper price. Null means no limit.',
  }),
};

const Terms = z.strictObject(termFields);
export type TermsInput = z.output<typeof Terms>;

/** The bill itself is read by hand: a schema would take seconds for a hundred thousand lines. */
export const bomField = z
  .looseObject({})
  .meta({ description: 'The bill of materials: root and parts. See docs/orders.md for members and limits.' });

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
