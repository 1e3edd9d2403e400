/** How much of a query each listed name covers: sums per name, in arrays that are kept and cleared between queries. */
export class Coverage {
  /** Weight of the covered words, each times its likeness. */
  readonly matched: Float64Array;
  /** Weight of the covered words. */
  readonly covered: Float64Array;
  readonly words: Uint8Array;
  readonly rareWords: Uint8Array;
  /** 1 for names that write apart what the query writes together, or the other way round. */
  readonly isJoined: Uint8Array;
  readonly touched: number[] = [];
  /** The word that last touched a name: the best match of a word comes first and counts once. */
  readonly #lastWord: Int32Array;
  #word = 0;

  constructor(names: number) {
    this.matched = new Float64Array(names);
    this.covered = new Float64Array(names);
    this.words = new Uint8Array(names);
    this.rareWords = new Uint8Array(names);
    this.isJoined = new Uint8Array(names);
    this.#lastWord = new Int32Array(names);
  }

  nextWord(): void {
    this.#word += 1;
  }

  /** The name has a word like the present one. */
  add(name: number, weight: number, similarity: number, isRare: boolean, isJoined = false): void {
    if (this.#lastWord[name] === this.#word) return;
    this.#lastWord[name] = this.#word;
    if (this.words[name] === 0) this.touched.push(name);
    this.matched[name] = (this.matched[name] as number) + weight * similarity;
    this.covered[name] = (this.covered[name] as number) + weight;
    this.words[name] = Math.min(250, (this.words[name] as number) + (isJoined ? 2 : 1));
    if (isJoined) this.isJoined[name] = 1;
    if (isRare) this.rareWords[name] = Math.min(250, (this.rareWords[name] as number) + 1);
  }

  clear(): void {
    for (const name of this.touched) {
      this.matched[name] = 0;
      this.covered[name] = 0;
      this.words[name] = 0;
      this.rareWords[name] = 0;
      this.isJoined[name] = 0;
      this.#lastWord[name] = 0;
    }
    this.touched.length = 0;
    this.#word = 0;
  }
}
