import { eachNumber, keyHash } from './hashed-keys.ts';
import type { ListIndex } from './list-index.ts';
import type { NameWord } from './parsed-name.ts';
import { allowedCost, isVowelless, likenessOf, mayBeSpelt } from './token-similarity.ts';
import { consonantHashes, otherHashes, prefixHashes, spellingHashes } from './word-hashes.ts';

/** The listed words like one word, best first. */
export interface SimilarWords {
  readonly words: Int32Array;
  /** The most that each can bring; an initial weighs so little that it is taken for wholly alike. */
  readonly similarities: Float64Array;
  /** How many names have one of them. */
  readonly names: number;
}

const CACHE_SIZE = 20_000;
/** Finds the listed words that are like a queried one. What was found is kept; it is the same at every asking. */
export class TokenIndex {
  readonly #index: ListIndex;
  readonly #tokenAt: (word: number) => NameWord;
  readonly #cache = new Map<NameWord, SimilarWords>();
  readonly #seen: Int32Array;
  #turn = 0;

  constructor(index: ListIndex, tokenAt: (word: number) => NameWord) {
    this.#index = index;
    this.#tokenAt = tokenAt;
    this.#seen = new Int32Array(index.wordWeights.length);
  }

  similarTo(token: NameWord): SimilarWords {
    const cached = this.#cache.get(token);
    if (cached !== undefined) return cached;
    const found = this.#search(token);
    const { starts } = this.#index.namesOfWord;
    const similar = {
      names: found.reduce((sum, { word }) => sum + (starts[word + 1] as number) - (starts[word] as number), 0),
      words: Int32Array.from(found, ({ word }) => word),
      similarities: Float64Array.from(found, ({ similarity }) => similarity),
    };
    if (this.#cache.size >= CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value as NameWord);
    this.#cache.set(token, similar);
    return similar;
  }

  #search(token: NameWord): { word: number; similarity: number }[] {
    const { byKey, masks, soundMasks, letterCounts } = this.#index;
    const ownLength = Math.max(token.text.length, token.spelt.length);
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
      const limit = allowedCost(Math.max(ownLength, letterCounts[word] as number));
      if (mayBeSpelt(token, masks[word] as number, soundMasks[word] as number, limit)) compare(word);
    };
    // A beginning has no letter that the whole word does not have.
    const comparePrefix = (word: number) => {
      const mask = masks[word] as number;
      if ((mask & ~token.mask) === 0 || (token.mask & ~mask) === 0) compare(word);
    };
    for (const hash of otherHashes(token, true)) eachNumber(byKey, hash, compare);
    for (const hash of prefixHashes(token)) eachNumber(byKey, hash, comparePrefix);
    eachNumber(byKey, keyHash('i', token.text.slice(0, 1)), compare);
    for (const hash of consonantHashes(token, isVowelless(token) ? 'l' : 'v')) eachNumber(byKey, hash, compare);
    for (const hash of spellingHashes(token)) eachNumber(byKey, hash, compareSpelling);
    return found.sort((a, b) => b.similarity - a.similarity || a.word - b.word);
  }
}
