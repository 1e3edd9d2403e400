import { readingsOf } from './readings.ts';

const ASCII_WORD = /^[\x20-\x7e]*[a-z0-9][\x20-\x7e]*$/i;
const NOT_LATIN = /[^a-z0-9]/;

/**
 * Whether part of a name stays unread in each of its readings: its letters have no Latin form here, or one that is too far
 * from how names are spelt. That no listed name matches then says nothing. A name without letters is unread.
 */
export function hasUnreadLetters(name: string): boolean {
  if (ASCII_WORD.test(name)) return false;
  return readingsOf(name).every(
    (words) => words.length === 0 || words.some(({ text, script }) => script === 'rough' || NOT_LATIN.test(text)),
  );
}
