import { letterTable } from './letter-table.ts';

/**
 * Letters of the scripts of India and Sri Lanka, after ISO 15919 but spelt as in names: without marks, c as ch, v as v.
 * Nine of the scripts have the same letters at the same places of their Unicode blocks, Sinhala has places of its own.
 */
export type IndicSign =
  | { readonly kind: 'consonant' | 'bare' | 'vowel' | 'sign'; readonly latin: string }
  | { readonly kind: 'virama' | 'dot' | 'nasal' | 'double' | 'silent' };

const BLOCK = 0x80;
const FIRST = 0x0900;
const SINHALA = 0x0d80;
const LAST = SINHALA + BLOCK - 1;

/** First code points of the blocks whose names are spelt by rules of their own. */
export const BLOCKS = {
  devanagari: FIRST,
  bengali: 0x0980,
  gurmukhi: 0x0a00,
  gujarati: 0x0a80,
  odia: 0x0b00,
  tamil: 0x0b80,
  sinhala: SINHALA,
} as const;

/** The nasal of j and y is written ñ until the word is whole: after a j it is spoken as gy. */
const CONSONANTS = 'k kh g gh n ch chh j jh ñ t th d dh n t th d dh n n p ph b bh m y r r l l zh v sh sh s h'.split(
  ' ',
);
const FIRST_CONSONANT = 0x15;
const VOWELS = 'a a i i u u ri li e e e ai o o o au'.split(' ');
const FIRST_VOWEL = 0x05;
const SIGNS = 'a i i u u ri ri e e e ai o o o au'.split(' ');
const FIRST_SIGN = 0x3e;
const BY_PLACE: ReadonlyMap<number, IndicSign> = new Map<number, IndicSign>([
  [0x00, { kind: 'nasal' }],
  [0x01, { kind: 'nasal' }],
  [0x02, { kind: 'nasal' }],
  [0x3c, { kind: 'dot' }],
  [0x4d, { kind: 'virama' }],
  ...CONSONANTS.map((latin, at) => [FIRST_CONSONANT + at, { kind: 'consonant', latin }] as const),
  ...VOWELS.map((latin, at) => [FIRST_VOWEL + at, { kind: 'vowel', latin }] as const),
  ...SIGNS.map((latin, at) => [FIRST_SIGN + at, { kind: 'sign', latin }] as const),
]);

const OWN_CONSONANTS =
  'য j ৰ r ৱ w ଯ j ୟ y ୱ w ੜ r ౘ ts ౙ z ழ zh ற r ன n ක k ඛ kh ග g ඝ gh ඞ n ඟ ng ච ch ඡ chh ජ j ඣ jh ඤ n ඥ gn ඦ nj ට t ඨ th ඩ d ඪ dh ණ n ඬ nd ත th ථ th ද d ධ dh න n ඳ nd ප p ඵ ph බ b භ bh ම m ඹ mb ය y ර r ල l ව w ශ sh ෂ sh ස s හ h ළ l ෆ f';
/** Consonants that no vowel follows. */
const BARE = 'ৎ t ൺ n ൻ n ർ r ൽ l ൾ l ൿ k';
const OWN_VOWELS = 'ॐ om ॲ a ඕ o ඔ o ඓ ai ඒ e එ e ඍ ri ඌ u උ u ඊ i ඉ i ඈ a ඇ a ආ a අ a ඖ au ੲ - ੳ -';
const OWN_SIGNS = 'ා a ැ a ෑ a ි i ී i ු u ූ u ෘ ru ෙ e ේ e ෛ ai ො o ෝ o ෞ au';

const OWN: ReadonlyMap<string, IndicSign> = new Map<string, IndicSign>([
  ...withKind('consonant', OWN_CONSONANTS),
  ...withKind('bare', BARE),
  ...withKind('vowel', OWN_VOWELS),
  ...withKind('sign', OWN_SIGNS),
  ['\u0a70', { kind: 'nasal' }],
  ['\u0a71', { kind: 'double' }],
  ['\u0d82', { kind: 'nasal' }],
  ['\u0dca', { kind: 'virama' }],
]);

function withKind(kind: 'consonant' | 'bare' | 'vowel' | 'sign', table: string): [string, IndicSign][] {
  return Array.from(letterTable(table), ([letter, latin]) => [letter, { kind, latin }]);
}

/** The first code point of the block of a letter or sign; undefined for what is in none of them. */
export function indicBlock(code: number): number | undefined {
  return code >= FIRST && code <= LAST ? code - (code % BLOCK) : undefined;
}

const LETTER = /\p{L}/u;

/** What a character is in a word. A letter without a Latin form stays as it is. */
export function indicSign(one: string): IndicSign {
  const code = one.codePointAt(0) as number;
  const sign = OWN.get(one) ?? (code < SINHALA ? BY_PLACE.get(code % BLOCK) : undefined);
  return sign ?? (LETTER.test(one) ? { kind: 'bare', latin: one } : { kind: 'silent' });
}
