import { addressGroups } from '#kernel/ip-prefix.ts';
import { readDutchPlate } from '#protocol/identifiers/plate.ts';
import { readVatNumber } from '#protocol/identifiers/vat-number.ts';
import { ibans } from './iban.ts';
import type { FoundSpan } from '../web/visible-text.ts';

export type Finder = (text: string) => FoundSpan[];

/** Every match that `read` takes; it gives the value, and where it ends when that is before the match does. */
function finder(pattern: RegExp, read: (match: string) => { value: string; length?: number } | undefined): Finder {
  return (text) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const whole = match[1] ?? match[0];
      const start = match.index + match[0].indexOf(whole);
      const taken = read(whole);
      if (taken === undefined) return [];
      return [{ start, end: start + (taken.length ?? whole.length), value: taken.value }];
    });
}

const asIs = (value: string) => ({ value });

/** Personal data that is always written the same way. */
export const PERSONAL = {
  ip: finder(
    /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,40}[0-9A-Fa-f:])(?![\w:]|\.\d)/g,
    (text) => (/[0-9A-Fa-f]/.test(text) && addressGroups(text) !== null ? { value: text } : undefined),
  ),
  plate: finder(/(?<![\w-])[A-Z0-9]{1,3}-[A-Z0-9]{2,3}-[A-Z0-9]{1,3}(?![\w-])/g, (text) => {
    const plate = readDutchPlate(text);
    return plate?.sidecode != null && plate.display === text ? { value: plate.kenteken } : undefined;
  }),
} as const satisfies Record<string, Finder>;

const MONTHS = `jan(?:uari|uary|uar)?|feb(?:ruari|ruary|ruar)?|maart|mrt|mar(?:ch)?|märz|apr(?:il)?|mei|may|mai|jun[ie]?|jul[iy]?|aug(?:ustus|ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?`;
/** By the first three letters, in Dutch, English and German. */
const MONTH_OF = new Map(
  'jan1 feb2 maa3 mrt3 mar3 mär3 apr4 mei5 may5 mai5 jun6 jul7 aug8 sep9 oct10 okt10 nov11 dec12 dez12'
    .split(' ')
    .map((entry) => [entry.slice(0, 3), Number(entry.slice(3))] as const),
);

function isoDate(year: string, month: number, day: string): { value: string } | undefined {
  const value = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(value) ? undefined : { value };
}

/** Dates as numbers are read day first, as Dutch, Belgian and German papers write them. */
function readDate(text: string): { value: string } | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso !== null) return isoDate(iso[1] as string, Number(iso[2]), iso[3] as string);
  const numeric = /^(\d{1,2})[-./](\d{1,2})[-./](\d{4})$/.exec(text);
  if (numeric !== null) return isoDate(numeric[3] as string, Number(numeric[2]), numeric[1] as string);
  const [day = '', year = ''] = text.match(/\d+/g) ?? [];
  return isoDate(year, MONTH_OF.get(text.match(/\p{L}{3}/u)?.[0].toLowerCase() ?? '') ?? 0, day);
}

const CURRENCIES: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' };
const CURRENCY = /EUR|USD|GBP|CHF|[€$£]/;
const MINUS = /[-−–]/;
const MARK = `(?:${CURRENCY.source})`;
const SIGN = `${MINUS.source}?`;
const FIRST_GROUP = String.raw`[1-9]\d{0,2}`;
/** Groups of thousands, with decimals behind another sign, or no groups. Nothing of the number may follow. */
const AMOUNT = String.raw`(?:${[
  String.raw`${FIRST_GROUP}(?:\.\d{3}){1,4}(?:,\d{1,18})?`,
  String.raw`${FIRST_GROUP}(?:,\d{3}){1,4}(?:\.\d{1,18})?`,
  String.raw`${FIRST_GROUP}(?:[ '’\u00A0\u2009\u202F]\d{3}){1,4}(?:[.,]\d{1,18})?`,
  String.raw`\d{1,12}(?:[.,]\d{1,18})?`,
].join('|')})(?![.,]?\d)`;

function readMoney(text: string): { value: string } {
  const mark = CURRENCY.exec(text)?.[0] ?? '';
  const sign = MINUS.test(text) ? '-' : '';
  const figures = text.replace(/[^\d.,]/g, '');
  const [, groupSign] = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*(?!\d|\1)/.exec(figures) ?? [];
  const [whole = '', decimals = ''] = figures.replaceAll(groupSign ?? ' ', '').split(/[.,]/);
  const units = whole.replace(/^0+(?=\d)/, '');
  return { value: `${sign}${units}.${decimals.padEnd(2, '0')} ${CURRENCIES[mark] ?? mark}` };
}

/** Entities that text.extract reads without a model. */
export const ENTITIES = {
  date: finder(
    new RegExp(
      String.raw`(?<![\d-])(?:\d{4}-\d{2}-\d{2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|\d{1,2}\.? (?:${MONTHS})\.? \d{4})(?![\d-])`,
      'gi',
    ),
    readDate,
  ),
  money: finder(
    new RegExp(String.raw`(?<![\w.,])${SIGN}(?:${MARK} ?${SIGN}${AMOUNT}|${AMOUNT} ?${MARK}(?!\d))`, 'g'),
    readMoney,
  ),
  iban: ibans,
  vat: finder(/(?<![A-Za-z0-9])[A-Z]{2}[ .]?[0-9A-Z][0-9A-Z.]{6,14}(?![A-Za-z0-9])/g, (text) => {
    const vat = readVatNumber(text);
    return 'impossible' in vat ? undefined : { value: `${vat.countryCode}${vat.number}` };
  }),
  kvk: finder(/\bkvk\D{0,12}(\d{8})(?!\d)/gi, asIs),
  mpn: finder(/\b(?:mpn|part number|component)[\s:#=]{1,4}([A-Z0-9][A-Z0-9./+-]{3,30}[A-Z0-9])/gi, (text) =>
    /\d/.test(text) ? { value: text } : undefined,
  ),
  url: finder(/https?:\/\/[^\s<>"'()[\]{}]{3,2000}[^\s<>"'()[\]{}.,;:!?]/g, (text) =>
    URL.canParse(text) ? { value: text } : undefined,
  ),
} as const satisfies Record<string, Finder>;
