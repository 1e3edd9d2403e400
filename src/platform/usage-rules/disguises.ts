import { leetReadings } from './fold.ts';
import { entryOf, isKnown, isSpelled, maskOfEnding } from './lexicon.ts';
import { isNone } from './masks.ts';
import { type Word, wordAt } from './reading.ts';

interface Pieces {
  readonly words: readonly Word[];
  readonly next: number;
}

const MIN_SPELLED = 4;
const MAX_SPELLED = 60;
const MAX_WORD = 16;
const MAX_PIECES = 4;
const BETWEEN = " -_'’/.,";

/** The words of a text with disguises undone: digits for letters, letters one by one, a word cut in pieces. */
export function withoutDisguise(text: string, words: readonly Word[]): readonly Word[] {
  // Most texts have none: the list is copied only from the first one on.
  let plain: Word[] | null = null;
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    if (word === undefined) break;
    const pieces = piecesAt(text, words, at, word);
    if (pieces !== null) plain ??= words.slice(0, at);
    plain?.push(...(pieces?.words ?? [word]));
    at = pieces?.next ?? at + 1;
  }
  return plain ?? words;
}

function piecesAt(text: string, words: readonly Word[], at: number, word: Word): Pieces | null {
  if (isSingle(word)) return spelledOut(text, words, at);
  if (word.hasSigns || (word.entry === undefined && word.text.includes('vv'))) return meant(word, at);
  return word.entry?.isBeginning === true && !word.entry.isHidden ? cutWord(text, words, at) : null;
}

function meant({ start, end, text }: Word, at: number): Pieces | null {
  const readings = [...leetReadings(text), text.replaceAll('vv', 'w')];
  const reading = readings.find((one) => isKnown(one) || !isNone(maskOfEnding(one)));
  return reading === undefined || reading === text ? null : { words: [wordAt(start, end, reading)], next: at + 1 };
}

const isSingle = ({ text }: Word) => text.length === 1 || (text.length === 2 && text.startsWith('.'));

/** Letters that stand one by one, read as words. */
function spelledOut(text: string, words: readonly Word[], from: number): Pieces | null {
  let to = from + 1;
  while (to < words.length && to - from < MAX_SPELLED && isNextLetter(text, words, to)) to += 1;
  if (to - from < MIN_SPELLED) return null;
  const run = words.slice(from, to);
  const raw = run.map((word) => word.text.at(-1) ?? '').join('');
  for (const letters of new Set([raw, ...leetReadings(raw)])) {
    const split = splitIntoWords(letters);
    if (split === null) continue;
    const found = split.map(([start, end]) =>
      wordAt(run[start]?.start ?? 0, run[end - 1]?.end ?? 0, letters.slice(start, end)),
    );
    return { words: found, next: to };
  }
  // Nothing is hidden in it: its letters are not looked at again.
  return { words: run, next: to };
}

function isNextLetter(text: string, words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  const word = words[at];
  if (before === undefined || word === undefined || !isSingle(word)) return false;
  return word.start - before.end <= 3 && !/[\n!?]/.test(text.slice(before.end, word.start));
}

/** Known words that make up the letters, with as few letters of their own as can be; null where none is worth hiding. */
export function splitIntoWords(letters: string): (readonly [start: number, end: number])[] | null {
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= letters.length; end += 1) {
    // A letter of its own costs as much as many words.
    let chosen = { cost: (best[end - 1]?.cost ?? 0) + 10, from: end - 1 };
    for (let start = Math.max(0, end - MAX_WORD); start < end - 1; start += 1) {
      const cost = (best[start]?.cost ?? 0) + 1;
      if (cost < chosen.cost && isKnown(letters.slice(start, end))) chosen = { cost, from: start };
    }
    best.push(chosen);
  }
  const split: (readonly [number, number])[] = [];
  for (let end = letters.length; end > 0; end = best[end]?.from ?? 0) split.push([best[end]?.from ?? 0, end]);
  const isHiding = split.some(([start, end]) => end - start >= MIN_SPELLED && isSpelled(letters.slice(start, end)));
  return isHiding ? split.toReversed() : null;
}

/** A word that is worth hiding, cut by spaces or by the end of a line. */
function cutWord(text: string, words: readonly Word[], from: number): Pieces | null {
  const first = words[from];
  if (first === undefined) return null;
  let letters = first.text;
  for (let at = from + 1; at < Math.min(words.length, from + MAX_PIECES); at += 1) {
    const word = words[at];
    if (word === undefined || !areNeighbours(text, words[at - 1]?.end ?? 0, word.start)) return null;
    letters += word.text;
    const whole = entryOf(letters);
    if (whole?.isHidden === true) return { words: [wordAt(first.start, word.end, letters)], next: at + 1 };
    if (whole?.isBeginning !== true) return null;
  }
  return null;
}

/** Whether at most a sign and a space stand between two places, and no end of a sentence. */
export function areNeighbours(text: string, from: number, to: number): boolean {
  if (to - from > 2) return false;
  for (let at = from; at < to; at += 1) if (!BETWEEN.includes(text[at] ?? '')) return false;
  return !(to - from === 2 && text[from] === '.');
}
