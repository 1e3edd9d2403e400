import { VAT_CHECKS } from './vat-check-digits.ts';

/** What may stand after the prefix, and to which length short forms are filled up with zeros in front. */
interface VatForm {
  readonly form: RegExp;
  readonly length?: number;
}

const VAT_FORMS: Readonly<Record<string, VatForm>> = {
  AT: { form: /^U\d{8}$/ },
  BE: { form: /^(?:[01]\d{9}|\d{9})$/, length: 10 },
  BG: { form: /^\d{9,10}$/ },
  CY: { form: /^(?!12)\d{8}[A-Z]$/ },
  CZ: { form: /^\d{8,10}$/ },
  DE: { form: /^[1-9]\d{8}$/ },
  DK: { form: /^\d{8}$/ },
  EE: { form: /^\d{9}$/ },
  EL: { form: /^\d{8,9}$/, length: 9 },
  ES: { form: /^(?:[A-Z]\d{7}[0-9A-Z]|\d{8}[A-Z])$/ },
  FI: { form: /^\d{8}$/ },
  FR: { form: /^[0-9A-HJ-NP-Z]{2}\d{9}$/ },
  HR: { form: /^\d{11}$/ },
  HU: { form: /^\d{8}$/ },
  IE: { form: /^(?:\d{7}[A-W][A-W]?|\d[A-Z+*]\d{5}[A-W])$/ },
  IT: { form: /^\d{11}$/ },
  LT: { form: /^(?:\d{7}1\d|\d{10}1\d)$/ },
  LU: { form: /^\d{8}$/ },
  LV: { form: /^\d{11}$/ },
  MT: { form: /^[1-9]\d{7}$/ },
  NL: { form: /^\d{7,9}B\d{2}$/, length: 12 },
  PL: { form: /^\d{10}$/ },
  PT: { form: /^\d{9}$/ },
  RO: { form: /^(?:\d{2,10}|\d{13})$/ },
  SE: { form: /^\d{10}(?!00)\d{2}$/ },
  SI: { form: /^[1-9]\d{7}$/ },
  SK: { form: /^\d{10}$/ },
  XI: { form: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/ },
};

const NOT_IN_VIES: Readonly<Record<string, string>> = {
  GB: 'Numbers of Great Britain are not in VIES. Ask the UK tax authority.',
  EU: 'A one-stop shop number is not in VIES.',
  IM: 'An import one-stop shop number is not in VIES.',
};

/** What people write between the characters of a number, and the wide forms of East Asian keyboards. */
const BETWEEN = String.raw`[\s._·,:/\-\u2010-\u2015\u2212]*`;
const LETTER = String.raw`[A-Za-z\uff21-\uff3a\uff41-\uff5a]`;
const SIGN = String.raw`[0-9A-Za-z+*\uff0a\uff0b\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]`;

/** A VAT number as callers write it: the prefix and 2 to 14 signs, with anything usual between them. */
export const VAT_NUMBER = new RegExp(`^(?:${BETWEEN}${LETTER}){2}(?:${BETWEEN}${SIGN}){2,14}${BETWEEN}$`);

/** A number that its country could have issued; `ok` says whether its check digits fit. VIES has the last word. */
export interface VatNumber {
  /** As VIES writes it: Greece is EL. */
  readonly countryCode: string;
  readonly number: string;
  readonly checkDigits: 'ok' | 'failed';
}

/** Reads a number with its prefix, in any writing; what no country could have issued is `impossible`, with the reason. */
export function readVatNumber(text: string): VatNumber | { readonly impossible: string } {
  const compact = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9+*]/g, '');
  const prefix = compact.slice(0, 2);
  const countryCode = prefix === 'GR' ? 'EL' : prefix;
  const reason = NOT_IN_VIES[countryCode];
  if (reason !== undefined) return { impossible: reason };
  const row = VAT_FORMS[countryCode];
  if (row === undefined)
    return { impossible: 'Must begin with the two letters of a member state or XI, for example NL123456789B01.' };
  const given = compact.slice(2);
  if (!row.form.test(given)) return { impossible: `This is not a number that ${countryCode} issues.` };
  const number = row.length === undefined ? given : given.padStart(row.length, '0');
  return { countryCode, number, checkDigits: VAT_CHECKS[countryCode]?.(number) === true ? 'ok' : 'failed' };
}
