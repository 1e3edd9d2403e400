import type { DifferentWord } from './query-words.ts';

const BITS = 32;
/** The least that two words are alike which are taken for each other; a better match adds no more than the rest. */
const MIN_SIMILARITY = 0.6;

/** How much of a query each listed name covers: sums per name, in arrays that are kept and cleared between queries. */
export class Coverage {
  /** Weight of the covered words, each times its likeness; a word that is said more than once is taken for wholly alike. */
  readonly matched: Float64Array;
  /** Weight of the covered words. */
  readonly covered: Float64Array;
  readonly words: Uint8Array;
  readonly rareWords: Uint8Array;
  /** 1 for names that write together what the query writes apart. */
  readonly isJoined: Uint8Array;
  /** Weight of the words that the name writes apart and the query together. */
  readonly split: Float64Array;
  readonly touched: number[] = [];
  /** A bit per word of the query that the name covers: the best match of a word comes first and counts once. */
  readonly #low: Int32Array;
  readonly #high: Int32Array;

  constructor(names: number) {
    this.matched = new Float64Array(names);
    this.covered = new Float64Array(names);
    this.words = new Uint8Array(names);
    this.rareWords = new Uint8Array(names);
    this.isJoined = new Uint8Array(names);
    this.split = new Float64Array(names);
    this.#low = new Int32Array(names);
    this.#high = new Int32Array(names);
  }

  /** The name has a word like this one. */
  add(name: number, word: DifferentWord, similarity: number, isRare: boolean): void {
    if (!this.#isFirst(name, word.at)) return;
    const { weight, times, isAgain } = word;
    this.#touch(name, times);
    this.matched[name] = (this.matched[name] as number) + weight * (isAgain ? 1 : similarity);
    this.covered[name] = (this.covered[name] as number) + weight;
    if (isRare) this.#addRare(name, times);
  }

  /** The name writes these words of the query together. */
  addJoined(name: number, words: readonly DifferentWord[]): void {
    this.#touch(name, 2);
    this.#addRare(name, 1);
    this.isJoined[name] = 1;
    for (const word of words) this.#addWhole(name, word);
  }

  /** The name writes this word apart. */
  addSplit(name: number, word: DifferentWord): void {
    this.#touch(name, 2);
    this.#addRare(name, 1);
    this.split[name] = (this.split[name] as number) + word.weight;
    this.#addWhole(name, word);
  }

  #addWhole(name: number, { at, weight }: DifferentWord): void {
    const isFirst = this.#isFirst(name, at);
    this.matched[name] = (this.matched[name] as number) + (isFirst ? weight : (1 - MIN_SIMILARITY) * weight);
    if (isFirst) this.covered[name] = (this.covered[name] as number) + weight;
  }

  #touch(name: number, words: number): void {
    const before = this.words[name] as number;
    if (before === 0) this.touched.push(name);
    this.words[name] = Math.min(250, before + words);
  }

  #addRare(name: number, words: number): void {
    this.rareWords[name] = Math.min(250, (this.rareWords[name] as number) + words);
  }

  #isFirst(name: number, at: number): boolean {
    const bits = at < BITS ? this.#low : this.#high;
    const bit = 1 << (at % BITS);
    const before = bits[name] as number;
    if ((before & bit) !== 0) return false;
    bits[name] = before | bit;
    return true;
  }

  clear(): void {
    for (const name of this.touched) {
      this.matched[name] = 0;
      this.covered[name] = 0;
      this.words[name] = 0;
      this.rareWords[name] = 0;
      this.isJoined[name] = 0;
      this.split[name] = 0;
      this.#low[name] = 0;
      this.#high[name] = 0;
    }
    this.touched.length = 0;
  }
}
