import { z } from 'zod';
import { ANSWERS } from './thresholds.ts';

function pattern(form: RegExp, message: string) {
  return (description: string) => z.string().regex(form, message).meta({ description });
}

export const moneyField = pattern(
  /^(0|[1-9]\d{0,8})(\.\d{1,6})?$/,
  'Must be an amount such as 12.50: at most nine digits and six decimals.',
);
export const probabilityField = pattern(
  /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/,
  'Must be a number from 0 to 1 with at most six decimals.',
);
export const countField = pattern(/^\d{1,6}$/, 'Must be a whole number of at most six digits.');
export const positiveCountField = pattern(
  /^(?:[1-9]\d{0,5}|0[1-9]\d{0,4}|00[1-9]\d{0,3}|000[1-9]\d{0,2}|0000[1-9]\d?|00000[1-9])$/,
  'Must be a whole number from 1 to 999999.',
);
export const hoursField = pattern(
  /^\d{1,6}(\.\d{1,6})?$/,
  'Must be a number of hours with at most six digits and six decimals.',
);
export const periodDaysField = pattern(
  /^(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-6])$/,
  'Must be a whole number from 1 to 366.',
);

/** A comma list without blanks; a name given twice counts once. */
export function scopeField(scopes: readonly string[]) {
  const name = `(?:${scopes.join('|')})`;
  return z
    .string()
    .max(200)
    .regex(new RegExp(`^${name}(?:,${name})*$`), `Must be a comma-separated list of ${scopes.join(', ')}.`)
    .meta({ description: `Comma-separated list of ${scopes.join(', ')}. Default: all.` })
    .optional();
}

export function choiceField<const C extends readonly [string, ...string[]]>(choices: C, description: string) {
  return z.enum(choices).meta({ description }).optional();
}

/** One optional answer field for each control, with its question as description. */
export function answerFields<Id extends string>(controls: readonly { readonly id: Id; readonly question: string }[]) {
  const fields = controls.map(({ id, question }) => [id, z.enum(ANSWERS).meta({ description: question }).optional()]);
  return Object.fromEntries(fields) as Record<Id, z.ZodOptional<z.ZodEnum<Enumerated<typeof ANSWERS>>>>;
}

type Enumerated<T extends readonly string[]> = { [Member in T[number]]: Member };
