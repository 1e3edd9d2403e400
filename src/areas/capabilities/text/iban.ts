import { type FoundSpan, isGapSign, MAX_GAP } from '../web/visible-text.ts';

/** Account part by country (SWIFT's register of IBAN forms): n digits, a letters, c either. */
const FORMS = `AD8n12c AE19n AL8n16c AT16n AZ4a20c BA16n BE12n BG4a6n8c BH4a14c BI23n BR23n1a1c BY4c4n16c CH5n12c CR18n CY8n16c
  CZ20n DE18n DJ23n DK14n DO4c20n EE16n EG25n ES20n FI14n FK2a12n FO14n FR10n11c2n GB4a14n GE2a16n GI4a15c GL14n GR7n16c
  GT24c HN4a20n HR17n HU24n IE4a14n IL19n IQ4a15n IS22n IT1a10n12c JO4a4n18c KW4a22c KZ3n13c LB4n20c LC4a24c LI5n12c
  LT16n LU3n13c LV4a13c LY21n MC10n11c2n MD20c ME18n MK3n10c2n MN16n MR23n MT4a5n18c MU4a19n3a NI4a20n NL4a10n NO11n
  OM3n16c PK4a16c PL24n PS4a21c PT21n QA4a21c RO4a16c RS18n RU14n15c SA2n18c SC4a20n3a SD14n SE20n SI15n SK20n
  SM1a10n12c SO19n ST21n SV4a20n TL19n TN20n TR6n16c UA6n19c VA18n VG4a16n XK16n YE4a4n18c`;
const CLASSES: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' };

interface IbanForm {
  readonly length: number;
  readonly form: RegExp;
}

const FORM_OF: ReadonlyMap<string, IbanForm> = new Map(
  FORMS.split(/\s+/).map((entry) => {
    const parts = [...entry.slice(2).matchAll(/(\d+)([nac])/g)].map(([, count, kind = '']) => ({
      count: Number(count),
      pattern: `${CLASSES[kind]}{${count}}`,
    }));
    const length = parts.reduce((sum, { count }) => sum + count, 4);
    const form = new RegExp(`^[A-Z]{2}[0-9]{2}${parts.map(({ pattern }) => pattern).join('')}$`);
    return [entry.slice(0, 2), { length, form }] as const;
  }),
);

/** Whether a compact text in upper case is an account number whose length, form and check digits fit. */
export function isIban(text: string): boolean {
  const known = FORM_OF.get(text.slice(0, 2));
  return known !== undefined && text.length === known.length && known.form.test(text) && restBy97(text) === 1;
}

function restBy97(iban: string): number {
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** Every account number in a text, whatever its case and whatever stands between its letters and digits, or beside it. */
export function ibans(shown: string): FoundSpan[] {
  const found: FoundSpan[] = [];
  for (const { letters, at } of stretches(shown)) {
    const upper = letters.toUpperCase();
    for (let from = 0; from + 15 <= upper.length; from += 1) {
      const length = FORM_OF.get(upper.slice(from, from + 2))?.length;
      if (length === undefined || from + length > upper.length) continue;
      const value = upper.slice(from, from + length);
      if (!isIban(value) || isProse(letters.slice(from, from + length))) continue;
      found.push({ start: at[from] as number, end: (at[from + length - 1] as number) + 1, value });
      // Inside of one another may pass the check by chance, and would take along what follows.
      from += length - 1;
    }
  }
  return found;
}

/** Words with few digits among them may pass the check by chance, one in 97; written accounts have many digits. */
function isProse(text: string): boolean {
  return /[a-z]/.test(text) && text.replace(/\D/g, '').length * 2 < text.length;
}

interface Stretch {
  readonly letters: string;
  readonly at: readonly number[];
}

/** The letters and digits between which nothing stands but gaps. */
function* stretches(shown: string): Generator<Stretch> {
  let [letters, at]: [string[], number[]] = [[], []];
  let gap = 0;
  for (let index = 0; index <= shown.length; index += 1) {
    const sign = shown[index] ?? '';
    if (/^[A-Za-z0-9]$/.test(sign)) {
      letters.push(sign);
      at.push(index);
      gap = 0;
      continue;
    }
    gap += 1;
    if (sign !== '' && gap <= MAX_GAP && isGapSign(sign)) continue;
    if (letters.length > 0) yield { letters: letters.join(''), at };
    [letters, at] = [[], []];
  }
}
