import { eachNumber, keyHash } from './hashed-keys.ts';
import type { ListIndex } from './list-index.ts';
import type { NameWord } from './parsed-name.ts';
import { isVowelless, likenessOf, mayBeSpelt } from './token-similarity.ts';
import { consonantHashes, otherHashes, spellingHashes } from './word-hashes.ts';

/** The listed words like one word, best first. */
export interface SimilarWords {
  readonly words: Int32Array;
  /** The most that each can bring; an initial weighs so little that it is taken for wholly alike. */
  readonly similarities: Float64Array;
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
    const similar = {
      words: Int32Array.from(found, ({ word }) => word),
      similarities: Float64Array.from(found, ({ similarity }) => similarity),
    };
    if (this.#cache.size >= CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value as NameWord);
    this.#cache.set(token, similar);
    return similar;
  }

  #search(token: NameWord): { word: number; similarity: number }[] {
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
