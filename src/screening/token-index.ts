import { addNeighbourHashes, eachNumber, type KeyTable, keyHash, keyTable } from './hashed-keys.ts';
import type { ListIndex } from './list-index.ts';
import type { Token } from './parsed-name.ts';
import { koreanKey } from './sound-keys.ts';
import { isVowelless, likenessOf, LONG_WORD, mayBeSpelt } from './token-similarity.ts';

/** The listed words like one word, best first. */
export interface SimilarWords {
  readonly words: Int32Array;
  /** The most that each can bring; an initial weighs so little that it is taken for wholly alike. */
  readonly similarities: Float64Array;
}

const CACHE_SIZE = 20_000;
const MIN_SKELETON = 3;
/** Fewer consonants with one left out fit too many words. */
const MIN_CONSONANTS_TO_VARY = 3;
const PREFIX_LETTERS = 4;
const KOREAN_LETTERS = 6;
/** Longer words are compared by their beginning only; the limit keeps hostile words cheap. */
const LONGEST_KEY = 18;

/** Equal hashes mean that the words may be spelt alike. */
function spellingHashes(token: Token): number[] {
  const hashes: number[] = [];
  addNeighbourHashes(hashes, 't', token.spelt.slice(0, LONGEST_KEY), 1);
  const sound = token.sound.slice(0, LONGEST_KEY);
  addNeighbourHashes(hashes, 's', sound, token.text.length > LONG_WORD - 3 ? 2 : 1);
  return hashes;
}

/** Between Hangul and Latin, where neither is compared with its own kind. */
function koreanHash(token: Token, isQuery: boolean): number[] {
  const isHangul = token.script === 'hangul';
  if (!isHangul && token.text.length > KOREAN_LETTERS) return [];
  return [keyHash(isHangul === isQuery ? 'h' : 'g', koreanKey(token.text))];
}

/** Equal hashes mean that another rule may see a likeness; without an equal hash no rule does. */
function otherHashes(token: Token, isQuery: boolean): number[] {
  const hashes = koreanHash(token, isQuery);
  hashes.push(keyHash('x', token.text));
  if (token.symbol !== undefined) hashes.push(keyHash('n', token.symbol));
  if (token.skeleton.length >= MIN_SKELETON) hashes.push(keyHash('k', token.skeleton));
  if (token.text.length >= PREFIX_LETTERS) hashes.push(keyHash('p', token.text.slice(0, PREFIX_LETTERS)));
  if (token.text.startsWith('abd')) hashes.push(keyHash('t', token.text.slice(3)));
  return hashes;
}

function consonantHashes(token: Token, kind: string): number[] {
  const hashes: number[] = [];
  for (const key of token.consonants) {
    if (key.length < MIN_CONSONANTS_TO_VARY) hashes.push(keyHash(kind, key));
    else addNeighbourHashes(hashes, kind, key.slice(0, LONGEST_KEY), 1);
  }
  return hashes;
}

export function wordTable(tokens: readonly Token[]): KeyTable {
  return keyTable(tokens.length, (number) => {
    const token = tokens[number] as Token;
    if (token.kind === 'initial') return [keyHash('i', token.text)];
    return [
      ...spellingHashes(token),
      ...otherHashes(token, false),
      ...consonantHashes(token, isVowelless(token) ? 'v' : 'l'),
    ];
  });
}

/** Finds the listed words that are like a queried one. What was found is kept; it is the same at every asking. */
export class TokenIndex {
  readonly #index: ListIndex;
  readonly #tokenAt: (word: number) => Token;
  readonly #cache = new Map<Token, SimilarWords>();
  readonly #seen: Int32Array;
  #turn = 0;

  constructor(index: ListIndex, tokenAt: (word: number) => Token) {
    this.#index = index;
    this.#tokenAt = tokenAt;
    this.#seen = new Int32Array(index.wordWeights.length);
  }

  similarTo(token: Token): SimilarWords {
    const cached = this.#cache.get(token);
    if (cached !== undefined) return cached;
    const found = this.#search(token);
    const similar = {
      words: Int32Array.from(found, ({ word }) => word),
      similarities: Float64Array.from(found, ({ similarity }) => similarity),
    };
    if (this.#cache.size >= CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value as Token);
    this.#cache.set(token, similar);
    return similar;
  }

  #search(token: Token): { word: number; similarity: number }[] {
    const { byKey, masks, soundMasks } = this.#index;
    const found: { word: number; similarity: number }[] = [];
    this.#turn += 1;
    const compare = (word: number) => {
      if (this.#seen[word] === this.#turn) return;
      this.#seen[word] = this.#turn;
      const likeness = likenessOf(token, this.#tokenAt(word));
      if (likeness !== undefined)
        found.push({ word, similarity: likeness.how === 'initial' ? 1 : likeness.similarity });
    };
    const compareSpelling = (word: number) => {
      if (mayBeSpelt(token, masks[word] as number, soundMasks[word] as number)) compare(word);
    };
    for (const hash of otherHashes(token, true)) eachNumber(byKey, hash, compare);
    eachNumber(byKey, keyHash('i', token.text.slice(0, 1)), compare);
    for (const hash of consonantHashes(token, isVowelless(token) ? 'l' : 'v')) eachNumber(byKey, hash, compare);
    for (const hash of spellingHashes(token)) eachNumber(byKey, hash, compareSpelling);
    return found.sort((a, b) => b.similarity - a.similarity || a.word - b.word);
  }
}
