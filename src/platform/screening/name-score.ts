import { editCost } from './edit-cost.ts';
import { type NameWord, type ParsedName } from './parsed-name.ts';
import { SYLLABIC } from './transliteration.ts';
import { simplified } from './simplified-han.ts';
import { type How, likenessOf } from './token-similarity.ts';
import { bestPairings, type Pairing } from './word-pairings.ts';
import { GENERIC_NAMES, OTHER_BUSINESS, REGIONS } from './word-tables.ts';

/** At or above it two names of a pair are taken for the same. */
export const PAIR_THRESHOLD = 0.7;
/** At or above it a listed entity is a hit; higher, because one name meets a whole list. */
export const SCREEN_THRESHOLD = 0.8;
/** Changes whenever a score may change. */
export const MATCHER_VERSION = '5';

/** One pairing of words that the score rests on. */
export interface MatchedWords {
  readonly query: string;
  readonly listed: string;
  readonly how: How;
  readonly similarity: number;
}

export interface NameMatch {
  readonly score: number;
  readonly words: readonly MatchedWords[];
  readonly unmatchedQuery: readonly string[];
  readonly unmatchedListed: readonly string[];
}

const EXTRA = { query: 0.4, listed: 0.35 } as const;
/** Rules between scripts are looser, so that more of the name must be there. */
const EXTRA_ACROSS_SCRIPTS = { query: 1, listed: 0.8 } as const;
const EXTRA_IN_CONFLICT = { query: 0.85, listed: 0.5 } as const;
const CONFLICT = 0.2;
const NUMBER_CONFLICT = 0.3;
const NUMBER_MISSING = 0.25;
const LEGAL_CONFLICT = 0.06;
export const LEGAL_AGREEMENT = 0.03;
const WEAK_EVIDENCE_CAP = 0.66;
const INITIAL_CAP = { rare: 0.86, common: 0.76 } as const;
/** Beside an initial the other word must fit almost wholly. */
const INITIAL_NEEDS = 0.9;
/** Below a hit, and above what a pair needs. */
export const FAR_CAP = 0.78;
const MIN_RARE_LETTERS = 4;
const ACRONYM_SCORE = 0.74;
export const STRONG_SIMILARITY = 0.7;
export const RARE_SIMILARITY = 0.85;
const DOUBT_BY_RARE_WORDS: readonly number[] = [1.4, 0.9, 0.7];

/** Words that can say who is named; titles such as Haji are part of many names. */
export function isTellingKind({ kind }: NameWord): boolean {
  return kind !== 'particle' && kind !== 'initial';
}

export function isFull({ kind }: NameWord): boolean {
  return kind === 'word' || kind === 'number' || kind === 'company-word';
}

export function isRareWord({ kind, isCommon, symbol }: NameWord): boolean {
  return kind === 'word' && !isCommon && symbol === undefined;
}

/** Extra words matter less beside rare words that match, and more beside common ones. */
function doubtOf(query: ParsedName, listed: ParsedName, chosen: readonly Pairing[]): number {
  const rare = chosen.filter(
    ({ queryAt, listedAt, likeness }) =>
      likeness.similarity >= RARE_SIMILARITY &&
      isRareWord(query.tokens[queryAt] as NameWord) &&
      isRareWord(listed.tokens[listedAt] as NameWord),
  );
  return DOUBT_BY_RARE_WORDS[Math.min(2, rare.length)] as number;
}

/** Whether another word of the name sounds the same. */
export function isRepeated({ tokens }: ParsedName, token: NameWord): boolean {
  let count = 0;
  for (const { sound } of tokens) if (sound === token.sound) count += 1;
  return count > 1;
}

function isMatchedElsewhere({ tokens }: ParsedName, rest: readonly NameWord[], { sound }: NameWord): boolean {
  const all = tokens.filter((token) => token.sound === sound).length;
  return all > rest.filter((token) => token.sound === sound).length;
}

/** Words that only say again what the name has said do not count as extra. */
function extraWeight(rest: readonly NameWord[], name: ParsedName, otherRest: readonly NameWord[]): number {
  let weight = 0;
  const mayRepeat = !otherRest.some(isFull);
  for (const token of rest) {
    if (!mayRepeat || !isMatchedElsewhere(name, rest, token)) weight += isFull(token) ? token.weight : token.weight / 3;
  }
  return weight;
}

function sameWords(query: ParsedName, listed: ParsedName): boolean {
  if (query.tokens.length !== listed.tokens.length) return false;
  const words = (name: ParsedName) =>
    name.tokens
      .map(({ text, script, original }) => (script === 'han' ? simplified(original) : text))
      .sort()
      .join(' ');
  const isHan = (name: ParsedName) => name.tokens.some(({ script }) => script === 'han');
  const spoken = (name: ParsedName) =>
    name.tokens
      .map(({ text }) => text)
      .sort()
      .join(' ');
  return isHan(query) === isHan(listed) ? words(query) === words(listed) : spoken(query) === spoken(listed);
}

/** Names in Chinese characters are compared one by one. */
function isHanName(query: ParsedName, listed: ParsedName): boolean {
  return [query, listed].every(({ tokens }) => tokens.every(({ script }) => script === 'han'));
}

const LOOSE_SCRIPTS: ReadonlySet<string> = new Set(['arabic', 'hebrew', 'thai', 'han', 'hangul']);

/** Whether a name is written in a script that is compared by looser rules. */
export function isLooseScript(name: ParsedName): boolean {
  return name.tokens.some(({ script }) => LOOSE_SCRIPTS.has(script));
}

/** What legal forms add or take where both names have one. */
function legalEvidence(query: ParsedName, listed: ParsedName, hasExtra: boolean): number {
  if (query.legalForms.some((form) => listed.legalForms.includes(form))) return hasExtra ? 0 : LEGAL_AGREEMENT;
  const isTelling = (name: ParsedName) => name.legalForms.some((form) => form !== 'co' && form !== 'corp');
  return isTelling(query) && isTelling(listed) ? -LEGAL_CONFLICT : 0;
}

function isAcronym(short: ParsedName, long: ParsedName): boolean {
  if (short.tokens.length !== 1 || short.joined.length < 3 || long.tokens.length < 3) return false;
  const initials = long.tokens.map(({ text }) => text[0]).join('');
  const fullInitials = long.tokens
    .filter(isFull)
    .map(({ text }) => text[0])
    .join('');
  return short.joined === initials || short.joined === fullInitials;
}

function isGeneric(name: ParsedName): boolean {
  return name.tokens.length <= 2 && GENERIC_NAMES.has(name.tokens.map(({ symbol, text }) => symbol ?? text).join(''));
}

const MIN_BRAND_LETTERS = 6;

/** One rare word that both have, and beside it nothing but where the firm is. */
function isBrandOfRegion(query: ParsedName, listed: ParsedName, strong: readonly Pairing[]): boolean {
  const [pair] = strong;
  if (pair === undefined || strong.length !== 1 || pair.likeness.how !== 'equal') return false;
  const brand = query.tokens[pair.queryAt] as NameWord;
  if (!isRareWord(brand) || brand.text.length < MIN_BRAND_LETTERS) return false;
  const others = [...query.tokens, ...listed.tokens].filter((token) => isFull(token) && token.text !== brand.text);
  const isOneSided = query.tokens.filter(isFull).length === 1 || listed.tokens.filter(isFull).length === 1;
  return isOneSided && others.every(({ text }) => REGIONS.has(text));
}

/** A syllable more is another name where each is a word. */
function isSyllables({ tokens }: ParsedName): boolean {
  return tokens.every(({ script }) => SYLLABIC.has(script));
}

/** The most that the evidence allows, whatever the share of matched words. */
function capOf(query: ParsedName, listed: ParsedName, chosen: readonly Pairing[], hasExtra: boolean): number {
  const words = chosen.filter(
    ({ likeness, queryAt, listedAt }) =>
      likeness.how !== 'initial' &&
      (isTellingKind(query.tokens[queryAt] as NameWord) || isTellingKind(listed.tokens[listedAt] as NameWord)),
  );
  const strong = words.filter(({ likeness }) => likeness.similarity >= STRONG_SIMILARITY);
  const strongCount = strong.reduce((sum, { queryCount, listedCount }) => sum + Math.max(queryCount, listedCount), 0);
  const fullCount = Math.max(query.tokens.filter(isFull).length, listed.tokens.filter(isFull).length);
  const isTelling = strong.some(({ queryAt, listedAt }) => {
    const pair = [query.tokens[queryAt], listed.tokens[listedAt]] as NameWord[];
    return pair.some(({ kind }) => kind === 'word');
  });
  if (hasExtra && isSyllables(query) && isSyllables(listed)) return WEAK_EVIDENCE_CAP;
  if (hasExtra && (!isTelling || isGeneric(query) || isGeneric(listed))) return WEAK_EVIDENCE_CAP;
  const initials = chosen.filter(({ likeness }) => likeness.how === 'initial');
  if (strongCount >= 2 || fullCount + initials.length <= 1) return 1;
  if (isBrandOfRegion(query, listed, strong)) return FAR_CAP;
  if (initials.length === 0 || strongCount === 0) return fullCount <= 1 && !hasExtra ? 1 : WEAK_EVIDENCE_CAP;
  const { queryAt, likeness } = strong[0] as Pairing;
  const { isCommon } = query.tokens[queryAt] as NameWord;
  return hasExtra || likeness.similarity < INITIAL_NEEDS
    ? WEAK_EVIDENCE_CAP
    : INITIAL_CAP[isCommon ? 'common' : 'rare'];
}

function numberPenalty(restQuery: readonly NameWord[], restListed: readonly NameWord[]): number {
  const sides = [restQuery, restListed].filter((rest) => rest.some(({ kind }) => kind === 'number'));
  return [0, NUMBER_MISSING, NUMBER_CONFLICT][sides.length] as number;
}

/** Words that are alike beyond a slip of the pen need two others that fit, or one that is rare. */
function isFarFetched(query: ParsedName, listed: ParsedName, chosen: readonly Pairing[]): boolean {
  if (!chosen.some(({ likeness }) => likeness.isFar === true)) return false;
  let others = 0;
  for (const { queryAt, listedAt, likeness } of chosen) {
    const [a, b] = [query.tokens[queryAt], listed.tokens[listedAt]] as [NameWord, NameWord];
    if (likeness.isFar === true || likeness.similarity < RARE_SIMILARITY || !isFull(a) || !isFull(b)) continue;
    const isRare = isRareWord(a) && isRareWord(b) && a.text.length >= MIN_RARE_LETTERS;
    others += isRare ? 2 : 1;
  }
  return others < 2;
}

/** An initial that no word of the other name begins with, though that has words to spare, is of another name. */
function hasOtherInitial(restQuery: readonly NameWord[], restListed: readonly NameWord[]): boolean {
  const isInitial = ({ kind }: NameWord) => kind === 'initial';
  const isNamed = (token: NameWord) => isInitial(token) || token.kind === 'word';
  return (
    (restQuery.some(isInitial) && restListed.some(isNamed)) || (restListed.some(isInitial) && restQuery.some(isNamed))
  );
}

/** Whether one side alone has Abd before a matched name: a word more, though it is written as one. */
function hasServant(
  chosen: readonly Pairing[],
  query: readonly NameWord[],
  listed: readonly NameWord[],
  side: 'query' | 'listed',
): boolean {
  return chosen.some(({ queryAt, listedAt, likeness }) => {
    if (likeness.how !== 'same_name') return false;
    const [a, b] = [query[queryAt]?.text.startsWith('abd'), listed[listedAt]?.text.startsWith('abd')];
    return a !== b && (side === 'query' ? a : b) === true;
  });
}

/** What can be said of two names before their words are paired; each figure at its most favourable. */
export interface PairOutline {
  readonly matched: number;
  readonly covered: number;
  readonly extraQuery: number;
  readonly extraListed: number;
  readonly rareWords: number;
  readonly isAcross: boolean;
}

export const ROUNDING = 1e-6;
/** Scores are rounded to four decimals. */
const SCORE_STEP = 0.0001;

/** No exact comparison of words one by one scores above it. */
export function boundOf({ matched, covered, extraQuery, extraListed, rareWords, isAcross }: PairOutline): number {
  const isConflict = extraQuery > ROUNDING && extraListed > ROUNDING;
  const share = isConflict ? EXTRA_IN_CONFLICT : isAcross ? EXTRA_ACROSS_SCRIPTS : EXTRA;
  const doubt = DOUBT_BY_RARE_WORDS[Math.min(2, rareWords)] as number;
  const whole = covered + doubt * (share.query * extraQuery + share.listed * extraListed);
  return matched / whole - (isConflict ? CONFLICT : 0) + SCORE_STEP;
}

/** Compares a queried name with a listed one; below `least` it is not explained. No list and no other query changes it. */
export function matchNames(query: ParsedName, listed: ParsedName, least = 0, likenessBetween = likenessOf): NameMatch {
  const { chosen, restQuery, restListed } = bestPairings(query.tokens, listed.tokens, likenessBetween);
  const matched = chosen.reduce((sum, { weight, likeness }) => sum + weight * likeness.similarity, 0);
  const covered = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const extraQuery = extraWeight(restQuery, query, restListed);
  const extraListed = extraWeight(restListed, listed, restQuery);
  const isConflict =
    (restQuery.some(isFull) && restListed.some(isFull) && extraQuery > 0 && extraListed > 0) ||
    [...restQuery, ...restListed].some(({ text }) => OTHER_BUSINESS.has(text)) ||
    (extraListed > 0 && restListed.some(isFull) && hasServant(chosen, query.tokens, listed.tokens, 'query')) ||
    (extraQuery > 0 && restQuery.some(isFull) && hasServant(chosen, query.tokens, listed.tokens, 'listed'));
  const share = isConflict
    ? EXTRA_IN_CONFLICT
    : isLooseScript(query) !== isLooseScript(listed)
      ? EXTRA_ACROSS_SCRIPTS
      : EXTRA;
  const doubt = doubtOf(query, listed, chosen);
  const whole = covered + doubt * (share.query * extraQuery + share.listed * extraListed);
  let score = whole === 0 ? 0 : matched / whole;
  if (isConflict) score -= CONFLICT;
  score -= numberPenalty(restQuery, restListed);
  if (isFarFetched(query, listed, chosen)) score = Math.min(score, FAR_CAP);
  if (hasOtherInitial(restQuery, restListed)) score = Math.min(score, WEAK_EVIDENCE_CAP);
  const hasExtra = restQuery.some(isFull) || restListed.some(isFull);
  score = Math.min(score, capOf(query, listed, chosen, hasExtra));
  score = Math.max(score, wholeNameScore(query, listed));
  score += legalEvidence(query, listed, hasExtra);
  const rounded = Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000;
  if (rounded < least) return { score: rounded, words: [], unmatchedQuery: [], unmatchedListed: [] };
  return {
    score: rounded,
    words: chosen.map((pairing) => shownPairing(query, listed, pairing)),
    unmatchedQuery: restQuery.map(({ text }) => text),
    unmatchedListed: restListed.map(({ text }) => text),
  };
}

/** What the names say as one piece: the same words in any order, the same letters without spaces, an acronym. */
function wholeNameScore(query: ParsedName, listed: ParsedName): number {
  if (sameWords(query, listed)) return 1;
  if (query.joined === listed.joined && !isHanName(query, listed)) return 0.98;
  if (isAcronym(query, listed) || isAcronym(listed, query)) return ACRONYM_SCORE;
  if (query.tokens.length === listed.tokens.length || query.joined.length < 8) return 0;
  const isExact = [...query.tokens, ...listed.tokens].some(
    ({ kind, script }) => kind === 'number' || SYLLABIC.has(script),
  );
  return !isExact && editCost(query.joined, listed.joined, 1) <= 1 ? 0.9 : 0;
}

function shownPairing(query: ParsedName, listed: ParsedName, pairing: Pairing): MatchedWords {
  const shown = (tokens: readonly NameWord[], at: number, count: number) =>
    tokens
      .slice(at, at + count)
      .map(({ text }) => text)
      .join(' ');
  return {
    query: shown(query.tokens, pairing.queryAt, pairing.queryCount),
    listed: shown(listed.tokens, pairing.listedAt, pairing.listedCount),
    how: pairing.likeness.how,
    similarity: Math.round(pairing.likeness.similarity * 100) / 100,
  };
}
