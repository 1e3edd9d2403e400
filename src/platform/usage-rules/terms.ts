import { areNeighbours, withoutDisguise } from './disguises.ts';
import type { Phrase } from './lexicon.ts';
import { type Term, type Word, wordsOf } from './reading.ts';

/** The terms of a text: its words as they are meant, with phrases of the lists taken together. */
export function termsOf(text: string): Term[] {
  const words = withoutDisguise(text, wordsOf(text));
  const terms: Term[] = [];
  for (let at = 0; at < words.length; ) {
    const first = words[at];
    if (first === undefined) break;
    const phrase = first.entry?.phrases == null ? undefined : phraseAt(words, at, text);
    if (phrase === undefined) {
      terms.push(first);
      at += 1;
      continue;
    }
    const { end } = words[at + phrase.words.length - 1] ?? first;
    terms.push({ start: first.start, end, text: first.text, mask: phrase.mask, count: phrase.words.length });
    at += phrase.words.length;
  }
  return terms;
}

function phraseAt(words: readonly Word[], at: number, text: string): Phrase | undefined {
  const next = words[at + 1];
  if (next?.entry?.isSecond !== true) return undefined;
  const phrases = words[at]?.entry?.phrases?.get(next.text);
  return phrases?.find((phrase) => standsAt(phrase, words, at, text));
}

function standsAt({ words: wanted }: Phrase, words: readonly Word[], at: number, text: string): boolean {
  for (let index = 1; index < wanted.length; index += 1) {
    const here = words[at + index];
    if (here === undefined || here.text !== wanted[index]) return false;
    if (!areNeighbours(text, words[at + index - 1]?.end ?? 0, here.start)) return false;
  }
  return true;
}
