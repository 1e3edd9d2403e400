import { plainLetters } from './fold.ts';
import { isNone, type Mask, maskOf, meets, NONE, union, without } from './masks.ts';
import type { WordClass, WordLists } from './words/classes.ts';
import { DE } from './words/de.ts';
import { EN } from './words/en.ts';
import { ES } from './words/es.ts';
import { FR } from './words/fr.ts';
import { NL } from './words/nl.ts';
import { PL } from './words/pl.ts';

export interface Phrase {
  readonly words: readonly string[];
  mask: Mask;
}

/** What the lists know of a word. */
export interface Entry {
  readonly word: string;
  mask: Mask;
  /** Phrases that begin with it, by their second word, longest first. */
  phrases: Map<string, Phrase[]> | null;
  /** A word that is worth hiding begins like this. */
  isBeginning: boolean;
  /** The second word of a phrase. */
  isSecond: boolean;
  isHidden: boolean;
  /** Another word of the same hash. */
  next: Entry | undefined;
}

/** All that the lists give, made when the first text is judged: a start does not wait for it. */
interface Tables {
  readonly entries: Map<string, Entry>;
  readonly endings: Map<string, Mask>;
  readonly wordsOfPhrases: Set<string>;
  /** How endings end themselves: most words are seen to have none by that. */
  tails: ReadonlySet<number>;
  shortestEnding: number;
  longestEnding: number;
  /** Words that make a row of single letters a disguise. */
  spelled: ReadonlySet<string>;
  /** Entries by the hash of their word: reading a text asks for every word, and a Map would hash each once more. */
  readonly buckets: (Entry | undefined)[];
}

const PLAIN = /^[a-z]+$/;
const UMLAUT = /[äöü]/u;
const MIN_HIDDEN = 6;
const BUCKETS = 1 << 15;
/** What a phrase does not take over from its words: "no risk" denies nothing; a guard only where it is one itself. */
const NEVER_TAKEN = maskOf('not', 'but', 'or', 'mine', 'theirs', 'head', 'of');
const GUARDS = maskOf('said', 'report', 'mention', 'question', 'work', 'check', 'third');

let made: Tables | undefined;

function tables(): Tables {
  made ??= makeTables();
  return made;
}

function makeTables(): Tables {
  const given: Tables = {
    entries: new Map(),
    endings: new Map(),
    wordsOfPhrases: new Set(),
    tails: new Set(),
    shortestEnding: 0,
    longestEnding: 0,
    spelled: new Set(),
    buckets: Array.from({ length: BUCKETS }),
  };
  const { entries, endings, buckets } = given;
  for (const lists of [EN, NL, DE, FR, ES, PL]) addLists(given, lists);
  for (const { phrases } of entries.values()) {
    if (phrases === null) continue;
    for (const ofSecond of phrases.values()) {
      ofSecond.sort((a, b) => b.words.length - a.words.length);
      for (const phrase of ofSecond) takeOver(entries, phrase);
    }
  }
  given.tails = new Set(endings.keys().map(tailOf));
  const lengths = [...endings.keys()].map(({ length }) => length);
  given.shortestEnding = Math.min(...lengths);
  given.longestEnding = Math.max(...lengths);
  const hidden = wordsWith(entries, 'secret', 'loot', 'founder', 'promise').filter(
    ({ length }) => length >= MIN_HIDDEN,
  );
  for (const word of hidden) {
    entryFor(entries, word).isHidden = true;
    for (let length = 2; length < word.length; length += 1) entryFor(entries, word.slice(0, length)).isBeginning = true;
  }
  given.spelled = new Set(
    wordsWith(entries, 'secret', 'weak', 'loot', 'founder', 'boss', 'promise', 'shell', 'avouch'),
  );
  for (const entry of entries.values()) {
    const bucket = hashOf(entry.word) & (BUCKETS - 1);
    entry.next = buckets[bucket];
    buckets[bucket] = entry;
  }
  return given;
}

/** A phrase has the classes of its words too. */
function takeOver(entries: Tables['entries'], phrase: Phrase): void {
  if (isNone(phrase.mask)) return;
  const notTaken = meets(phrase.mask, GUARDS) ? NEVER_TAKEN : union(NEVER_TAKEN, GUARDS);
  for (const word of phrase.words) phrase.mask = union(phrase.mask, without(entries.get(word)?.mask ?? NONE, notTaken));
}

export function isSpelled(word: string): boolean {
  return tables().spelled.has(word);
}

export function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = hashWith(hash, word.charCodeAt(at));
  return hash;
}

/** The hash of a word and one letter more, large or small. */
export function hashWith(hash: number, code: number): number {
  return (Math.imul(hash, 31) + (code | 32)) | 0;
}

export function entryOf(word: string, hash = hashOf(word)): Entry | undefined {
  let entry = tables().buckets[hash & (BUCKETS - 1)];
  while (entry !== undefined && entry.word !== word) entry = entry.next;
  return entry;
}

export function isKnown(word: string): boolean {
  const { entries, wordsOfPhrases } = tables();
  const entry = entries.get(word);
  return entry !== undefined && (!isNone(entry.mask) || entry.phrases !== null || wordsOfPhrases.has(word));
}

/** The classes of a compound by its ending. */
export function maskOfEnding(word: string): Mask {
  const { endings, tails, shortestEnding, longestEnding } = tables();
  if (word.length <= shortestEnding || !tails.has(tailOf(word))) return NONE;
  for (let length = Math.min(longestEnding, word.length - 2); length >= shortestEnding; length -= 1) {
    const mask = endings.get(word.slice(-length));
    if (mask !== undefined) return mask;
  }
  return NONE;
}

function tailOf(word: string): number {
  return word.charCodeAt(word.length - 1) * 0x10000 + word.charCodeAt(word.length - 2);
}

function wordsWith(entries: Tables['entries'], ...names: readonly WordClass[]): string[] {
  const wanted = maskOf(...names);
  return [...entries].filter(([, { mask }]) => meets(mask, wanted)).map(([word]) => word);
}

function entryFor(entries: Tables['entries'], word: string): Entry {
  const known = entries.get(word);
  if (known !== undefined) return known;
  const entry: Entry = {
    word,
    mask: NONE,
    phrases: null,
    isBeginning: false,
    isSecond: false,
    isHidden: false,
    next: undefined,
  };
  entries.set(word, entry);
  return entry;
}

function addLists(given: Tables, lists: WordLists): void {
  for (const [name, list] of Object.entries(lists) as [WordClass, string][]) {
    const mask = maskOf(name);
    for (const source of list.split('|')) {
      add(given, mask, source);
      // With the umlauts as two letters too.
      if (UMLAUT.test(source))
        add(given, mask, source.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue'));
    }
  }
}

function add({ entries, endings, wordsOfPhrases }: Tables, mask: Mask, source: string): void {
  if (source.startsWith('*')) {
    const ending = plainLetters(source.slice(1));
    endings.set(ending, union(endings.get(ending) ?? NONE, mask));
    return;
  }
  const words = PLAIN.test(source)
    ? [source]
    : source.split(/[ '-]/u).flatMap((word) => (word === '' ? [] : [plainWord(word)]));
  const [first = '', second] = words;
  const entry = entryFor(entries, first);
  if (second === undefined) {
    entry.mask = union(entry.mask, mask);
    return;
  }
  entryFor(entries, second).isSecond = true;
  for (const word of words) {
    entryFor(entries, word);
    wordsOfPhrases.add(word);
  }
  entry.phrases ??= new Map();
  const phrases = entry.phrases.get(second) ?? [];
  const same = phrases.find((phrase) => isSame(phrase.words, words));
  if (same === undefined) phrases.push({ words, mask });
  else same.mask = union(same.mask, mask);
  entry.phrases.set(second, phrases);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}

/** The dot of a hidden file belongs to its name. */
function plainWord(word: string): string {
  if (PLAIN.test(word)) return word;
  return word.startsWith('.') ? `.${plainLetters(word.slice(1))}` : plainLetters(word).trim();
}
