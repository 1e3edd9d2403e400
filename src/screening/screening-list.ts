import { Coverage } from './coverage.ts';
import { isListRefusal, type ListedEntity, type ListRefusal, readFsfList, type SanctionsList } from './fsf-list.ts';
import { eachNumber, keyHash } from './hashed-keys.ts';
import { joinedWords, type ListIndex, listIndex, type PackedTexts, textAt, wholeHashes } from './list-index.ts';
import {
  boundOf,
  isFull,
  isLooseScript,
  isRareWord,
  isRepeated,
  LEGAL_AGREEMENT,
  MATCHER_VERSION,
  type MatchedWords,
  matchNames,
  type NameMatch,
  RARE_SIMILARITY,
  SCREEN_THRESHOLD,
  WEAK_EVIDENCE_CAP,
} from './name-score.ts';
import { type ParsedName, parseNames, type Token, tokenOf } from './parsed-name.ts';
import { TokenIndex } from './token-index.ts';
import { type Likeness, likenessOf } from './token-similarity.ts';
import { JOINED_SLACK, MAX_JOINED, MIN_JOINED_LETTERS } from './word-pairings.ts';
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

/** A weak alias counts as a hit only from here on, and with two words or more. */
const WEAK_ALIAS_SCORE = 0.95;

/** A sanctions list, ready to be searched. It does not change, and no query changes what another one finds. */
export class ScreeningList {
  readonly generationDate: string | null;
  readonly entityCount: number;
  readonly nameCount: number;
  readonly matcherVersion = MATCHER_VERSION;
  readonly #index: ListIndex;
  readonly #words: TokenIndex;
  readonly #tokens: (Token | undefined)[];
  readonly #coverage: Coverage;
  /** The most that a listed word is like any word of the query; cleared after each. */
  readonly #likest: Float64Array;
  readonly #likedWords: number[] = [];

  constructor(index: ListIndex) {
    this.generationDate = index.generationDate;
    this.entityCount = index.entities.ends.length;
    this.nameCount = index.entityOfName.length;
    this.#index = index;
    this.#words = new TokenIndex(index, (word) => this.#token(word));
    this.#tokens = Array.from({ length: index.wordWeights.length });
    this.#coverage = new Coverage(this.nameCount);
    this.#likest = new Float64Array(index.wordWeights.length);
  }

  /** Every entity, in the form in which another thread takes them. */
  get entities(): PackedTexts {
    return this.#index.entities;
  }

  /** Entities that the name may mean, best first: hits at or above the threshold, and what only weak aliases show. */
  screen(name: string, threshold: number = SCREEN_THRESHOLD): Candidate[] {
    const best = new Map<number, FoundName>();
    for (const query of parseNames(name)) {
      const likeness = this.#rememberedLikeness();
      for (const number of this.#namesToCompare(query, threshold)) {
        const listed = this.#name(number);
        const match = matchNames(query, listed, threshold, likeness);
        if (match.score < threshold) continue;
        const entity = this.#index.entityOfName[number] as number;
        const found = this.#found(number, listed, match);
        const known = best.get(entity);
        if (known === undefined || isBetter(found, known)) best.set(entity, found);
      }
    }
    return [...best]
      .map(([number, found]) => ({ entity: this.#entity(number), ...found }))
      .sort((a, b) => b.score - a.score || (a.entity.id < b.entity.id ? -1 : 1));
  }

  /** The names worth an exact comparison: those whose bound reaches the threshold. */
  #namesToCompare(query: ParsedName, threshold: number): number[] {
    const full = query.tokens.filter(isFull);
    for (const token of query.tokens) if (token.kind !== 'initial') this.#coverWord(query, token);
    const joinedLengths = this.#coverJoined(query);
    const whole = new Set<number>();
    for (const hash of wholeHashes(query)) eachNumber(this.#index.byJoined, hash, (name) => whole.add(name));
    const bound = this.#boundFor(query, full, joinedLengths, threshold);
    for (const name of this.#coverage.touched) if (bound(name) >= threshold) whole.add(name);
    this.#coverage.clear();
    for (const word of this.#likedWords) this.#likest[word] = 0;
    this.#likedWords.length = 0;
    return [...whole].sort((a, b) => a - b);
  }

  #coverWord(query: ParsedName, token: Token): void {
    const { words, similarities } = this.#words.similarTo(token);
    const isRare = isRareWord(token);
    const isAgain = isRepeated(query, token);
    this.#coverage.nextWord();
    for (let at = 0; at < words.length; at += 1) {
      const similarity = similarities[at] as number;
      this.#like(words[at] as number, similarity);
      if (isFull(token))
        this.#coverNames(
          words[at] as number,
          token.weight,
          isAgain ? 1 : similarity,
          isRare && similarity >= RARE_SIMILARITY,
        );
    }
  }

  #like(word: number, similarity: number): void {
    const before = this.#likest[word] as number;
    if (before === 0) this.#likedWords.push(word);
    if (before < similarity) this.#likest[word] = similarity;
  }

  #coverNames(word: number, weight: number, similarity: number, isRare: boolean, isJoined = false): void {
    const { starts, numbers } = this.#index.namesOfWord;
    const end = starts[word + 1] as number;
    for (let place = starts[word] as number; place < end; place += 1)
      this.#coverage.add(numbers[place] as number, weight, similarity, isRare, isJoined);
  }

  /** Words that one side writes together and the other apart; says how long the words are that listed names may write apart. */
  #coverJoined(query: ParsedName): number[] {
    const { byJoined, bySound } = this.#index;
    const lengths: number[] = [];
    for (const { text, sound, weight } of query.tokens) {
      if (text.length < MIN_JOINED_LETTERS) continue;
      this.#coverage.nextWord();
      eachNumber(byJoined, keyHash('j', sound), (name) => {
        lengths.push(text.length);
        this.#coverage.add(name, weight, 1, true, true);
      });
    }
    for (const { sound, weight } of joinedWords(query.tokens)) {
      this.#coverage.nextWord();
      eachNumber(bySound, keyHash('j', sound), (word) => {
        this.#like(word, 1);
        this.#coverNames(word, weight, 1, true, true);
      });
    }
    return [...new Set(lengths)];
  }

  /** The most that a name can score, without a look at which words pair. */
  #boundFor(
    query: ParsedName,
    full: readonly Token[],
    joinedLengths: readonly number[],
    threshold: number,
  ): (name: number) => number {
    const { wordsOfName, wordWeights, firstLetters, isCounted, isLoose } = this.#index;
    const { matched, covered, words, rareWords, isJoined } = this.#coverage;
    const isQueryLoose = isLooseScript(query) ? 1 : 0;
    const small = query.tokens.reduce((sum, token) => (isFull(token) ? sum : sum + token.weight), 0);
    const counted = full.reduce((sum, token) => (isRepeated(query, token) ? sum : sum + token.weight), 0);
    const initials = query.tokens.filter(({ kind }) => kind === 'initial').map(({ text }) => text.charCodeAt(0));
    const legal = query.legalForms.length > 0 ? LEGAL_AGREEMENT : 0;
    const needsTwo = threshold > WEAK_EVIDENCE_CAP;
    const leastWords = needsTwo ? Math.min(2, full.length) : 1;
    return (name) => {
      if ((words[name] as number) < leastWords) return 0;
      let listedWords = 0;
      let listedMatched = 0;
      let listedCovered = 0;
      let listedExtra = 0;
      const from = wordsOfName.starts[name] as number;
      const end = wordsOfName.starts[name + 1] as number;
      for (let place = from; place < end; place += 1) {
        const word = wordsOfName.numbers[place] as number;
        const weight = wordWeights[word] as number;
        const isLenient = isCounted[place] === 0 || initials.includes(firstLetters[word] as number);
        let likest = this.#likest[word] as number;
        if (likest > 0) listedWords += 1;
        if (isLenient) likest = 1;
        if (likest < 1 && isJoined[name] === 1 && this.#mayBeJoined(from, place, end, joinedLengths)) likest = 1;
        if (likest === 0) listedExtra += weight;
        else {
          listedMatched += weight * likest;
          listedCovered += weight;
        }
      }
      const queryCovered = covered[name] as number;
      const extraQuery = Math.max(0, counted - queryCovered);
      if (needsTwo && listedWords < 2 && isJoined[name] === 0 && (extraQuery > 0 || listedExtra > 0 || full.length > 1))
        return 0;
      return (
        legal +
        boundOf({
          matched: (listedMatched + (matched[name] as number) + small) / 2,
          covered: (listedCovered + queryCovered + small) / 2,
          extraQuery,
          extraListed: listedExtra,
          rareWords: rareWords[name] as number,
          isAcross: isQueryLoose !== isLoose[name],
        })
      );
    };
  }

  /** Whether a word and its neighbours are together as long as one of the words of the query. */
  #mayBeJoined(from: number, place: number, end: number, lengths: readonly number[]): boolean {
    const { wordsOfName, letterCounts } = this.#index;
    for (let first = Math.max(from, place - MAX_JOINED + 1); first <= place; first += 1) {
      let length = 0;
      for (let last = first; last < end && last < first + MAX_JOINED; last += 1) {
        length += letterCounts[wordsOfName.numbers[last] as number] as number;
        if (last > first && last >= place && lengths.some((one) => Math.abs(one - length) <= JOINED_SLACK)) return true;
      }
    }
    return false;
  }

  /** Likeness of a queried and a listed word, found once for all names of a query. */
  #rememberedLikeness(): typeof likenessOf {
    const known = new Map<Token, Map<Token, Likeness | undefined>>();
    return (a, b) => {
      let row = known.get(a);
      if (row === undefined) known.set(a, (row = new Map()));
      if (row.has(b)) return row.get(b);
      const likeness = likenessOf(a, b);
      row.set(b, likeness);
      return likeness;
    };
  }

  #token(word: number): Token {
    return (this.#tokens[word] ??= tokenOf(
      ...(JSON.parse(textAt(this.#index.words, word)) as Parameters<typeof tokenOf>),
    ));
  }

  #name(number: number): ParsedName {
    const { wordsOfName, legalForms } = this.#index;
    const tokens: Token[] = [];
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
