import { DUTCH_WORDS, SPLIT_VERBS } from './dutch-words.ts';
import { ENGLISH_WORDS, LIGHT_WORDS } from './english-words.ts';
import { stemOf } from './words.ts';

function linesOf(data: string): string[] {
  return data.trim().split('\n');
}

/** A phrase as one word: `top-up` and `top up` are `topup`. */
function joined(word: string): string {
  return word.replaceAll('-', '');
}

const GROUPS = linesOf(ENGLISH_WORDS).map((line) => line.trim().split(' '));

const MATES: ReadonlyMap<string, readonly string[]> = matesOf(GROUPS.map((group) => group.map(joined)));

function matesOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const mates = new Map<string, string[]>();
  for (const group of groups) {
    for (const word of group) mates.set(stemOf(word), [...(mates.get(stemOf(word)) ?? []), ...group]);
  }
  return mates;
}

const DUTCH: ReadonlyMap<string, readonly string[]> = new Map(
  linesOf(DUTCH_WORDS).flatMap((line) => {
    const [from = '', to = ''] = line.split(' = ');
    return from.split(' ').map((word) => [word, to.split(' ')] as const);
  }),
);
const DUTCH_STEMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...DUTCH].map(([word, targets]) => [stemOf(word), targets]),
);

const LIGHT: ReadonlySet<string> = new Set(LIGHT_WORDS.trim().split(/\s+/));

/** Phrases of two or three words, by their stems, with the word that they are read as. */
const PHRASES: ReadonlyMap<string, string> = new Map([
  ...GROUPS.flat()
    .filter((word) => word.includes('-'))
    .map((word) => [word.split('-').map(stemOf).join(' '), joined(word)] as const),
]);
const SPLIT: ReadonlyMap<string, string> = new Map(
  linesOf(SPLIT_VERBS).map((line) => line.split(' = ') as [string, string]),
);
const SPLIT_STARTS = new Set([...SPLIT.keys()].map((verb) => verb.split(' ')[0] ?? ''));

/** English words that mean the same as the given one. */
export function matesOfWord(word: string): readonly string[] {
  return MATES.get(stemOf(word)) ?? [];
}

/** English words for a Dutch one. */
export function translationsOf(word: string): readonly string[] {
  return DUTCH.get(word) ?? DUTCH_STEMS.get(stemOf(word)) ?? [];
}

export function isLight(word: string): boolean {
  return LIGHT.has(word);
}

/** The word that neighbouring words are together, and how many they are. */
export function phraseAt(
  words: readonly string[],
  place: number,
): { readonly word: string; readonly length: number } | undefined {
  for (const length of [3, 2]) {
    const word = PHRASES.get(
      words
        .slice(place, place + length)
        .map(stemOf)
        .join(' '),
    );
    if (word !== undefined) return { word, length };
  }
  return undefined;
}

/** The Dutch verb that begins here and ends in a later word of the question. */
export function splitVerbAt(words: readonly string[], place: number): string | undefined {
  const first = words[place] ?? '';
  if (!SPLIT_STARTS.has(first)) return undefined;
  const end = words.slice(place + 1).find((word) => SPLIT.has(`${first} ${word}`));
  return end === undefined ? undefined : SPLIT.get(`${first} ${end}`);
}

/** Every word that is known here though no text may have it: what a mistyped word may have been. */
export function knownWords(): string[] {
  return [...new Set([...GROUPS.flat().map(joined), ...DUTCH.keys()])];
}

/** The parts of a Dutch word that is two known ones written together. */
export function partsOfCompound(
  word: string,
  isKnown: (part: string) => boolean,
): readonly [string, string] | undefined {
  for (let cut = word.length - 3; cut >= 3; cut -= 1) {
    const [head, tail] = [word.slice(0, cut), word.slice(cut)];
    if (!isKnown(tail)) continue;
    const first = [head, ...(/.{3}s$/.test(head) ? [head.slice(0, -1)] : [])].find(isKnown);
    if (first !== undefined) return [first, tail];
  }
  return undefined;
}
