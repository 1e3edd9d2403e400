import { editCost } from './edit-cost.ts';
import { type ParsedName, SYLLABIC, type Token } from './parsed-name.ts';
import { soundKey } from './sound-keys.ts';
import { type How, type Likeness, likenessOf } from './token-similarity.ts';
import { GENERIC_NAMES } from './word-tables.ts';

/** At or above it two names of a pair are taken for the same. */
export const PAIR_THRESHOLD = 0.7;
/** At or above it a listed entity is a hit; higher, because one name meets a whole list. */
export const SCREEN_THRESHOLD = 0.8;
/** Changes whenever a score may change. */
export const MATCHER_VERSION = '2';

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

/** A run of words on each side that may stand for each other. */
interface Pairing {
  readonly queryAt: number;
  readonly queryCount: number;
  readonly listedAt: number;
  readonly listedCount: number;
  readonly likeness: Likeness;
  readonly weight: number;
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
export const WEAK_EVIDENCE_CAP = 0.66;
const INITIAL_CAP = { rare: 0.86, common: 0.76 } as const;
/** Beside an initial the other word must fit almost wholly. */
const INITIAL_NEEDS = 0.9;
const ACRONYM_SCORE = 0.74;
const STRONG_SIMILARITY = 0.7;
export const MAX_JOINED = 4;
export const MIN_JOINED_LETTERS = 4;
/** Letters by which words that sound alike may differ in length. */
export const JOINED_SLACK = 2;
const JOINED_SOUND = 0.96;
export const RARE_SIMILARITY = 0.85;
const DOUBT_BY_RARE_WORDS: readonly number[] = [1.1, 0.85, 0.7];
const INITIALS: Likeness = { similarity: 0.75, how: 'initial' };

/** Words that can say who is named; titles such as Haji are part of many names. */
function isTellingKind({ kind }: Token): boolean {
  return kind !== 'particle' && kind !== 'initial';
}

export function isFull({ kind }: Token): boolean {
  return kind === 'word' || kind === 'number' || kind === 'company-word';
}

function weightOf(tokens: readonly Token[], at: number, count: number): number {
  let weight = 0;
  for (let place = at; place < at + count; place += 1) weight += (tokens[place] as Token).weight;
  return weight;
}

/** Words written as one must be equal to the word, or sound so. */
function joinedSimilarity(token: Token, parts: readonly Token[], at: number, count: number): number {
  let text = '';
  for (let place = at; place < at + count; place += 1) text += (parts[place] as Token).spelt;
  if (text === token.text) return 1;
  if (SYLLABIC.has(token.script) || SYLLABIC.has((parts[at] as Token).script)) return 0;
  return soundKey(text) === token.sound ? JOINED_SOUND : 0;
}

/** Words written together on one side and apart on the other. */
function joinPairings(
  whole: readonly Token[],
  parts: readonly Token[],
  make: (wholeAt: number, at: number, count: number, similarity: number) => Pairing,
): Pairing[] {
  const found: Pairing[] = [];
  for (const [wholeAt, token] of whole.entries()) {
    if (token.text.length < MIN_JOINED_LETTERS || token.kind === 'number') continue;
    for (let at = 0; at < parts.length; at += 1) {
      let length = (parts[at] as Token).spelt.length;
      for (let count = 2; count <= MAX_JOINED && at + count <= parts.length; count += 1) {
        length += (parts[at + count - 1] as Token).spelt.length;
        if (length > token.text.length + JOINED_SLACK) break;
        if (length < Math.max(MIN_JOINED_LETTERS, token.text.length - JOINED_SLACK)) continue;
        const similarity = joinedSimilarity(token, parts, at, count);
        if (similarity > 0) found.push(make(wholeAt, at, count, similarity));
      }
    }
  }
  return found;
}

/** Initials written as one word, as JC for Jean Claude. */
function initialsPairings(query: readonly Token[], listed: readonly Token[]): Pairing[] {
  const found: Pairing[] = [];
  const fits = (short: Token, parts: readonly Token[], at: number) =>
    Array.from(short.text).every(
      (letter, place) => parts[at + place]?.text[0] === letter && (parts[at + place] as Token).text.length > 1,
    );
  const isShort = ({ kind, text }: Token) => kind === 'word' && text.length >= 2 && text.length <= 3;
  for (const [queryAt, token] of query.entries()) {
    if (!isShort(token)) continue;
    for (let at = 0; at + token.text.length <= listed.length; at += 1) {
      if (fits(token, listed, at))
        found.push({
          queryAt,
          queryCount: 1,
          listedAt: at,
          listedCount: token.text.length,
          likeness: INITIALS,
          weight: token.weight / 2,
        });
    }
  }
  for (const [listedAt, token] of listed.entries()) {
    if (!isShort(token)) continue;
    for (let at = 0; at + token.text.length <= query.length; at += 1) {
      if (fits(token, query, at))
        found.push({
          queryAt: at,
          queryCount: token.text.length,
          listedAt,
          listedCount: 1,
          likeness: INITIALS,
          weight: token.weight / 2,
        });
    }
  }
  return found;
}

function pairings(query: readonly Token[], listed: readonly Token[], likenessBetween: typeof likenessOf): Pairing[] {
  const found: Pairing[] = [];
  for (const [queryAt, a] of query.entries()) {
    for (const [listedAt, b] of listed.entries()) {
      const likeness = likenessBetween(a, b);
      if (likeness === undefined) continue;
      const weight = (a.weight + b.weight) / (likeness.how === 'initial' ? 4 : 2);
      found.push({ queryAt, queryCount: 1, listedAt, listedCount: 1, likeness, weight });
    }
  }
  found.push(
    ...initialsPairings(query, listed),
    ...joinPairings(query, listed, (queryAt, listedAt, listedCount, similarity) => ({
      queryAt,
      queryCount: 1,
      listedAt,
      listedCount,
      likeness: { similarity: similarity * 0.99, how: 'joined' },
      weight: weightOf(listed, listedAt, listedCount),
    })),
    ...joinPairings(listed, query, (listedAt, queryAt, queryCount, similarity) => ({
      queryAt,
      queryCount,
      listedAt,
      listedCount: 1,
      likeness: { similarity: similarity * 0.99, how: 'split' },
      weight: weightOf(query, queryAt, queryCount),
    })),
  );
  return found.sort(
    (a, b) =>
      b.likeness.similarity * Math.min(1, b.weight) - a.likeness.similarity * Math.min(1, a.weight) ||
      Math.abs(a.queryAt - a.listedAt) - Math.abs(b.queryAt - b.listedAt) ||
      a.queryAt - b.queryAt ||
      a.listedAt - b.listedAt,
  );
}

function isFree(taken: readonly boolean[], at: number, count: number): boolean {
  for (let place = at; place < at + count; place += 1) if (taken[place]) return false;
  return true;
}

function bestPairings(query: readonly Token[], listed: readonly Token[], likeness: typeof likenessOf) {
  const takenQuery = query.map(() => false);
  const takenListed = listed.map(() => false);
  const chosen = pairings(query, listed, likeness).filter(({ queryAt, queryCount, listedAt, listedCount }) => {
    if (!isFree(takenQuery, queryAt, queryCount) || !isFree(takenListed, listedAt, listedCount)) return false;
    takenQuery.fill(true, queryAt, queryAt + queryCount);
    takenListed.fill(true, listedAt, listedAt + listedCount);
    return true;
  });
  return {
    chosen,
    restQuery: query.filter((_, at) => !takenQuery[at]),
    restListed: listed.filter((_, at) => !takenListed[at]),
  };
}

export function isRareWord({ kind, isCommon, symbol }: Token): boolean {
  return kind === 'word' && !isCommon && symbol === undefined;
}

/** Extra words matter less beside rare words that match, and more beside common ones. */
function doubtOf(query: ParsedName, listed: ParsedName, chosen: readonly Pairing[]): number {
  const rare = chosen.filter(
    ({ queryAt, listedAt, likeness }) =>
      likeness.similarity >= RARE_SIMILARITY &&
      isRareWord(query.tokens[queryAt] as Token) &&
      isRareWord(listed.tokens[listedAt] as Token),
  );
  return DOUBT_BY_RARE_WORDS[Math.min(2, rare.length)] as number;
}

/** Whether another word of the name sounds the same. */
export function isRepeated({ tokens }: ParsedName, token: Token): boolean {
  let count = 0;
  for (const { sound } of tokens) if (sound === token.sound) count += 1;
  return count > 1;
}

function isMatchedElsewhere({ tokens }: ParsedName, rest: readonly Token[], { sound }: Token): boolean {
  const all = tokens.filter((token) => token.sound === sound).length;
  return all > rest.filter((token) => token.sound === sound).length;
}

/** Words that only say again what the name has said do not count as extra. */
function extraWeight(rest: readonly Token[], name: ParsedName, otherRest: readonly Token[]): number {
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
      .map(({ text }) => text)
      .sort()
      .join(' ');
  return words(query) === words(listed);
}

const LOOSE_SCRIPTS: ReadonlySet<string> = new Set(['arabic', 'hebrew', 'han', 'hangul']);

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

/** The most that the evidence allows, whatever the share of matched words. */
function capOf(query: ParsedName, listed: ParsedName, chosen: readonly Pairing[], hasExtra: boolean): number {
  const words = chosen.filter(
    ({ likeness, queryAt, listedAt }) =>
      likeness.how !== 'initial' &&
      (isTellingKind(query.tokens[queryAt] as Token) || isTellingKind(listed.tokens[listedAt] as Token)),
  );
  const strong = words.filter(({ likeness }) => likeness.similarity >= STRONG_SIMILARITY);
  const strongCount = strong.reduce((sum, { queryCount, listedCount }) => sum + Math.max(queryCount, listedCount), 0);
  const fullCount = Math.max(query.tokens.filter(isFull).length, listed.tokens.filter(isFull).length);
  const isTelling = strong.some(({ queryAt, listedAt }) => {
    const pair = [query.tokens[queryAt], listed.tokens[listedAt]] as Token[];
    return pair.some(({ kind }) => kind === 'word');
  });
  if (hasExtra && (!isTelling || isGeneric(query) || isGeneric(listed))) return WEAK_EVIDENCE_CAP;
  const initials = chosen.filter(({ likeness }) => likeness.how === 'initial');
  if (strongCount >= 2 || fullCount + initials.length <= 1) return 1;
  if (initials.length === 0 || strongCount === 0) return fullCount <= 1 && !hasExtra ? 1 : WEAK_EVIDENCE_CAP;
  const { queryAt, likeness } = strong[0] as Pairing;
  const { isCommon } = query.tokens[queryAt] as Token;
  return hasExtra || likeness.similarity < INITIAL_NEEDS
    ? WEAK_EVIDENCE_CAP
    : INITIAL_CAP[isCommon ? 'common' : 'rare'];
}

function numberPenalty(restQuery: readonly Token[], restListed: readonly Token[]): number {
  const sides = [restQuery, restListed].filter((rest) => rest.some(({ kind }) => kind === 'number'));
  return [0, NUMBER_MISSING, NUMBER_CONFLICT][sides.length] as number;
}

/** Whether one side alone has Abd before a matched name: a word more, though it is written as one. */
function hasServant(
  chosen: readonly Pairing[],
  query: readonly Token[],
  listed: readonly Token[],
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

const ROUNDING = 1e-6;

/** No exact comparison of words one by one scores above it. */
export function boundOf({ matched, covered, extraQuery, extraListed, rareWords, isAcross }: PairOutline): number {
  const isConflict = extraQuery > ROUNDING && extraListed > ROUNDING;
  const share = isConflict ? EXTRA_IN_CONFLICT : isAcross ? EXTRA_ACROSS_SCRIPTS : EXTRA;
  const doubt = DOUBT_BY_RARE_WORDS[Math.min(2, rareWords)] as number;
  const whole = covered + doubt * (share.query * extraQuery + share.listed * extraListed);
  return matched / whole - (isConflict ? CONFLICT : 0) + 2 * 0.0001;
}

/** Compares a queried name with a listed one; below `least` it is not explained. No list and no other query changes it. */
export function matchNames(query: ParsedName, listed: ParsedName, least = 0, likeness = likenessOf): NameMatch {
  const { chosen, restQuery, restListed } = bestPairings(query.tokens, listed.tokens, likeness);
  const matched = chosen.reduce((sum, { weight, likeness }) => sum + weight * likeness.similarity, 0);
  const covered = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const extraQuery = extraWeight(restQuery, query, restListed);
  const extraListed = extraWeight(restListed, listed, restQuery);
  const isConflict =
    (restQuery.some(isFull) && restListed.some(isFull) && extraQuery > 0 && extraListed > 0) ||
    (extraListed > 0 && restListed.some(isFull) && hasServant(chosen, query.tokens, listed.tokens, 'query')) ||
    (extraQuery > 0 && restQuery.some(isFull) && hasServant(chosen, query.tokens, listed.tokens, 'listed'));
  const share = isConflict ? EXTRA_IN_CONFLICT : isLooseScript(query) !== isLooseScript(listed) ? EXTRA_ACROSS_SCRIPTS : EXTRA;
  const doubt = doubtOf(query, listed, chosen);
  const whole = covered + doubt * (share.query * extraQuery + share.listed * extraListed);
  let score = whole === 0 ? 0 : matched / whole;
  if (isConflict) score -= CONFLICT;
  score -= numberPenalty(restQuery, restListed);
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
  if (query.joined === listed.joined) return 0.98;
  if (isAcronym(query, listed) || isAcronym(listed, query)) return ACRONYM_SCORE;
  if (query.tokens.length === listed.tokens.length || query.joined.length < 8) return 0;
  const isExact = [...query.tokens, ...listed.tokens].some(({ kind, script }) => kind === 'number' || SYLLABIC.has(script));
  return !isExact && editCost(query.joined, listed.joined, 1) <= 1 ? 0.9 : 0;
}

function shownPairing(query: ParsedName, listed: ParsedName, pairing: Pairing): MatchedWords {
  const shown = (tokens: readonly Token[], at: number, count: number) =>
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
