import { addNeighbourHashes, keyHash, type KeyTable, keyTable } from './hashed-keys.ts';
import type { NameWord } from './parsed-name.ts';
import { koreanKey } from './sound-keys.ts';
import { isVowelless, LONG_WORD } from './token-similarity.ts';

const MIN_SKELETON = 3;
/** Fewer consonants with one left out fit too many words. */
const MIN_CONSONANTS_TO_VARY = 3;
const PREFIX_LETTERS = 4;
const KOREAN_LETTERS = 6;
/** Longer words are compared by their beginning only; the limit keeps hostile words cheap. */
const MAX_KEY_LENGTH = 18;

/** Equal hashes mean that the words may be spelt alike. */
export function spellingHashes(token: NameWord): number[] {
  const hashes: number[] = [];
  addNeighbourHashes(hashes, 't', token.spelt.slice(0, MAX_KEY_LENGTH), 1);
  const sound = token.sound.slice(0, MAX_KEY_LENGTH);
  addNeighbourHashes(hashes, 's', sound, token.text.length > LONG_WORD - 3 ? 2 : 1);
  return hashes;
}

/** Between Hangul and Latin, where neither is compared with its own kind. */
function koreanHash(token: NameWord, isQuery: boolean): number[] {
  const isHangul = token.script === 'hangul';
  if (!isHangul && token.text.length > KOREAN_LETTERS) return [];
  return [keyHash(isHangul === isQuery ? 'h' : 'g', koreanKey(token.text))];
}

/** Equal hashes mean that another rule may see a likeness; without an equal hash no rule does. */
export function otherHashes(token: NameWord, isQuery: boolean): number[] {
  const hashes = koreanHash(token, isQuery);
  hashes.push(keyHash('x', token.text));
  if (token.symbol !== undefined) hashes.push(keyHash('n', token.symbol));
  if (token.skeleton.length >= MIN_SKELETON) hashes.push(keyHash('k', token.skeleton));
  if (token.text.startsWith('abd'))
    hashes.push(keyHash('t', token.text.slice(3)), keyHash('i', token.text.slice(0, 4)));
  return hashes;
}

/** Equal hashes mean that one word may be how the other begins. */
export function prefixHashes(token: NameWord): number[] {
  return token.text.length >= PREFIX_LETTERS ? [keyHash('p', token.text.slice(0, PREFIX_LETTERS))] : [];
}

export function consonantHashes(token: NameWord, kind: string): number[] {
  const hashes: number[] = [];
  for (const key of token.consonants) {
    if (key.length < MIN_CONSONANTS_TO_VARY) hashes.push(keyHash(kind, key));
    else addNeighbourHashes(hashes, kind, key.slice(0, MAX_KEY_LENGTH), 1);
  }
  return hashes;
}

export function wordTable(tokens: readonly NameWord[]): KeyTable {
  return keyTable(tokens.length, (number) => {
    const token = tokens[number] as NameWord;
    if (token.kind === 'initial') return [keyHash('i', token.text)];
    return [
      ...spellingHashes(token),
      ...otherHashes(token, false),
      ...prefixHashes(token),
      ...consonantHashes(token, isVowelless(token) ? 'v' : 'l'),
    ];
  });
}
