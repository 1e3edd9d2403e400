import { z } from 'zod';

const MICRO = 1_000_000n;
const AMOUNT = /^-?\d{1,12}(?:\.\d{1,6})?$/;

/** Decimal text or a JSON number; its micro units, which may be negative on a credit note. */
const amount = z
  .union([z.string(), z.number()])
  .refine((value) => AMOUNT.test(String(value)), 'Must be a decimal number with at most six decimals.')
  .meta({ description: 'A decimal number.' });
const party = z.strictObject({
  name: z.string().max(300).optional(),
  vat_number: z.string().max(40).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Must be two capital letters.')
    .optional(),
});

export const Invoice = z.strictObject({
  number: z.string().min(1).max(100),
  issue_date: z.iso.date(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Must be three capital letters.')
    .default('EUR'),
  supplier: party,
  customer: party.optional(),
  iban: z.string().max(60).optional(),
  lines: z
    .array(
      z.strictObject({
        description: z.string().max(1_000).optional(),
        quantity: amount,
        unit_price: amount,
        base_quantity: amount
          .refine((value) => Number(value) > 0, 'Must be above 0.')
          .optional()
          .meta({ description: 'How many units unit_price buys, if more or less than one.' }),
        adjustments: z
          .array(amount)
          .max(100)
          .optional()
          .meta({ description: 'Charges that net includes in addition to the price. Allowances are negative.' }),
        net: amount.optional(),
        vat_rate: amount.meta({ description: 'In percent.' }),
      }),
    )
    .min(1)
    .max(2_000),
  net_total: amount,
  vat_total: amount,
  gross_total: amount,
});
export type Invoice = z.output<typeof Invoice>;

export function micro(value: string | number): bigint {
  const [, sign = '', units = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  const size = BigInt(units) * MICRO + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? -size : size;
}

/** The product of two amounts, rounded half away from zero. */
export function times(a: bigint, b: bigint, per: bigint = MICRO): bigint {
  const product = a * b;
  const half = product < 0n ? -per / 2n : per / 2n;
  return (product + half) / per;
}
