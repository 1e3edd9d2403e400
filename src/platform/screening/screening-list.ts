import { isListRefusal, type ListedEntity, type ListRefusal, readFsfList, type SanctionsList } from './fsf-list.ts';
import { type ListIndex, listIndex, type PackedTexts, textAt } from './list-index.ts';
import { type MatchedWords, MATCHER_VERSION, matchNames, type NameMatch, SCREEN_THRESHOLD } from './name-score.ts';
import { NameSearch } from './name-search.ts';
import { type NameWord, type ParsedName, parseNames, tokenOf } from './parsed-name.ts';
import { differentNames } from './query-words.ts';
import { type Likeness, likenessOf } from './token-similarity.ts';
import { LEGAL_FORM_KINDS } from './word-tables.ts';

/** A listed entity that a name may mean: a signal to stop and verify, never a finding. */
export interface Candidate {
  readonly entity: ListedEntity;
  readonly listedName: string;
  readonly score: number;
  /** Seen through a weak alias only, and not well enough to count as a hit. */
  readonly isWeak: boolean;
  readonly words: readonly MatchedWords[];
  readonly unmatchedQuery: readonly string[];
  readonly unmatchedListed: readonly string[];
}

type FoundName = Omit<Candidate, 'entity'>;

/** One screening compares no more names than this word by word; what is left may be hits, and is shown as such. */
const MAX_COMPARISONS = 1_000;

/** A weak alias counts as a hit only from here on, and with two words or more. */
const WEAK_ALIAS_SCORE = 0.95;

/** A sanctions list, ready to be searched. It does not change, and no query changes what another one finds. */
export class ScreeningList {
  readonly generationDate: string | null;
  readonly entityCount: number;
  readonly nameCount: number;
  readonly matcherVersion = MATCHER_VERSION;
  readonly #index: ListIndex;
  readonly #search: NameSearch;
  readonly #tokens: (NameWord | undefined)[];
  #comparisons = 0;

  constructor(index: ListIndex) {
    this.generationDate = index.generationDate;
    this.entityCount = index.entities.ends.length;
    this.nameCount = index.entityOfName.length;
    this.#index = index;
    this.#tokens = Array.from({ length: index.wordWeights.length });
    this.#search = new NameSearch(index, {
      tokenAt: (word) => this.#token(word),
      nameAt: (number) => this.#name(number),
    });
  }

  /** Every entity, in the form in which another thread takes them. */
  get entities(): PackedTexts {
    return this.#index.entities;
  }

  /** Names that were compared word by word so far. */
  get comparisons(): number {
    return this.#comparisons;
  }

  /** Entities that the name may mean, best first: hits at or above the threshold, and what only weak aliases show. */
  screen(name: string, threshold: number = SCREEN_THRESHOLD): Candidate[] {
    const best = new Map<number, FoundName>();
    const add = (number: number, found: FoundName) => {
      const entity = this.#index.entityOfName[number] as number;
      const known = best.get(entity);
      if (known === undefined || isBetter(found, known)) best.set(entity, found);
    };
    const atMost = this.#comparisons + MAX_COMPARISONS;
    for (const query of differentNames(parseNames(name))) {
      const likeness = this.#rememberedLikeness();
      const { toCompare, tooMany } = mostPromising(
        this.#search.namesToCompare(query, threshold),
        atMost - this.#comparisons,
      );
      this.#comparisons += toCompare.length;
      for (const number of toCompare) {
        const listed = this.#name(number);
        const match = matchNames(query, listed, threshold, likeness);
        if (match.score >= threshold) add(number, this.#found(number, listed, match));
      }
      for (const [number, most] of tooMany) add(number, this.#found(number, this.#name(number), uncompared(most)));
    }
    return [...best]
      .map(([number, found]) => ({ entity: this.#entity(number), ...found }))
      .sort((a, b) => b.score - a.score || (a.entity.id < b.entity.id ? -1 : 1));
  }

  /** Likeness of a queried and a listed word, found once for all names of a query. */
  #rememberedLikeness(): typeof likenessOf {
    const known = new Map<NameWord, Map<NameWord, Likeness | undefined>>();
    return (a, b) => {
      let row = known.get(a);
      if (row === undefined) known.set(a, (row = new Map()));
      if (row.has(b)) return row.get(b);
      const likeness = likenessOf(a, b);
      row.set(b, likeness);
      return likeness;
    };
  }

  #token(word: number): NameWord {
    return (this.#tokens[word] ??= tokenOf(
      ...(JSON.parse(textAt(this.#index.words, word)) as Parameters<typeof tokenOf>),
    ));
  }

  #name(number: number): ParsedName {
    const { wordsOfName, legalForms } = this.#index;
    const tokens: NameWord[] = [];
    let joined = '';
    const end = wordsOfName.starts[number + 1] as number;
    for (let place = wordsOfName.starts[number] as number; place < end; place += 1) {
      const token = this.#token(wordsOfName.numbers[place] as number);
      tokens.push(token);
      joined += token.spelt;
    }
    const bits = legalForms[number] as number;
    return { tokens, joined, legalForms: bits === 0 ? [] : LEGAL_FORM_KINDS.filter((_, at) => bits & (1 << at)) };
  }

  #found(number: number, { tokens }: ParsedName, match: NameMatch): FoundName {
    const { score, ...why } = match;
    const counts = this.#index.isWeak[number] === 0 || (score >= WEAK_ALIAS_SCORE && tokens.length > 1);
    return { listedName: textAt(this.#index.names, number), score, isWeak: !counts, ...why };
  }

  #entity(number: number): ListedEntity {
    return JSON.parse(textAt(this.#index.entities, number)) as ListedEntity;
  }
}

interface Promising {
  readonly toCompare: readonly number[];
  readonly tooMany: readonly (readonly [name: number, most: number])[];
}

/** Splits names by the most that they can score; of those that can score the same all are compared or none. */
function mostPromising(names: ReadonlyMap<number, number>, most: number): Promising {
  if (names.size <= most) return { toCompare: [...names.keys()].sort((a, b) => a - b), tooMany: [] };
  const best = [...names].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const [, limit] = best[most] as [number, number];
  const first = best.findIndex(([, bound]) => bound <= limit);
  return { toCompare: best.slice(0, first).map(([number]) => number), tooMany: best.slice(first) };
}

/** What is said of a name that was not compared: it may score so much, and nobody looked why. */
function uncompared(most: number): NameMatch {
  const score = Math.round(Math.min(1, most) * 10_000) / 10_000;
  return { score, words: [], unmatchedQuery: [], unmatchedListed: [] };
}

/** A name that counts comes before a weak one; then the score, then the alphabet, so that the order of the list is no matter. */
function isBetter(a: FoundName, b: FoundName): boolean {
  if (a.isWeak !== b.isWeak) return b.isWeak;
  return a.score > b.score || (a.score === b.score && a.listedName < b.listedName);
}

export function screeningList(list: SanctionsList): ScreeningList {
  return new ScreeningList(listIndex(list));
}

/** Reads the XML of the EU list and makes it searchable, or says why it is refused. */
export async function loadList(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<ScreeningList | ListRefusal> {
  const list = await readFsfList(chunks);
  return isListRefusal(list) ? list : screeningList(list);
}

/** Hits only: what `screen` finds without what weak aliases alone show. */
export function screen(list: ScreeningList, name: string, threshold: number = SCREEN_THRESHOLD): Candidate[] {
  return list.screen(name, threshold).filter(({ isWeak }) => !isWeak);
}
