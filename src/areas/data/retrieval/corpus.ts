import { synonymsOf } from './synonyms.ts';
import { Vocabulary } from './vocabulary.ts';
import { questionTerms, wordsOf } from './words.ts';

/** A full-text index: texts come and go in named parts, the best are found by any of the words. */
export interface PassageIndex extends Disposable {
  put(part: string, texts: readonly Pick<Passage, 'id' | 'title' | 'body' | 'keywords'>[]): void;
  drop(part: string): void;
  search(words: readonly string[], limit: number): { readonly id: string; readonly score: number }[];
  /** In how many texts each word stands. */
  vocabulary(): Map<string, number>;
}

/** A piece of text that can be found, shown and cited. */
export interface Passage {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly keywords: string;
  /** Where it comes from: `docs`, `operations` and the like; of others a data set or `agent`. */
  readonly source: string;
  readonly retrievedAtMs: number;
}

/** What one word of a question may stand as in the texts. */
export interface Term {
  readonly words: readonly string[];
  /** How telling it is: rare words weigh more. */
  readonly weight: number;
  /** Less than 1 where the word had to be guessed. */
  readonly trust: number;
}

export interface FoundPassage {
  readonly passage: Passage;
  readonly score: number;
  /** Share of the question, by weight, that the passage speaks of. */
  readonly coverage: number;
}

const CANDIDATES = 40;
const GUESSED = 0.8;
/** Pages say a thing in words; the others list it. What agents say comes after what fits as well. */
const PREFERRED: Readonly<Record<string, number>> = {
  docs: 0.15,
  operations: 0.05,
  data: 0.05,
  protocols: -0.1,
  agent: -0.2,
};

/** Texts of one trust, with the vocabulary that questions to them are read by. */
export class Corpus {
  readonly #index: PassageIndex;
  readonly #passages = new Map<string, Passage>();
  readonly #parts = new Map<string, readonly string[]>();
  readonly #words = new Map<string, { readonly all: ReadonlySet<string>; readonly title: ReadonlySet<string> }>();
  #vocabulary: Vocabulary | undefined;

  constructor(index: PassageIndex) {
    this.#index = index;
  }

  get size(): number {
    return this.#passages.size;
  }

  /** The passages of a part from now on. */
  put(part: string, passages: readonly Passage[]): void {
    this.drop(part);
    this.append(part, passages);
  }

  append(part: string, passages: readonly Passage[]): void {
    this.#index.put(part, passages);
    for (const passage of passages) this.#passages.set(passage.id, passage);
    this.#parts.set(part, [...(this.#parts.get(part) ?? []), ...passages.map(({ id }) => id)]);
    this.#vocabulary = undefined;
  }

  drop(part: string): void {
    const ids = this.#parts.get(part) ?? [];
    if (ids.length > 0) this.#index.drop(part);
    for (const id of ids) {
      this.#passages.delete(id);
      this.#words.delete(id);
    }
    this.#parts.delete(part);
    this.#vocabulary = undefined;
  }

  get(id: string): Passage | undefined {
    return this.#passages.get(id);
  }

  /** Best first. */
  find(question: string): { readonly found: FoundPassage[]; readonly terms: readonly Term[] } {
    const terms = this.#terms(question);
    const words = [...new Set(terms.flatMap((term) => term.words))];
    const hits = this.#index.search(words, CANDIDATES);
    const best = hits[0]?.score ?? 1;
    const found = hits.flatMap(({ id, score }) => {
      const passage = this.#passages.get(id);
      if (passage === undefined) return [];
      const { all, title } = this.#wordsOf(passage);
      const coverage = coverageOf(terms, all);
      const told = score / best + 1.5 * coverage + 0.7 * coverageOf(terms, title);
      return [{ passage, coverage, score: told + (PREFERRED[passage.source] ?? 0) }];
    });
    return { found: found.toSorted((a, b) => b.score - a.score), terms };
  }

  #wordsOf(passage: Passage) {
    const known = this.#words.get(passage.id);
    if (known !== undefined) return known;
    const title = new Set(wordsOf(`${passage.title} ${passage.keywords}`));
    const words = { all: new Set([...title, ...wordsOf(passage.body)]), title };
    this.#words.set(passage.id, words);
    return words;
  }

  #terms(question: string): Term[] {
    this.#vocabulary ??= new Vocabulary(this.#index.vocabulary());
    const vocabulary = this.#vocabulary;
    const rarest = Math.log(1 + this.#passages.size);
    return questionTerms(question).map((term) => {
      const same = vocabulary.kin(term);
      const foreign = synonymsOf(term).flatMap((word) => vocabulary.kin(word));
      const known = [...new Set([...same, ...foreign])];
      const words = known.length > 0 ? known : vocabulary.nearest(term);
      const most = Math.max(0, ...words.map((word) => vocabulary.count(word)));
      const weight = words.length === 0 ? rarest : Math.log(1 + this.#passages.size / (most + 0.5));
      return { words, weight, trust: known.length > 0 ? 1 : GUESSED };
    });
  }
}

export function coverageOf(terms: readonly Term[], words: ReadonlySet<string>): number {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const covered = terms.filter((term) => term.words.some((word) => words.has(word)));
  return whole === 0 ? 0 : covered.reduce((sum, { weight, trust }) => sum + weight * trust, 0) / whole;
}
