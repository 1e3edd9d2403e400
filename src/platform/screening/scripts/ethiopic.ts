/** Ethiopic letters as names are usually spelt in Latin, after BGN/PCGN 1967 without its marks. */

const FIRST = 0x1200;
const LAST = 0x1357;
const ORDERS = 8;
/** The consonant of each row of eight letters; `-` is a row without one. */
const ROWS =
  'h l h m s r s sh k kw k kw b v t ch h hw n ny - k kw h hw w - z zh y d d j g gw ng t ch p ts ts f p'.split(' ');
const VOWELS = ['e', 'u', 'i', 'a', 'e', '', 'o', 'wa'];
/** The order without a vowel, which has a short one where consonants meet. */
const SIXTH = 5;
const SHORT = 'i';

export function isEthiopic(code: number): boolean {
  return code >= FIRST && code <= LAST;
}

interface Syllable {
  readonly consonant: string;
  vowel: string;
}

function syllableOf(letter: string): Syllable {
  const place = (letter.codePointAt(0) as number) - FIRST;
  const row = ROWS[Math.floor(place / ORDERS)] as string;
  const order = place % ORDERS;
  if (row === '-')
    return { consonant: '', vowel: order === 0 ? 'a' : order === SIXTH ? 'e' : (VOWELS[order] as string) };
  return { consonant: row, vowel: row === 'h' && order === 0 ? 'a' : (VOWELS[order] as string) };
}

/** A word in Latin letters. */
export function latinOfEthiopic(letters: readonly string[]): string {
  const syllables = letters.map(syllableOf);
  for (let at = syllables.length - 2; at >= 0; at -= 1) {
    const syllable = syllables[at] as Syllable;
    if (syllable.vowel === '' && (at === 0 || syllables[at + 1]?.vowel === '')) syllable.vowel = SHORT;
  }
  return syllables.map(({ consonant, vowel }) => consonant + vowel).join('');
}
