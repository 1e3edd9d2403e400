import { LOOK_ALIKES } from './look-alikes.ts';

const LETTER_OF = new Map<string, string>([
  ['ß', 'ss'],
  ['œ', 'oe'],
  ['æ', 'ae'],
  ...Object.entries(LOOK_ALIKES).flatMap(([letter, alikes]) => Array.from(alikes, (one) => [one, letter] as const)),
]);
const readings = new Map<string, string | null>();
const MOST_READINGS = 20_000;

/** What a character is read as; nothing for a mark, null for a gap between words. */
export function readAs(character: string): string | null {
  const known = readings.get(character);
  if (known !== undefined) return known;
  const plain = character
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
  const letters = Array.from(plain, (one) => LETTER_OF.get(one) ?? one).join('');
  const reading = /^[\p{L}\p{N}]*$/u.test(letters) ? letters : null;
  if (readings.size < MOST_READINGS) readings.set(character, reading);
  return reading;
}

/** The plain letters of a word or a phrase of our own lists. */
export function plainLetters(text: string): string {
  return Array.from(text, (one) => readAs(one) ?? ' ').join('');
}

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
};
/** Some signs stand for two letters. */
const LEET_READINGS: readonly (typeof LEET)[] = [LEET, { ...LEET, 1: 'l', 2: 'r', 6: 'b', '|': 'i' }];

/** What a word with digits and signs may stand for. */
export function leetReadings(word: string): string[] {
  return LEET_READINGS.map((table) => word.replaceAll(/[^a-z.]/g, (sign) => table[sign] ?? sign));
}
