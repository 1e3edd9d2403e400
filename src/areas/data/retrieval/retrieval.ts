import { setImmediate as nextTurn } from 'node:timers/promises';
import { sha256Hex } from '#kernel/ids.ts';
import { isoTime } from '#kernel/clock.ts';
import { Turns } from '#kernel/turns.ts';
import { draftAnswer } from './answering.ts';
import { Corpus, type FoundPassage, type Passage, type PassageIndex } from './corpus.ts';
import { snippetOf } from './statements.ts';

export interface RetrievalOptions {
  readonly newIndex: () => PassageIndex;
  /** All that the service says of itself: read when it is first needed. */
  readonly documents: () => Promise<readonly Passage[]>;
  readonly baseUrl: () => string;
  readonly docsAtMs: () => number;
}

export interface SearchResult {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly source: string;
  readonly snippet: string;
  readonly score: number;
}

export interface Citation {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly source: string;
  readonly quote: string;
}

export interface Answered {
  readonly answer: string | null;
  readonly abstained: boolean;
  readonly confidence: number;
  readonly citations: Citation[];
}

/** Below this share of the question a passage is not believed to speak of it. */
const MIN_COVERAGE = 0.72;
/** Below it a text is not listed among those that were searched for. */
const MIN_SPOKEN = 0.6;
/** Below it nothing is said: a wrong answer is worse than none. */
const MIN_CONFIDENCE = 0.82;
const RESULTS = 10;
const MAX_TEXT_LENGTH = 100_000;
/** Texts that are indexed in one turn of the event loop. */
const SLICE = 40;

/** Search and answers over public texts. What others wrote is found, but never answers. */
export class Retrieval implements Disposable {
  readonly #options: RetrievalOptions;
  readonly #indexes = new DisposableStack();
  readonly #own: Corpus;
  readonly #foreign: Corpus;
  /** A corpus of its own: each lesson makes its vocabulary anew, which must stay small. */
  readonly #lessons: Corpus;
  /** A question takes milliseconds: many at once must not keep the rest of the service waiting. */
  readonly #turns = new Turns();
  #loading: Promise<void> | undefined;

  constructor(options: RetrievalOptions) {
    this.#options = options;
    this.#own = new Corpus(this.#indexes.use(options.newIndex()));
    this.#foreign = new Corpus(this.#indexes.use(options.newIndex()));
    this.#lessons = new Corpus(this.#indexes.use(options.newIndex()));
  }

  /** Resolves when the own texts are indexed; the first call begins it. */
  ready(): Promise<void> {
    this.#loading ??= this.#options.documents().then((passages) => indexInTurns(this.#own, 'documents', passages));
    return this.#loading;
  }

  /** Adds or replaces a part of what others wrote: rows of a data set. */
  async add(part: string, passages: readonly Passage[]): Promise<void> {
    this.#foreign.drop(part);
    await indexInTurns(this.#foreign, part, passages);
  }

  appendLessons(part: string, passages: readonly Passage[]): void {
    this.#lessons.append(part, passages);
  }

  dropLessons(part: string): void {
    this.#lessons.drop(part);
  }

  async search(query: string): Promise<SearchResult[]> {
    await this.ready();
    return this.#turns.run(() => this.#search(query));
  }

  #search(query: string): SearchResult[] {
    const own = this.#own.find(query).found;
    const foreign = [this.#foreign, this.#lessons].flatMap((corpus) => corpus.find(query).found);
    const best = [...own, ...foreign].toSorted((a, b) => b.score - a.score).slice(0, RESULTS);
    return best.map(({ passage, score }) => ({
      ...this.#reference(passage),
      snippet: snippetOf(passage, query),
      score: Math.round(score * 1_000) / 1_000,
    }));
  }

  /** Texts of the service itself that speak of most of the words, best first. */
  async passages(query: string): Promise<{ id: string; title: string; snippet: string }[]> {
    await this.ready();
    const { found } = await this.#turns.run(() => this.#own.find(query));
    return found
      .filter(({ coverage }) => coverage >= MIN_SPOKEN)
      .map(({ passage }) => ({ id: passage.id, title: passage.title, snippet: snippetOf(passage, query) }));
  }

  async fetch(id: string) {
    await this.ready();
    const passage = this.#own.get(id) ?? this.#foreign.get(id) ?? this.#lessons.get(id);
    if (passage === undefined) return undefined;
    const { title, url, source } = this.#reference(passage);
    const isLong = passage.body.length > MAX_TEXT_LENGTH;
    const text = passage.body.slice(0, MAX_TEXT_LENGTH);
    const retrievedAt = isoTime(passage.retrievedAtMs === 0 ? this.#options.docsAtMs() : passage.retrievedAtMs);
    const metadata = { source, retrieved_at: retrievedAt, sha256: sha256Hex(passage.body) };
    return { id, title, text, url, metadata: { ...metadata, ...(isLong && { truncated: 'true' as const }) } };
  }

  /** Verbatim sentences of the own texts, or nothing. */
  async ask(question: string): Promise<Answered> {
    await this.ready();
    return this.#turns.run(() => this.#answer(question));
  }

  #answer(question: string): Answered {
    const { found, terms } = this.#own.find(question);
    const draft = draftAnswer(question, found, terms);
    const confidence = Math.round(draft.confidence * 100) / 100;
    if (confidence < MIN_CONFIDENCE) return { answer: null, abstained: true, confidence: 0, citations: [] };
    const citations = draft.quotes.map(({ found: one, statement }) => this.#citation(one, statement.quote));
    return { answer: citations.map(({ quote }) => quote).join('\n'), abstained: false, confidence, citations };
  }

  /** Ids of the own texts of a source that fit a question, best first; none where none speaks of it. */
  async own(question: string, source: string): Promise<string[]> {
    await this.ready();
    const { found } = await this.#turns.run(() => this.#own.find(question));
    const fitting = found.filter(({ passage, coverage }) => passage.source === source && coverage >= MIN_COVERAGE);
    return fitting.map(({ passage }) => passage.id);
  }

  #citation({ passage }: FoundPassage, quote: string): Citation {
    const { id, title, url, source } = this.#reference(passage);
    return { id, title, url, source, quote };
  }

  #reference({ id, title, source }: Passage) {
    return { id, title, url: `${this.#options.baseUrl()}/api/data/documents?id=${encodeURIComponent(id)}`, source };
  }

  [Symbol.dispose](): void {
    this.#indexes.dispose();
  }
}

/** Others are served between two portions of texts. */
async function indexInTurns(corpus: Corpus, part: string, passages: readonly Passage[]): Promise<void> {
  for (let from = 0; from < passages.length; from += SLICE) {
    corpus.append(part, passages.slice(from, from + SLICE));
    await nextTurn();
  }
}
