import { editCost } from './edit-cost.ts';
import type { FoldedWord } from './fold.ts';
import { bitCount, letterMask, soundKey } from './sound-keys.ts';
import { SYLLABIC } from './transliteration.ts';
import { LEGAL_FORMS } from './word-tables.ts';

/** Words of the longest legal form that starts with a word. */
const LEGAL_WORDS_BY_FIRST = new Map<string, number>();
for (const phrase of LEGAL_FORMS.keys()) {
  const words = phrase.split(' ');
  const first = words[0] as string;
  LEGAL_WORDS_BY_FIRST.set(first, Math.max(words.length, LEGAL_WORDS_BY_FIRST.get(first) ?? 0));
}
/** Short forms that also stand in front. */
const LEADING_FORMS: ReadonlySet<string> = new Set([
  'ao',
  'sa',
  'ag',
  'bv',
  'nv',
  'pt',
  'kg',
  'cv',
  'ad',
  'oy',
  'ab',
  'sl',
]);
const MIN_FORM_LETTERS = 6;
const MAX_FORM_WORDS = 5;
/** One letter in the place of another changes two bits of a mask. */
const MAX_BITS_OF_AN_EDIT = 2;
/** Long legal forms without spaces, by how many letters they have. */
const FORMS_BY_LENGTH = Map.groupBy(
  [...LEGAL_FORMS]
    .map(([phrase, form]) => ({ letters: phrase.replaceAll(' ', ''), form }))
    .filter(({ letters }) => letters.length >= MIN_FORM_LETTERS)
    .map((entry) => ({ ...entry, mask: letterMask(entry.letters) })),
  ({ letters }) => letters.length,
);

/** A legal form that ends the name with one letter wrong, or with a space too much, is still one. */
function misspeltForm(words: readonly FoldedWord[], at: number): { form: string; count: number } | undefined {
  const count = words.length - at;
  if (at === 0 || count > MAX_FORM_WORDS) return undefined;
  let text = '';
  for (let place = at; place < words.length; place += 1) text += (words[place] as FoldedWord).text;
  const textMask = letterMask(text);
  for (let length = text.length - 1; length <= text.length + 1; length += 1) {
    for (const { letters, mask, form } of FORMS_BY_LENGTH.get(length) ?? [])
      if (bitCount(mask ^ textMask) <= MAX_BITS_OF_AN_EDIT && editCost(letters, text, 1) <= 1) return { form, count };
  }
  return undefined;
}

/** Legal forms by how they sound: those of several words and those without a vowel, which are no names. */
const FORMS_BY_SOUND = new Map<string, string>();
for (const [phrase, form] of LEGAL_FORMS)
  if (phrase.includes(' ') || /^[^aeiouy]{3,}$/.test(phrase)) FORMS_BY_SOUND.set(soundOf(phrase.split(' ')), form);

/** How the last words of these forms sound: most names end in none of them. */
const LAST_SOUNDS = new Set(Array.from(FORMS_BY_SOUND.keys(), (sound) => sound.slice(sound.lastIndexOf(' ') + 1)));

function soundOf(words: readonly string[]): string {
  return words.map(soundKey).join(' ');
}

/** A legal form that ends the name and is written as it sounds. */
function soundingForm(words: readonly FoldedWord[], at: number): { form: string; count: number } | undefined {
  const count = words.length - at;
  if (at === 0 || count > MAX_FORM_WORDS || !LAST_SOUNDS.has(soundKey((words.at(-1) as FoldedWord).text)))
    return undefined;
  const form = FORMS_BY_SOUND.get(soundOf(words.slice(at).map(({ text }) => text)));
  return form === undefined ? undefined : { form, count };
}

const JOINED_FORMS = ['company', 'limited', 'corporation'];
const MIN_BEFORE_FORM = 4;

/** A legal form written together with the word before it is taken apart. */
export function partsOfJoinedForm(word: FoldedWord): FoldedWord[] {
  const { text, script } = word;
  const form = JOINED_FORMS.find((one) => text.length >= one.length + MIN_BEFORE_FORM && text.endsWith(one));
  return form === undefined || script !== 'latin'
    ? [word]
    : [text.slice(0, -form.length), form].map((part) => ({ text: part, script, original: part }));
}

/** Finds the longest legal form that starts at a word. */
function legalFormAt(words: readonly FoldedWord[], at: number): { form: string; count: number } | undefined {
  if (SYLLABIC.has((words[at] as FoldedWord).script)) return undefined;
  const longest = LEGAL_WORDS_BY_FIRST.get((words[at] as FoldedWord).text) ?? 0;
  for (let count = Math.min(longest, words.length - at); count > 0; count -= 1) {
    const phrase = words
      .slice(at, at + count)
      .map(({ text }) => text)
      .join(' ');
    const form = LEGAL_FORMS.get(phrase);
    if (form === undefined) continue;
    const isAtEdge = at + count === words.length || (at === 0 && (phrase.length > 2 || LEADING_FORMS.has(phrase)));
    if (isAtEdge || phrase.length > 3 || LEGAL_FORMS.has(words[at + count]?.text ?? '')) return { form, count };
  }
  return soundingForm(words, at) ?? misspeltForm(words, at);
}

export function withoutLegalForms(words: readonly FoldedWord[]): { rest: FoldedWord[]; legalForms: string[] } {
  const rest: FoldedWord[] = [];
  const legalForms: string[] = [];
  for (let at = 0; at < words.length; ) {
    const found = legalFormAt(words, at);
    if (found === undefined) rest.push(words[at] as FoldedWord);
    else legalForms.push(found.form);
    at += found?.count ?? 1;
  }
  return rest.length === 0 ? { rest: [...words], legalForms: [] } : { rest, legalForms };
}
