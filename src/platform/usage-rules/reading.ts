import { readAs } from './fold.ts';
import { type Entry, entryOf, hashOf, hashWith, maskOfEnding } from './lexicon.ts';
import { isNone, type Mask } from './masks.ts';

/** A word or a phrase as a reader sees it, in plain Latin letters, and its place in the text. */
export interface Term {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly mask: Mask;
  /** How many words it has. */
  readonly count: number;
}

export interface Word extends Term {
  /** It holds letters, and digits or signs that may stand for some. */
  readonly hasSigns: boolean;
  /** What the lists know of it. */
  readonly entry: Entry | undefined;
}

const LAST_ASCII = 0x7f;
const LAST_UNIT = 0xffff;
const SIGNS = '@$!|+';
const MAX_SIGNS = 3;

export function wordAt(start: number, end: number, text: string, hasSigns = false, hash = hashOf(text)): Word {
  const entry = entryOf(text, hash);
  const mask = entry === undefined || isNone(entry.mask) ? maskOfEnding(text) : entry.mask;
  return { start, end, text, mask, count: 1, hasSigns, entry };
}

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isDigit = (code: number) => code >= 48 && code <= 57;
const DOT = 46;

/** All words of a text; signs such as @ and $ belong to a word when a letter or a digit follows. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  // Made once; a text that changes its length by it is made smaller word by word.
  const small = text.toLowerCase();
  const smaller = (from: number, to: number) =>
    small.length === text.length ? small.slice(from, to) : text.slice(from, to).toLowerCase();
  for (let at = 0; at < text.length; ) {
    const start = at;
    let letters: string | null = null;
    let runFrom = at;
    let signs = 0;
    let hash = 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isLetter(code)) {
        hash = hashWith(hash, code);
        continue;
      }
      if (isDigit(code) || (code <= LAST_ASCII && isSignInWord(text, at))) {
        if (code !== DOT) signs += 1;
        hash = hashWith(hash, code);
        continue;
      }
      if (code <= LAST_ASCII) break;
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      const reading = readAs(character);
      if (reading === null) break;
      letters = `${letters ?? ''}${smaller(runFrom, at)}${reading}`;
      at += character.length - 1;
      runFrom = at + 1;
    }
    const word: string = letters === null ? smaller(start, at) : `${letters}${smaller(runFrom, at)}`;
    if (word !== '') {
      const hasSigns = signs > 0 && signs < word.length;
      words.push(wordAt(start, at, word, hasSigns, letters === null ? hash : hashOf(word)));
    }
    if (at < text.length) at += (text.codePointAt(at) ?? 0) > LAST_UNIT ? 2 : 1;
  }
  return words;
}

/** A dot before the name of a hidden file, and signs that stand for letters. */
function isSignInWord(text: string, at: number): boolean {
  const sign = text[at] ?? '';
  if (sign === ' ' || sign === ',') return false;
  const next = text.charCodeAt(at + 1);
  if (sign === '.') return isLetter(next) && (at === 0 || text[at - 1] === ' ' || text[at - 1] === '/');
  if (!SIGNS.includes(sign)) return false;
  let behind = at + 1;
  while (behind - at < MAX_SIGNS && SIGNS.includes(text[behind] ?? ' ')) behind += 1;
  const code = text.charCodeAt(behind);
  return isLetter(code) || isDigit(code);
}
