import { lazily } from '#kernel/lazily.ts';
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

/** The words of both languages, read when the first question comes. */
const vocabulary = lazily(() => {
  const groups = linesOf(ENGLISH_WORDS).map((line) => line.trim().split(' '));
  const dutch: ReadonlyMap<string, readonly string[]> = new Map(
    linesOf(DUTCH_WORDS).flatMap((line) => {
      const [from = '', to = ''] = line.split(' = ');
      return from.split(' ').map((word) => [word, to.split(' ')] as const);
    }),
  );
  const split: ReadonlyMap<string, string> = new Map(
    linesOf(SPLIT_VERBS).map((line) => line.split(' = ') as [string, string]),
  );
  return {
    groups,
    mates: matesOf(groups.map((group) => group.map(joined))),
    dutch,
    dutchStems: new Map([...dutch].map(([word, targets]) => [stemOf(word), targets] as const)),
    light: new Set(LIGHT_WORDS.trim().split(/\s+/)),
    /** Phrases of two or three words, by their stems, with the word that they are read as. */
    phrases: new Map(
      groups
        .flat()
        .filter((word) => word.includes('-'))
        .map((word) => [word.split('-').map(stemOf).join(' '), joined(word)] as const),
    ),
    split,
    splitStarts: new Set([...split.keys()].map((verb) => verb.split(' ')[0] ?? '')),
  };
});

function matesOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const mates = new Map<string, string[]>();
  for (const group of groups) {
    for (const word of group) mates.set(stemOf(word), [...(mates.get(stemOf(word)) ?? []), ...group]);
  }
  return mates;
}

/** English words that mean the same as the given one. */
export function matesOfWord(word: string): readonly string[] {
  return vocabulary().mates.get(stemOf(word)) ?? [];
}

/** English words for a Dutch one. */
export function translationsOf(word: string): readonly string[] {
  const { dutch, dutchStems } = vocabulary();
  return dutch.get(word) ?? dutchStems.get(stemOf(word)) ?? [];
}

export function isLight(word: string): boolean {
  return vocabulary().light.has(word);
}

/** The word that neighbouring words are together, and how many they are. */
export function phraseAt(
  words: readonly string[],
  place: number,
): { readonly word: string; readonly length: number } | undefined {
  const { phrases } = vocabulary();
  for (const length of [3, 2]) {
    const word = phrases.get(
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
  const { split, splitStarts } = vocabulary();
  const first = words[place] ?? '';
  if (!splitStarts.has(first)) return undefined;
  const end = words.slice(place + 1).find((word) => split.has(`${first} ${word}`));
  return end === undefined ? undefined : split.get(`${first} ${end}`);
}

/** Every word that is known here though no text may have it: what a mistyped word may have been. */
export function knownWords(): string[] {
  const { groups, dutch } = vocabulary();
  return [...new Set([...groups.flat().map(joined), ...dutch.keys()])];
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
