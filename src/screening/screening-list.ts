import { isListRefusal, type ListedEntity, type ListRefusal, readFsfList, type SanctionsList } from './fsf-list.ts';
import { MATCHER_VERSION, type MatchedWords, matchNames, type NameMatch, SCREEN_THRESHOLD } from './name-score.ts';
import { type ParsedName, parseNames, type Token } from './parsed-name.ts';
import { soundKey } from './sound-keys.ts';
import { Coverage } from './coverage.ts';
import { HashedKeys, keyHash, neighbourHashes } from './hashed-keys.ts';
import { TokenIndex } from './token-index.ts';

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

/** A weak alias counts as a hit only from here on, and with two words or more. */
const WEAK_ALIAS_SCORE = 0.95;
/** Below what the threshold asks for, because weights of both sides are averaged. */
const LEAST_COVERAGE = 0.9;
const MAX_JOINED = 4;
const LONGEST_WHOLE = 60;

interface IndexedName {
  readonly entity: number;
  readonly listedName: string;
  readonly isWeak: boolean;
  readonly parsed: ParsedName;
}

/** A sanctions list, ready to be searched. It does not change, and no query changes what another one finds. */
export class ScreeningList {
  readonly list: SanctionsList;
  readonly matcherVersion = MATCHER_VERSION;
  readonly #names: readonly IndexedName[];
  readonly #tokens: TokenIndex;
  /** Names of a token: from start[token] to start[token + 1]. */
  readonly #starts: Int32Array;
  readonly #postings: Int32Array;
  readonly #byJoined: HashedKeys;
  readonly #coverage: Coverage;
  readonly #bySound: HashedKeys;

  constructor(list: SanctionsList) {
    this.list = list;
    const interned = new Map<string, { token: Token; names: number[] }>();
    const names: IndexedName[] = [];
    for (const [entity, { names: listed }] of list.entities.entries()) {
      for (const { name, isWeak } of listed) {
        for (const parsed of parseNames(name)) {
          const tokens = parsed.tokens.map((token) => intern(interned, token, names.length));
          names.push({ entity, listedName: name, isWeak, parsed: { ...parsed, tokens } });
        }
      }
    }
    this.#names = names;
    this.#coverage = new Coverage(names.length);
    const unique = [...interned.values()];
    this.#tokens = new TokenIndex(unique.map(({ token }) => token));
    this.#starts = new Int32Array(unique.length + 1);
    for (const [number, entry] of unique.entries()) {
      this.#starts[number + 1] = (this.#starts[number] as number) + entry.names.length;
    }
    this.#byJoined = new HashedKeys(names.map(({ parsed }, number) => [joinedHashes(parsed), number] as const));
    this.#bySound = new HashedKeys(unique.map(({ token }, number) => [[keyHash('j', token.sound)], number] as const));
    this.#postings = Int32Array.from(unique.flatMap(({ names: numbers }) => numbers));
  }

  get nameCount(): number {
    return this.#names.length;
  }

  /** The names worth an exact comparison: enough of the query is covered, and by two words where it has two. */
  #namesToCompare(query: ParsedName, threshold: number): number[] {
    const { tokens } = query;
    // An initial fits too many names to find any.
    const telling = tokens.filter(({ kind }) => kind !== 'initial');
    const whole = telling.reduce((sum, { weight }) => sum + weight, 0);
    for (const token of telling) {
      this.#coverage.nextWord();
      for (const { token: number, similarity } of this.#tokens.similarTo(token))
        this.#cover(number, token.weight * similarity, 1);
      this.#byJoined.each(keyHash('j', token.sound), (name) => this.#coverage.add(name, token.weight, 2));
    }
    for (let at = 0; at < tokens.length; at += 1) {
      for (let count = 2; count <= MAX_JOINED && at + count <= tokens.length; count += 1) {
        const parts = tokens.slice(at, at + count);
        const weight = parts.reduce((sum, token) => sum + token.weight, 0);
        this.#coverage.nextWord();
        this.#bySound.each(keyHash('j', soundKey(textOf(parts))), (number) => this.#cover(number, weight, 2));
      }
    }
    this.#coverage.nextWord();
    for (const hash of wholeHashes(query)) this.#byJoined.each(hash, (name) => this.#coverage.add(name, whole, 2));
    const least = (LEAST_COVERAGE * 0.4 * threshold) / (1 - 0.6 * threshold);
    return this.#coverage.take(least * whole, Math.min(2, telling.length));
  }

  #cover(token: number, weight: number, words: number): void {
    const end = this.#starts[token + 1] as number;
    for (let place = this.#starts[token] as number; place < end; place += 1) {
      this.#coverage.add(this.#postings[place] as number, weight, words);
    }
  }

  /** Entities that the name may mean, best first: hits at or above the threshold, and what only weak aliases show. */
  screen(name: string, threshold: number = SCREEN_THRESHOLD): Candidate[] {
    const best = new Map<number, Candidate>();
    for (const query of parseNames(name)) {
      for (const number of this.#namesToCompare(query, threshold)) {
        const listed = this.#names[number] as IndexedName;
        const match = matchNames(query, listed.parsed, threshold);
        if (match.score < threshold) continue;
        const candidate = this.#candidate(listed, match);
        const known = best.get(listed.entity);
        if (known === undefined || isBetter(candidate, known)) best.set(listed.entity, candidate);
      }
    }
    return [...best.values()].sort((a, b) => b.score - a.score || (a.entity.id < b.entity.id ? -1 : 1));
  }

  #candidate({ entity, listedName, isWeak, parsed }: IndexedName, match: NameMatch): Candidate {
    const { score, ...why } = match;
    const counts = !isWeak || (score >= WEAK_ALIAS_SCORE && parsed.tokens.length > 1);
    return { entity: this.list.entities[entity] as ListedEntity, listedName, score, isWeak: !counts, ...why };
  }
}

/** A name that counts comes before a weak one; then the score, then the alphabet, so that the order of the list is no matter. */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isWeak !== b.isWeak) return b.isWeak;
  return a.score > b.score || (a.score === b.score && a.listedName < b.listedName);
}

/** Neighbouring words written as one, so that a query that joins them finds the name; and the initials. */
function joinedHashes(name: ParsedName): Set<number> {
  const { tokens } = name;
  const hashes = new Set<number>();
  for (const hash of wholeHashes(name)) hashes.add(hash);
  for (let at = 0; at < tokens.length; at += 1) {
    for (let count = 2; count <= MAX_JOINED && at + count <= tokens.length; count += 1) {
      hashes.add(keyHash('j', soundKey(textOf(tokens.slice(at, at + count)))));
    }
  }
  hashes.add(keyHash('j', soundKey(tokens.map(({ text }) => text[0]).join(''))));
  return hashes;
}

/** The whole name as one word, as it sounds and with a letter less. */
function wholeHashes({ joined }: ParsedName): number[] {
  return [keyHash('j', soundKey(joined)), ...neighbourHashes('w', joined.slice(0, LONGEST_WHOLE), 1)];
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('');
}

function intern(tokens: Map<string, { token: Token; names: number[] }>, token: Token, name: number): Token {
  const key = `${token.kind} ${token.script} ${token.text} ${token.weight} ${token.consonants[0]}`;
  const known = tokens.get(key);
  if (known === undefined) {
    tokens.set(key, { token, names: [name] });
    return token;
  }
  if (known.names.at(-1) !== name) known.names.push(name);
  return known.token;
}

/** Reads the XML of the EU list and makes it searchable, or says why it is refused. */
export async function loadList(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<ScreeningList | ListRefusal> {
  const list = await readFsfList(chunks);
  return isListRefusal(list) ? list : new ScreeningList(list);
}

/** Hits only: what `screen` finds without what weak aliases alone show. */
export function screen(list: ScreeningList, name: string, threshold: number = SCREEN_THRESHOLD): Candidate[] {
  return list.screen(name, threshold).filter(({ isWeak }) => !isWeak);
}
