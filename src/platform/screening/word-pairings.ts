import { type NameWord } from './parsed-name.ts';
import { SYLLABIC } from './transliteration.ts';
import { soundKey } from './sound-keys.ts';
import { type Likeness, likenessOf } from './token-similarity.ts';

/** A run of words on each side that may stand for each other. */
export interface Pairing {
  readonly queryAt: number;
  readonly queryCount: number;
  readonly listedAt: number;
  readonly listedCount: number;
  readonly likeness: Likeness;
  readonly weight: number;
}

export const MAX_JOINED = 3;
export const MIN_JOINED_LETTERS = 4;
/** Letters by which words that sound alike may differ in length. */
export const JOINED_SLACK = 2;
/** Of the weight of a word beside an initial. */
export const INITIAL_SHARE = 0.5;
const JOINED_SOUND = 0.96;
const INITIALS: Likeness = { similarity: 0.75, how: 'initial' };

function weightOf(tokens: readonly NameWord[], at: number, count: number): number {
  let weight = 0;
  for (let place = at; place < at + count; place += 1) weight += (tokens[place] as NameWord).weight;
  return weight;
}

/** Words written as one must be equal to the word, or sound so. */
function joinedSimilarity(token: NameWord, parts: readonly NameWord[], at: number, count: number): number {
  let text = '';
  for (let place = at; place < at + count; place += 1) text += (parts[place] as NameWord).spelt;
  if (text === token.text) return 1;
  if (SYLLABIC.has(token.script) || SYLLABIC.has((parts[at] as NameWord).script)) return 0;
  return soundKey(text) === token.sound ? JOINED_SOUND : 0;
}

/** Words written together on one side and apart on the other. */
function joinPairings(
  whole: readonly NameWord[],
  parts: readonly NameWord[],
  make: (wholeAt: number, at: number, count: number, similarity: number) => Pairing,
): Pairing[] {
  const found: Pairing[] = [];
  for (const [wholeAt, token] of whole.entries()) {
    if (token.text.length < MIN_JOINED_LETTERS || token.kind === 'number') continue;
    for (let at = 0; at < parts.length; at += 1) {
      let length = (parts[at] as NameWord).spelt.length;
      for (let count = 2; count <= MAX_JOINED && at + count <= parts.length; count += 1) {
        length += (parts[at + count - 1] as NameWord).spelt.length;
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
function initialsPairings(query: readonly NameWord[], listed: readonly NameWord[]): Pairing[] {
  const found: Pairing[] = [];
  const fits = (short: NameWord, parts: readonly NameWord[], at: number) =>
    Array.from(short.text).every(
      (letter, place) => parts[at + place]?.text[0] === letter && (parts[at + place] as NameWord).text.length > 1,
    );
  const isShort = ({ kind, text }: NameWord) => kind === 'word' && text.length >= 2 && text.length <= 3;
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

function pairings(
  query: readonly NameWord[],
  listed: readonly NameWord[],
  likenessBetween: typeof likenessOf,
): Pairing[] {
  const found: Pairing[] = [];
  for (const [queryAt, a] of query.entries()) {
    for (const [listedAt, b] of listed.entries()) {
      const likeness = likenessBetween(a, b);
      if (likeness === undefined) continue;
      const weight = ((a.weight + b.weight) / 2) * (likeness.how === 'initial' ? INITIAL_SHARE : 1);
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

/** The pairs of words that a score rests on, best first, each word once; and what is left of both sides. */
export function bestPairings(query: readonly NameWord[], listed: readonly NameWord[], likeness: typeof likenessOf) {
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
