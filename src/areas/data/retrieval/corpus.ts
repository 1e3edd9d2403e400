import { codesIn } from './kinds.ts';
import { questionWords } from './question.ts';
import { type Term, TermReader, weightOf } from './terms.ts';
import { wordsOf } from './words.ts';

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

export interface FoundPassage {
  readonly passage: Passage;
  readonly score: number;
  /** Share of the question, by weight, that the passage speaks of. */
  readonly coverage: number;
  /** Words of its title and keywords, and all of its words. */
  readonly words: PassageWords;
}

export interface PassageWords {
  readonly all: ReadonlySet<string>;
  /** Of its title and keywords. */
  readonly title: ReadonlySet<string>;
  /** Of its title alone. */
  readonly heading: ReadonlySet<string>;
}

const CANDIDATES = 40;
/** Pages say a thing in words; the others list it. What agents say comes after what fits as well. */
const PREFERRED: Readonly<Record<string, number>> = {
  docs: 0.15,
  operations: 0.05,
  data: 0.05,
  protocols: -0.1,
  agent: -0.2,
};
/** Pages about how the service is made and tested come after those about using it. */
const INNER_PAGES = /^docs:docs\/dependencies\.md#/;
const INNER = -0.25;
/** A text that the question names is about it. */
const NAMED = 0.8;

/** Texts of one trust, with the vocabulary that questions to them are read by. */
export class Corpus {
  readonly #index: PassageIndex;
  readonly #passages = new Map<string, Passage>();
  /** Ids by the name that a title begins with: an operation, a problem code, a schema. */
  readonly #names = new Map<string, string>();
  readonly #parts = new Map<string, readonly string[]>();
  readonly #words = new Map<string, PassageWords>();
  #reader: TermReader | undefined;

  constructor(index: PassageIndex) {
    this.#index = index;
  }

  get size(): number {
    return this.#passages.size;
  }

  append(part: string, passages: readonly Passage[]): void {
    this.#index.put(
      part,
      passages.map((passage) => ({ ...passage, body: spokenOf(passage) })),
    );
    for (const passage of passages) {
      this.#passages.set(passage.id, passage);
      this.#names.set(nameOf(passage), passage.id);
    }
    this.#parts.set(part, [...(this.#parts.get(part) ?? []), ...passages.map(({ id }) => id)]);
    this.#reader = undefined;
  }

  drop(part: string): void {
    const ids = this.#parts.get(part) ?? [];
    if (ids.length > 0) this.#index.drop(part);
    for (const id of ids) {
      const passage = this.#passages.get(id);
      if (passage !== undefined) this.#names.delete(nameOf(passage));
      this.#passages.delete(id);
      this.#words.delete(id);
    }
    this.#parts.delete(part);
    this.#reader = undefined;
  }

  get(id: string): Passage | undefined {
    return this.#passages.get(id);
  }

  /** Best first. */
  find(question: string): { readonly found: FoundPassage[]; readonly terms: readonly Term[] } {
    const terms = this.#terms(question);
    const codes = codesIn(question);
    const sought = [...new Set([...terms.flatMap((term) => [...term.words.keys()]), ...codes])];
    const ranked = this.#index.search(sought, CANDIDATES);
    const best = ranked[0]?.score ?? 1;
    const named = codes.flatMap((code) => this.#names.get(code) ?? []);
    const isNamed = (id: string) => named.includes(id);
    const hits = [...named.map((id) => ({ id, score: best })), ...ranked.filter(({ id }) => !isNamed(id))];
    const found = hits.flatMap(({ id, score }) => {
      const passage = this.#passages.get(id);
      if (passage === undefined) return [];
      const words = this.#wordsOf(passage);
      const coverage = coverageOf(terms, words.all);
      const told =
        score / best +
        1.5 * coverage +
        0.5 * coverageOf(terms, words.heading) +
        0.4 * coverageOf(terms, words.title) +
        (INNER_PAGES.test(id) ? INNER : 0) +
        (isNamed(id) ? NAMED : 0);
      return [{ passage, coverage, words, score: told + (PREFERRED[passage.source] ?? 0) }];
    });
    return { found: found.toSorted((a, b) => b.score - a.score), terms };
  }

  #wordsOf(passage: Passage) {
    const known = this.#words.get(passage.id);
    if (known !== undefined) return known;
    const title = new Set(wordsOf(`${passage.title} ${passage.keywords}`));
    const heading = new Set(wordsOf(passage.title));
    const words = { all: new Set([...title, ...wordsOf(spokenOf(passage))]), title, heading };
    this.#words.set(passage.id, words);
    return words;
  }

  #terms(question: string): Term[] {
    this.#reader ??= new TermReader(this.#index.vocabulary(), this.#passages.size);
    return this.#reader.termsOf(questionWords(question));
  }
}

/** The name that a title begins with. */
function nameOf({ title }: Passage): string {
  return title.split(/[ :]/, 1)[0] ?? '';
}

/** What a text says in words: the list of problems that every operation has speaks of none of them. */
function spokenOf({ body }: Passage): string {
  return body.replace(/^Problems: [^\n]*$/m, '');
}

/** How surely some of the words stand for a term. */
export function trustIn({ words: readings }: Term, words: ReadonlySet<string>): number {
  let most = 0;
  for (const [word, trust] of readings) if (trust > most && words.has(word)) most = trust;
  return most;
}

/** Share of the question, by weight, that the words speak of. */
export function coverageOf(terms: readonly Term[], words: ReadonlySet<string>): number {
  const whole = weightOf(terms);
  const covered = terms.reduce((sum, term) => sum + term.weight * trustIn(term, words), 0);
  return whole === 0 ? 0 : covered / whole;
}
