import { joinedWords } from './list-index.ts';
import { isFull, LEGAL_AGREEMENT } from './name-score.ts';
import { KIND_WEIGHTS, type NameWord, type ParsedName } from './parsed-name.ts';
import { INITIAL_SIMILARITY } from './token-similarity.ts';
import { INITIAL_SHARE, MIN_JOINED_LETTERS } from './word-pairings.ts';

const INITIAL_WEIGHT = KIND_WEIGHTS.initial;
const HEAVIEST_SMALL = Math.max(KIND_WEIGHTS.particle, KIND_WEIGHTS.title);

/** Words of a query that sound alike: looked up once, however often the query says them. */
export interface DifferentWord {
  /** Its place among the different words of the query. */
  readonly at: number;
  readonly sound: string;
  /** Each different spelling. */
  readonly tokens: readonly NameWord[];
  /** How many full words they are, and what these weigh together. */
  readonly times: number;
  readonly weight: number;
  /** Whether another word of the name sounds the same. */
  readonly isAgain: boolean;
}

export function differentWords({ tokens }: ParsedName): DifferentWord[] {
  return Array.from(
    Map.groupBy(tokens, ({ sound }) => sound),
    ([sound, alike], at) => {
      const full = alike.filter(isFull);
      return {
        at,
        sound,
        tokens: [...new Set(alike)],
        times: full.length,
        weight: sumOf(full),
        isAgain: alike.length > 1,
      };
    },
  );
}

function sumOf(tokens: readonly NameWord[]): number {
  return tokens.reduce((sum, { weight }) => sum + weight, 0);
}

export interface QueryWeights {
  /** How many full words there are. */
  readonly full: number;
  /** What full words weigh: those that are said once, all of them, and the heaviest one. */
  readonly once: number;
  readonly all: number;
  readonly heaviest: number;
  /** What particles and titles weigh. */
  readonly small: number;
  /** How many initials there are, and the letters that they are. */
  readonly initialCount: number;
  readonly initials: ReadonlySet<number>;
  /** What agreement of a legal form can add. */
  readonly legal: number;
}

export function weightsOf({ tokens, legalForms }: ParsedName, words: readonly DifferentWord[]): QueryWeights {
  const full = tokens.filter(isFull);
  const initials = tokens.filter(({ kind }) => kind === 'initial');
  return {
    full: full.length,
    once: words.reduce((sum, { isAgain, weight }) => (isAgain ? sum : sum + weight), 0),
    all: sumOf(full),
    heaviest: full.reduce((most, { weight }) => Math.max(most, weight), 0),
    small: sumOf(tokens.filter((token) => !isFull(token) && token.kind !== 'initial')),
    initialCount: initials.length,
    legal: legalForms.length > 0 ? LEGAL_AGREEMENT : 0,
    initials: new Set(initials.map(({ text }) => text.charCodeAt(0))),
  };
}

/** The most that small words of a query bring beside a name with room for so many words, some of them single letters. */
export function smallWords(
  { small, initialCount }: QueryWeights,
  places: number,
  letters: number,
): { readonly smallMatched: number; readonly smallCovered: number } {
  const others = Math.min(small, places * HEAVIEST_SMALL);
  const count = Math.min(initialCount, places);
  const equal = Math.min(count, letters) * INITIAL_WEIGHT;
  const beside = Math.max(0, count - letters) * INITIAL_WEIGHT * INITIAL_SHARE;
  return {
    smallMatched: others + equal + INITIAL_SIMILARITY * beside,
    smallCovered: others + equal + beside,
  };
}

/** Words of a query that a listed name may write together. */
export interface Run {
  readonly sound: string;
  /** What the heaviest of the runs that sound so weighs. */
  readonly weight: number;
  readonly words: readonly DifferentWord[];
}

export function runsOf({ tokens }: ParsedName, words: readonly DifferentWord[]): Run[] {
  const bySound = new Map(words.map((word) => [word.sound, word]));
  return Array.from(
    Map.groupBy(joinedWords(tokens), ({ sound }) => sound),
    ([sound, runs]) => ({
      sound,
      weight: runs.reduce((most, { parts }) => Math.max(most, sumOf(parts)), 0),
      words: [...new Set(runs.flatMap(({ parts }) => parts.map((part) => bySound.get(part.sound) as DifferentWord)))],
    }),
  );
}

/** How many letters the spellings of a word have, where a listed name may write it apart. */
export function splittableLengths({ tokens }: DifferentWord): number[] {
  return tokens.map(({ text }) => text.length).filter((length) => length >= MIN_JOINED_LETTERS);
}

/** Parsed names that differ in a word, its order or the legal form. */
export function differentNames(names: readonly ParsedName[]): ParsedName[] {
  const known = new Map<string, ParsedName>();
  for (const name of names) {
    const words = name.tokens.map(({ kind, script, text, original }) => [kind, script, text, original]);
    known.set(JSON.stringify([words, name.legalForms]), name);
  }
  return [...known.values()];
}
