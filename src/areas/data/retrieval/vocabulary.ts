import { editDistance } from '#kernel/edit-distance.ts';
import { stemOf } from './words.ts';

const MAX_CORRECTIONS = 4;

/** The words of all texts, found by stem or by likeness. */
export class Vocabulary {
  readonly #counts: ReadonlyMap<string, number>;
  readonly #stems: ReadonlyMap<string, string[]>;
  readonly #lengths: ReadonlyMap<number, string[]>;

  /** `beside` are words that no text need have, and that a mistyped one may have been meant as all the same. */
  constructor(counts: ReadonlyMap<string, number>, beside: readonly string[]) {
    this.#counts = counts;
    this.#stems = Map.groupBy(counts.keys(), stemOf);
    this.#lengths = Map.groupBy(new Set([...counts.keys(), ...beside]), (word) => word.length);
  }

  count(word: string): number {
    return this.#counts.get(word) ?? 0;
  }

  /** Words of the same stem. */
  kin(word: string): string[] {
    return this.#stems.get(stemOf(word)) ?? (this.#counts.has(word) ? [word] : []);
  }

  /** Words that the given one may have been meant as; none for short ones, whose neighbours are other words. */
  nearest(word: string): string[] {
    if (word.length < 4 || /\d/.test(word)) return [];
    const most = word.length > 7 ? 2 : 1;
    const near: { word: string; distance: number }[] = [];
    for (let length = word.length - most; length <= word.length + most; length += 1) {
      for (const known of this.#lengths.get(length) ?? []) {
        // Who mistypes gets the first letters right, or swaps them.
        const isLike = known[0] === word[0] || (known[0] === word[1] && known[1] === word[0]);
        const distance = isLike ? editDistance(word, known, most) : most + 1;
        if (distance <= most) near.push({ word: known, distance });
      }
    }
    const closest = Math.min(...near.map(({ distance }) => distance));
    return near
      .filter(({ distance }) => distance === closest)
      .toSorted((a, b) => this.count(b.word) - this.count(a.word))
      .slice(0, MAX_CORRECTIONS)
      .map((one) => one.word);
  }
}
