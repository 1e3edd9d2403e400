/** How much of a query each listed name covers: a sum per name, in arrays that are kept and cleared between queries. */
export class Coverage {
  readonly #weights: Float64Array;
  readonly #words: Uint8Array;
  /** The word that last touched a name: the best match of a word comes first and counts once. */
  readonly #lastWord: Int32Array;
  readonly #touched: number[] = [];
  #word = 0;

  constructor(names: number) {
    this.#weights = new Float64Array(names);
    this.#words = new Uint8Array(names);
    this.#lastWord = new Int32Array(names);
  }

  nextWord(): void {
    this.#word += 1;
  }

  add(name: number, weight: number, words: number): void {
    if (this.#lastWord[name] === this.#word) return;
    this.#lastWord[name] = this.#word;
    if (this.#words[name] === 0) this.#touched.push(name);
    this.#weights[name] = (this.#weights[name] as number) + weight;
    this.#words[name] = Math.min(250, (this.#words[name] as number) + words);
  }

  /** The names that reach both limits, in the order of the list; everything is cleared. */
  take(weight: number, words: number): number[] {
    const names: number[] = [];
    for (const name of this.#touched) {
      if ((this.#weights[name] as number) >= weight && (this.#words[name] as number) >= words) names.push(name);
      this.#weights[name] = 0;
      this.#words[name] = 0;
      this.#lastWord[name] = 0;
    }
    this.#touched.length = 0;
    this.#word = 0;
    return names.sort((a, b) => a - b);
  }
}
