import { readingsOf } from './readings.ts';
import { ROUGHLY_READ } from './transliteration.ts';

const ASCII_WORD = /^[\x20-\x7e]*[a-z0-9][\x20-\x7e]*$/i;
const NOT_LATIN = /[^a-z0-9]/;

/**
 * Whether part of a name stays unread in each of its readings, because Latin forms of its letters are not known.
 * Such letters match only the same letters of a listed name, so that no match says nothing. A name without letters is unread.
 */
export function hasUnreadLetters(name: string): boolean {
  if (ASCII_WORD.test(name)) return false;
  return readingsOf(name).every(
    (words) => words.length === 0 || words.some(({ text, script }) => ROUGHLY_READ.has(script) || NOT_LATIN.test(text)),
  );
}
