import { Coverage } from './coverage.ts';
import { editCost } from './edit-cost.ts';
import { eachNumber, keyHash } from './hashed-keys.ts';
import { type ListIndex, nearHashes, wholeHash } from './list-index.ts';
import {
  boundOf,
  FAR_CAP,
  isFull,
  isLooseScript,
  isRareWord,
  isTellingKind,
  RARE_SIMILARITY,
  ROUNDING,
  STRONG_SIMILARITY,
} from './name-score.ts';
import type { NameWord, ParsedName } from './parsed-name.ts';
import {
  type DifferentWord,
  type QueryWeights,
  differentWords,
  type Run,
  runsOf,
  smallWords,
  splittableLengths,
  weightsOf,
} from './query-words.ts';
import { TokenIndex } from './token-index.ts';
import { INITIAL_SIMILARITY } from './token-similarity.ts';
import { INITIAL_SHARE, JOINED_SLACK, MAX_JOINED } from './word-pairings.ts';

/** What is listed under a number. */
interface Listed {
  readonly tokenAt: (word: number) => NameWord;
  readonly nameAt: (number: number) => ParsedName;
}

/** Finds the listed names that a query may mean, without a look at which words pair. */
export class NameSearch {
  readonly #index: ListIndex;
  readonly #listed: Listed;
  readonly #words: TokenIndex;
  readonly #coverage: Coverage;
  /** The most that a listed word is like any word of the query; cleared after each. */
  readonly #likest: Float64Array;
  /** What the words weigh that the query writes apart and the list as this word; cleared with them. */
  readonly #runWeight: Float64Array;
  /** 1 for listed words that are much like one of the query, where this says who is named; cleared with them. */
  readonly #isTold: Uint8Array;
  readonly #likedWords: number[] = [];

  constructor(index: ListIndex, listed: Listed) {
    const words = index.wordWeights.length;
    this.#index = index;
    this.#listed = listed;
    this.#words = new TokenIndex(index, listed.tokenAt);
    this.#coverage = new Coverage(index.entityOfName.length);
    this.#likest = new Float64Array(words);
    this.#runWeight = new Float64Array(words);
    this.#isTold = new Uint8Array(words);
  }

  /** The names worth an exact comparison, each with the most that it can score: those whose bound reaches the threshold. */
  namesToCompare(query: ParsedName, threshold: number): Map<number, number> {
    const words = differentWords(query);
    const last = this.#commonest(query, words, threshold);
    for (const word of words) if (word !== last) this.#coverWord(word, false);
    const joinedLengths = this.#coverSplit(words);
    for (const run of runsOf(query, words)) this.#coverRun(run);
    if (last !== undefined) this.#coverWord(last, true);
    const found = new Map<number, number>();
    const bound = this.#boundFor(query, words, joinedLengths, threshold);
    for (const name of this.#coverage.touched) {
      const most = bound(name);
      if (most >= threshold) found.set(name, most);
    }
    this.#coverage.clear();
    for (const word of this.#likedWords) {
      this.#likest[word] = 0;
      this.#runWeight[word] = 0;
      this.#isTold[word] = 0;
    }
    this.#likedWords.length = 0;
    this.#addWhole(query, found);
    return found;
  }

  /** Adds the names that are the query as one piece, or one letter apart. */
  #addWhole(query: ParsedName, found: Map<number, number>): void {
    const { byJoined } = this.#index;
    eachNumber(byJoined, wholeHash(query), (name) => found.set(name, 1));
    for (const hash of nearHashes(query))
      eachNumber(byJoined, hash, (name) => {
        if (!found.has(name) && editCost(query.joined, this.#listed.nameAt(name).joined, 1) <= 1) found.set(name, 1);
      });
  }

  /** The word that most listed names have, where a name needs two words to be worth a look: alone it brings none. */
  #commonest(query: ParsedName, words: readonly DifferentWord[], threshold: number): DifferentWord | undefined {
    const { full, small } = weightsOf(query, words);
    if (threshold <= FAR_CAP || full < 2 || small > 0) return undefined;
    let most = 0;
    let found: DifferentWord | undefined;
    for (const word of words) {
      if (word.times !== 1) continue;
      let names = 0;
      for (const token of word.tokens) if (token.kind !== 'initial') names += this.#words.similarTo(token).names;
      if (names > most) [most, found] = [names, word];
    }
    return found;
  }

  #coverWord(word: DifferentWord, isOnlyMore: boolean): void {
    const { starts, numbers } = this.#index.namesOfWord;
    for (const token of word.tokens) {
      if (token.kind === 'initial') continue;
      const { words, similarities } = this.#words.similarTo(token);
      const isRare = isRareWord(token);
      for (let at = 0; at < words.length; at += 1) {
        const similarity = similarities[at] as number;
        const listed = words[at] as number;
        this.#like(listed, similarity);
        if (similarity >= STRONG_SIMILARITY && this.#isTellingPair(token, listed)) this.#isTold[listed] = 1;
        if (!isFull(token)) continue;
        const isRareMatch = isRare && (word.isAgain || similarity >= RARE_SIMILARITY);
        const end = starts[listed + 1] as number;
        for (let place = starts[listed] as number; place < end; place += 1) {
          const name = numbers[place] as number;
          if (!isOnlyMore || this.#coverage.words[name] !== 0) this.#coverage.add(name, word, similarity, isRareMatch);
        }
      }
    }
  }

  /** Whether two words that are alike can say who is named. */
  #isTellingPair(token: NameWord, word: number): boolean {
    const listed = this.#listed.tokenAt(word);
    return listed.kind !== 'initial' && (isTellingKind(token) || isTellingKind(listed));
  }

  #like(word: number, similarity: number): void {
    const before = this.#likest[word] as number;
    if (before === 0) this.#likedWords.push(word);
    if (before < similarity) this.#likest[word] = similarity;
  }

  #eachNameOf(word: number, found: (name: number) => void): void {
    const { starts, numbers } = this.#index.namesOfWord;
    const end = starts[word + 1] as number;
    for (let place = starts[word] as number; place < end; place += 1) found(numbers[place] as number);
  }

  /** Words that listed names may write apart; says how long these are. */
  #coverSplit(words: readonly DifferentWord[]): number[] {
    const lengths = new Set<number>();
    for (const word of words) {
      const own = splittableLengths(word);
      if (own.length === 0) continue;
      eachNumber(this.#index.byJoined, keyHash('j', word.sound), (name) => {
        for (const length of own) lengths.add(length);
        this.#coverage.addSplit(name, word);
      });
    }
    return [...lengths];
  }

  /** Words that listed names may write together. */
  #coverRun({ sound, weight, words }: Run): void {
    eachNumber(this.#index.bySound, keyHash('j', sound), (word) => {
      this.#like(word, 1);
      this.#runWeight[word] = Math.max(weight, this.#runWeight[word] as number);
      this.#eachNameOf(word, (name) => this.#coverage.addJoined(name, words));
    });
  }

  /** The most that a name can score, without a look at which words pair. */
  #boundFor(
    query: ParsedName,
    queryWords: readonly DifferentWord[],
    joinedLengths: readonly number[],
    threshold: number,
  ): (name: number) => number {
    const { wordsOfName, wordWeights, firstLetters, letterCounts, isCounted, isLoose } = this.#index;
    const { matched, covered, words, rareWords, isJoined, split } = this.#coverage;
    const isQueryLoose = isLooseScript(query) ? 1 : 0;
    const weights = weightsOf(query, queryWords);
    const { full, once, all, heaviest, initials, legal } = weights;
    const needsTwo = threshold > FAR_CAP;
    const leastWords = needsTwo ? wordsNeeded(weights) : 1;
    return (name) => {
      if ((words[name] as number) < leastWords) return 0;
      let listedWords = 0;
      let listedMatched = 0;
      let listedCovered = 0;
      let listedExtra = 0;
      let places = 0;
      let told = 0;
      let listedFull = 0;
      let letters = 0;
      let together = split[name] as number;
      const isSplit = together > 0;
      const from = wordsOfName.starts[name] as number;
      const end = wordsOfName.starts[name + 1] as number;
      for (let place = from; place < end; place += 1) {
        const word = wordsOfName.numbers[place] as number;
        const weight = wordWeights[word] as number;
        let likest = this.#likest[word] as number;
        const run = this.#runWeight[word] as number;
        together += run;
        places += run > 0 ? MAX_JOINED : 1;
        told += this.#isTold[word] as number;
        listedFull += isCounted[place] as number;
        if (likest > 0) listedWords += 1;
        if (likest < 1 && isSplit && this.#mayBeJoined(from, place, end, joinedLengths)) likest = 1;
        const isLetter = letterCounts[word] === 1;
        if (isLetter) letters += 1;
        if (initials.has(firstLetters[word] as number)) {
          if (likest === 0 && !isLetter) {
            listedMatched += INITIAL_SIMILARITY * INITIAL_SHARE * weight;
            listedCovered += INITIAL_SHARE * weight;
            continue;
          }
          likest = 1;
        } else if (isCounted[place] === 0) {
          if (likest === 0) continue;
          likest = 1;
        }
        if (likest === 0) listedExtra += weight;
        else {
          listedMatched += weight * likest;
          listedCovered += weight;
        }
      }
      // A listed word stands for one word of the query, or for a few that are written apart: others that are like it are left over.
      const room = places * heaviest;
      const touched = covered[name] as number;
      const queryMatched = Math.min(matched[name] as number, touched, room);
      const queryCovered = touched > room ? queryMatched : touched;
      const extraQuery = Math.max(0, all - touched, (listedExtra > 0 ? all : once) - room);
      const isWhole = isJoined[name] === 0 && !isSplit;
      const hasExtra = extraQuery > ROUNDING || listedExtra > 0;
      if (needsTwo && isWhole && isWeak({ hasExtra, listedWords, told, full, listedFull })) return 0;
      const { smallMatched, smallCovered } = smallWords(weights, places, letters);
      return (
        legal +
        boundOf({
          matched: (listedMatched + queryMatched + together + smallMatched) / 2,
          covered: (listedCovered + queryCovered + together + smallCovered) / 2,
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
}

/** What is a particle in the query may be a word of the listed name, and then it counts as one. */
function wordsNeeded({ full, small }: Pick<QueryWeights, 'full' | 'small'>): number {
  return small > 0 ? 1 : Math.min(2, full);
}

interface Evidence {
  readonly hasExtra: boolean;
  readonly listedWords: number;
  readonly told: number;
  readonly full: number;
  readonly listedFull: number;
}

/** One word alone, or two that say nothing of who is meant, beside words that do not fit. */
function isWeak({ hasExtra, listedWords, told, full, listedFull }: Evidence): boolean {
  if (listedWords < 2 && (hasExtra || full > 1)) return true;
  return told < 2 && hasExtra && (full > 1 || listedFull > 1);
}
