import { letterTable } from './letter-table.ts';

/** Burmese syllables as names are usually spelt in Latin, after BGN/PCGN 1970. */

const CONSONANTS = letterTable(
  'က k ခ kh ဂ g ဃ g င ng စ s ဆ s ဇ z ဈ z ဉ ny ည ny ဋ t ဌ ht ဍ d ဎ d ဏ n တ t ထ ht ဒ d ဓ d န n ပ p ဖ ph ဗ b ဘ b မ m ယ y ရ y လ l ဝ w သ th ဿ th ဟ h ဠ l အ -',
);
const VOWELS_ALONE = letterTable('ဣ i ဤ i ဥ u ဦ oo ဧ e ဩ aw ဪ aw');
/** Consonants that end a syllable alike. */
const ENDINGS = letterTable(
  'က k ခ k ဂ k ဃ k င ng စ s ဆ s ဇ s ည i ဉ in တ t ထ t ဒ t ဓ t ဋ t ဌ t ဍ t ဎ t သ t န n ဏ n လ n ပ p ဖ p ဗ p ဘ p မ m ယ y',
);
const MEDIAL = { y: /[\u103b\u103c]/, w: '\u103d', h: '\u103e' } as const;
const TALL_A = '\u102b';
const A = '\u102c';
const NASAL = '\u1036';
const CREAKY = '\u1037';
const HIGH = '\u1038';

type Rime = Readonly<Partial<Record<string, string>>>;

/** As spelt after English: Mar and Nay for Ma and Ne. */
const ENGLISH = letterTable('a ar wa war e ay we way oe o');

/** What a written vowel and an ending are together. */
const RIMES: Readonly<Record<string, Rime>> = {
  '': { '': 'a', k: 'et', ng: 'in', s: 'it', i: 'i', in: 'in', t: 'at', n: 'an', p: 'at', m: 'an', y: 'e' },
  [A]: { '': 'a', n: 'an', t: 'at', m: 'an', p: 'at' },
  '\u102d': { '': 'i', t: 'eik', p: 'eik', n: 'ein', m: 'ein' },
  '\u102e': { '': 'i', t: 'eik', p: 'eik', n: 'ein', m: 'ein' },
  '\u102f': { '': 'u', t: 'ok', p: 'ok', n: 'on', m: 'on' },
  '\u1030': { '': 'u' },
  '\u1031': { '': 'e', t: 'it', n: 'in' },
  '\u1032': { '': 'e' },
  '\u1031\u102c': { '': 'aw', k: 'auk', ng: 'aung' },
  '\u102d\u102f': { '': 'o', k: 'aik', ng: 'aing' },
};
const RIMES_AFTER_W: Rime = {
  '': 'wa',
  k: 'wet',
  ng: 'win',
  s: 'wit',
  i: 'wi',
  t: 'ut',
  n: 'un',
  p: 'ut',
  m: 'un',
  y: 'we',
};

/** A consonant or a vowel alone, medials, vowels, a consonant that ends the syllable or is written above the next, tones. */
const SYLLABLE =
  /([\u1000-\u1021\u1023-\u1027\u1029\u102a\u103f])([\u103b-\u103e]*)([\u102b-\u1032]*)(?:([\u1000-\u1021])(\u1037?)[\u1039\u103a](\u1037?))?([\u1036-\u1038\u103a]*)/g;

function startOf(consonant: string, medials: string): string {
  const hasY = MEDIAL.y.test(medials);
  const hasH = medials.includes(MEDIAL.h);
  if (hasH && (consonant === 'ရ' || (hasY && 'လသ'.includes(consonant)))) return 'sh';
  if (hasY && consonant === 'ခ') return 'ch';
  if (hasY && consonant === 'င') return 'ny';
  return (hasH ? 'h' : '') + (CONSONANTS.get(consonant) ?? '') + (hasY ? 'y' : '');
}

function latinOfSyllable(
  [, first = '', medials = '', vowel = '', last = '', ...tones]: readonly string[],
  isEnglish: boolean,
): string {
  const alone = VOWELS_ALONE.get(first);
  if (alone !== undefined) return alone;
  const tone = tones.join('');
  const ending = tone.includes(NASAL) ? 'm' : (ENDINGS.get(last) ?? '');
  const hasW = medials.includes(MEDIAL.w);
  const rimes: Rime = (hasW && vowel === '' ? RIMES_AFTER_W : RIMES[vowel.replace(TALL_A, A)]) ?? {};
  const plain = rimes[ending] ?? rimes[''] ?? '';
  const rime = plain === 'o' && tone.includes(HIGH) ? 'oe' : plain;
  const start = startOf(first, medials) + (hasW && vowel !== '' ? 'w' : '');
  if (start === '' && rime === 'e') return 'aye';
  if (isEnglish && last === '') return start + (ENGLISH.get(rime) ?? rime);
  return start + rime + (rime.endsWith('n') && tone.includes(CREAKY) ? 't' : '');
}

export function isBurmese(code: number): boolean {
  return code >= 0x1000 && code <= 0x103f;
}

/** The syllables of a text in Latin letters: names are written without blanks, and spelt with them. */
export function latinOfBurmese(letters: readonly string[], isEnglish: boolean): string[] {
  return Array.from(letters.join('').matchAll(SYLLABLE), (syllable) => latinOfSyllable(syllable, isEnglish));
}
