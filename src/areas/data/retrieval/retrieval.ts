import { sha256Hex } from '#kernel/ids.ts';
import { isoTime } from '#kernel/clock.ts';
import { Corpus, coverageOf, type FoundPassage, type Passage, type PassageIndex, type Term } from './corpus.ts';
import { snippetOf, statementsOf } from './statements.ts';

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
/** Of what the passage speaks of, the quotes must hold most. */
const MIN_SAID = 0.88;
/** Most statements of an answer, and how near to the best the others must come. */
const STATEMENTS = 3;
const NEAR_BEST = 0.6;
/** Two passages that fit alike may say different things. */
const MIN_GAP = 0.98;
const A_NUMBER = 0.3;
const NUMBER_NEARNESS = 0.5;
const ASKS_NUMBER =
  /\b(?:how (?:long|many|much|often|old|large|high|tall)|longest|most|least|maximum|minimum|fee|price|hoe ?(?:lang|veel|vaak|oud)|hoeveel|kost|wie (?:lange|viele))\b/i;
/** Two questions in one: a text that fits both words may answer neither. */
const ASKS_TWICE =
  /\b(?:and|en|und) (?:where|when|how|who|why|which|what|waar|wanneer|hoe|wie|waarom|welke?|wat|wo|wann)\b/i;
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirty|hundred|hourly|hour|daily)\b/i;
/** A text that speaks of less of the question is not even near. */
const MIN_NEAR = 0.5;
const RESULTS = 10;
const NEAREST = 3;
const MAX_TEXT_LENGTH = 100_000;
/** Texts of others that are indexed in one turn of the event loop. */
const SLICE = 40;

/** Texts that speak of the question without answering it, each with what it says nearest to it. */
function nearest(found: readonly FoundPassage[], terms: readonly Term[], most: number): [FoundPassage, string][] {
  const near = found.filter(({ coverage }) => coverage >= MIN_NEAR).slice(0, most);
  return near.flatMap((one): [FoundPassage, string][] => {
    const rated = statementsOf(one.passage).map(({ text, words }) => ({ text, coverage: coverageOf(terms, words) }));
    const best = rated.toSorted((a, b) => b.coverage - a.coverage)[0];
    return best === undefined || best.coverage === 0 ? [] : [[one, best.text]];
  });
}

/** Search and answers over public texts. What others wrote is found, but never answers. */
export class Retrieval implements Disposable {
  readonly #options: RetrievalOptions;
  readonly #indexes = new DisposableStack();
  readonly #own: Corpus;
  readonly #foreign: Corpus;
  /** A corpus of its own: each lesson makes its vocabulary anew, which must stay small. */
  readonly #lessons: Corpus;
  #loading: Promise<void> | undefined;

  constructor(options: RetrievalOptions) {
    this.#options = options;
    this.#own = new Corpus(this.#indexes.use(options.newIndex()));
    this.#foreign = new Corpus(this.#indexes.use(options.newIndex()));
    this.#lessons = new Corpus(this.#indexes.use(options.newIndex()));
  }

  /** Resolves when the own texts are indexed; the first call begins it. */
  ready(): Promise<void> {
    this.#loading ??= this.#options.documents().then((passages) => this.#own.put('documents', passages));
    return this.#loading;
  }

  /** Adds or replaces a part of what others wrote: rows of a data set. */
  async add(part: string, passages: readonly Passage[]): Promise<void> {
    this.#foreign.drop(part);
    for (let from = 0; from < passages.length; from += SLICE) {
      this.#foreign.append(part, passages.slice(from, from + SLICE));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  appendLessons(part: string, passages: readonly Passage[]): void {
    this.#lessons.append(part, passages);
  }

  dropLessons(part: string): void {
    this.#lessons.drop(part);
  }

  async search(query: string): Promise<SearchResult[]> {
    await this.ready();
    const own = this.#own.find(query).found;
    const foreign = [this.#foreign, this.#lessons].flatMap((corpus) => corpus.find(query).found);
    const best = [...own, ...foreign].toSorted((a, b) => b.score - a.score).slice(0, RESULTS);
    return best.map(({ passage, score }) => ({
      ...this.#reference(passage),
      snippet: snippetOf(passage, query),
      score: Math.round(score * 1_000) / 1_000,
    }));
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
    const { found, terms } = this.#own.find(question);
    const best = found[0];
    const wantsNumber = ASKS_NUMBER.test(question);
    const rated = (best === undefined ? [] : statementsOf(best.passage)).map(({ text, words }, place) => {
      const coverage = coverageOf(terms, words);
      return { text, words, place, coverage, rate: coverage + (wantsNumber && NUMBER.test(text) ? A_NUMBER : 0) };
    });
    const top = rated.toSorted((a, b) => b.rate - a.rate).slice(0, STATEMENTS);
    const chosen = top
      .filter(({ coverage, rate }) => coverage > 0 && rate >= (top[0]?.rate ?? 0) * NEAR_BEST)
      .toSorted((a, b) => a.place - b.place);
    const quotes = chosen.map(({ text }) => text);
    const said = coverageOf(terms, new Set(chosen.flatMap(({ words }) => [...words])));
    // A number that stands beside the matter is no answer.
    const isNumber = ({ text, coverage }: (typeof chosen)[number]) =>
      NUMBER.test(text) && coverage >= said * NUMBER_NEARNESS;
    const hasNumber = !wantsNumber || chosen.some(isNumber);
    const rival = found.find(({ passage }) => passage.source === best?.passage.source && passage !== best.passage);
    const isClear =
      !ASKS_TWICE.test(question) && best !== undefined && (rival === undefined || rival.score <= best.score * MIN_GAP);
    const isSure =
      best !== undefined && best.coverage >= MIN_COVERAGE && said >= best.coverage * MIN_SAID && hasNumber && isClear;
    if (!isSure) {
      const foreign = this.#foreign.find(question);
      const near = [...nearest(found, terms, NEAREST), ...nearest(foreign.found, foreign.terms, 1)];
      const citations = near.map(([one, quote]) => this.#citation(one, quote));
      return { answer: null, abstained: true, confidence: 0, citations };
    }
    const confidence = Math.round(((best.coverage + said) / 2) * 100) / 100;
    const citations = quotes.map((quote) => this.#citation(best, quote));
    return { answer: quotes.join('\n'), abstained: false, confidence, citations };
  }

  /** Ids of the own texts of a source that fit a question, best first; none where none speaks of it. */
  async own(question: string, source: string): Promise<string[]> {
    await this.ready();
    const { found } = this.#own.find(question);
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
