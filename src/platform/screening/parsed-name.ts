import { editCost } from './edit-cost.ts';
import { type FoldedWord, foldWords } from './fold.ts';
import { bitCount, consonantKeys, letterMask, soundKey, soundSkeleton } from './sound-keys.ts';
import type { Script } from './transliteration.ts';
import { soundSigns, writtenSigns } from './vowelless-cost.ts';
import {
  ARABIC_WORDS,
  COMMON_WORDS,
  COMPANY_WORDS,
  LEGAL_FORMS,
  NAME_GROUPS,
  NUMBERS,
  PARTICLES,
  SPLIT_PHRASES,
  TITLES,
} from './word-tables.ts';

export type TokenKind = 'word' | 'particle' | 'title' | 'initial' | 'number' | 'company-word';

/** One word of a name with everything that a comparison needs. */
export interface NameWord {
  readonly text: string;
  readonly script: Script;
  /** As it is written in its own script. */
  readonly original: string;
  /** The text, but for a number in words: these. */
  readonly spelt: string;
  readonly kind: TokenKind;
  /** How much the word says about who is named. */
  readonly weight: number;
  readonly isCommon: boolean;
  /** The form that its known spellings or translations share. */
  readonly symbol: string | undefined;
  readonly sound: string;
  readonly skeleton: string;
  readonly consonants: readonly string[];
  /** One sign per sound, for comparison between scripts with and without vowels. */
  readonly signs: string;
  readonly mask: number;
  readonly soundMask: number;
}

export interface ParsedName {
  readonly tokens: readonly NameWord[];
  readonly legalForms: readonly string[];
  /** All words in one, without the legal form. */
  readonly joined: string;
}

export const KIND_WEIGHTS: Readonly<Record<Exclude<TokenKind, 'word'>, number>> = {
  particle: 0.15,
  title: 0.1,
  initial: 0.35,
  number: 1,
  'company-word': 0.5,
};
/** Scripts of one character per syllable, each a word of its own. */
export const SYLLABIC: ReadonlySet<Script> = new Set(['han', 'hangul']);
const COMMON_FACTOR = 0.72;
/** Weight of a particle or title that is all there is. */
const LONE_WEIGHT = 0.7;

const TOKENS_KEPT = 50_000;
const knownTokens = new Map<string, NameWord>();

/** The token of a word. The same word gives the same object as long as it is kept. */
export function tokenOf(
  text: string,
  script: Script,
  original: string,
  kind: TokenKind = 'word',
  weight?: number,
): NameWord {
  const key = `${kind} ${script} ${weight} ${text} ${original}`;
  let token = knownTokens.get(key);
  if (token === undefined) {
    token = madeToken(text, script, original, kind, weight);
    if (knownTokens.size >= TOKENS_KEPT) knownTokens.delete(knownTokens.keys().next().value as string);
    knownTokens.set(key, token);
  }
  return token;
}

function madeToken(text: string, script: Script, original: string, kind: TokenKind, weight?: number): NameWord {
  const spelt = kind === 'number' ? original : text;
  const sound = soundKey(spelt);
  const group = NAME_GROUPS.get(text);
  const isCommon = COMMON_WORDS.has(text) || (group !== undefined && COMMON_WORDS.has(group));
  const number = kind === 'number' ? text : NUMBERS.get(text)?.toString();
  const length = Math.min(1.25, 0.55 + 0.09 * text.length);
  return {
    text,
    script,
    original,
    spelt,
    kind,
    weight: weight ?? (kind === 'word' ? (isCommon ? COMMON_FACTOR : 1) * length : KIND_WEIGHTS[kind]),
    isCommon,
    symbol: group ?? COMPANY_WORDS.get(text) ?? number,
    sound,
    skeleton: soundSkeleton(sound),
    consonants: consonantKeys(original, text, script),
    signs: script === 'arabic' || script === 'hebrew' ? writtenSigns(original) : soundSigns(text),
    mask: letterMask(spelt),
    soundMask: letterMask(sound),
  };
}

const ABD = /^abd(?:oul|ou|ul|el|al|ol|il|ur|us|as|ar|er|u|i|e)?$/;
const ABD_PREFIX = /^abd(?:oul|ul|el|al|ol|il|ur(?=r)|us(?=s)|ar(?=r)|as(?=s)|i(?=[^aeiou])|u(?=r))?(?=[a-z]{3})/;
/** Abdullah is one name, also with the next word written to it. */
const ABDULLAH = /^abd[aeou]*ll?ah?/;

const NOT_ABD: ReadonlySet<string> = new Set(['abel', 'abul', 'adel', 'abduh', 'abdulah', 'abdula', 'abdulla']);

/** Abdul, also with one letter wrong, missing or doubled, or two swapped. */
function isAbd(text: string): boolean {
  if (ABD.test(text)) return true;
  if (text[0] !== 'a' || text.length < 4 || text.length > 6 || NOT_ABD.has(text)) return false;
  return editCost(text, 'abdul', 1) <= 1 || editCost(text, 'abdel', 1) <= 1;
}

const ARTICLE = /^(?:al|el|ul|ur|ar|as|es|us|ad|az|an|ol|il)$/;
const ORDINAL = /^(\d+)(?:st|nd|rd|th|ya|y|e|er|a|o)$/;
const AMBIGUOUS_NUMBERS =
  /^(?:i|v|x|xi|vi|xx|xii|xv|ten|elf|sem|tri|dva|odin|acht|null|premier|second|primera|primero|segundo)$/;
/** Words of the longest legal form that starts with a word. */
const LEGAL_WORDS_BY_FIRST = new Map<string, number>();
for (const phrase of LEGAL_FORMS.keys()) {
  const words = phrase.split(' ');
  const first = words[0] as string;
  LEGAL_WORDS_BY_FIRST.set(first, Math.max(words.length, LEGAL_WORDS_BY_FIRST.get(first) ?? 0));
}
const MIN_ARTICLE_WORD = 5;

/** Removes the Arabic article and gives known words their Latin form. */
function plainArabic(word: FoldedWord): FoldedWord {
  const known = ARABIC_WORDS.get(word.original);
  if (known !== undefined) return { text: known, script: 'latin', original: known };
  const hasArticle =
    word.original.startsWith('ال') && word.original.length >= MIN_ARTICLE_WORD && word.original !== 'الله';
  return hasArticle ? { ...word, text: word.text.slice(2), original: word.original.slice(2) } : word;
}

const SERVANT = 'عبد';

/** Abd and the name that follows are one name, however they are written. */
function joinServants(given: readonly FoldedWord[]): FoldedWord[] {
  const last = given.at(-1)?.text ?? '';
  const isTurned = given.length > 1 && ABD.test(last) && !ABD.test(given[0]?.text ?? '');
  const words = isTurned ? [given.at(-1) as FoldedWord, ...given.slice(0, -1)] : given;
  const joined: FoldedWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as FoldedWord;
    const isArabic = word.script === 'arabic';
    if (isArabic ? word.original === SERVANT : isAbd(word.text)) {
      const skipsArticle = ARTICLE.test(words[at + 1]?.text ?? '') && words[at + 2] !== undefined;
      const next = words[at + (skipsArticle ? 2 : 1)];
      if (next !== undefined && next.text.length > 2 && !ABD.test(next.text)) {
        at += skipsArticle ? 2 : 1;
        joined.push(servantOf(next.script === 'arabic' ? plainArabic(next) : next));
        continue;
      }
    }
    if (isArabic && word.original.startsWith(SERVANT) && word.original.length > 5) {
      const rest = plainArabic({ ...word, text: word.text.slice(2), original: word.original.slice(3) });
      joined.push(servantOf(rest));
    } else if (!isArabic && ABD_PREFIX.test(word.text) && !ABDULLAH.test(word.text)) {
      joined.push(servantOf({ ...word, text: word.text.replace(ABD_PREFIX, '') }));
    } else joined.push(word);
  }
  return joined;
}

function servantOf(word: FoldedWord): FoldedWord {
  const isGod = /^(?:a?u?ll?ah?|llh|allh)$/.test(word.text) || word.original === 'الله' || word.original === 'لله';
  if (word.script === 'arabic') {
    return {
      script: 'arabic',
      text: isGod ? 'bdllh' : `bd${word.text}`,
      original: isGod ? 'عبدلله' : SERVANT + word.original,
    };
  }
  return { ...word, text: isGod ? 'abdullah' : `abd${word.text}`, original: isGod ? 'abdullah' : `abd${word.text}` };
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
function partsOfJoinedForm(word: FoldedWord): FoldedWord[] {
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

function withoutLegalForms(words: readonly FoldedWord[]): { rest: FoldedWord[]; legalForms: string[] } {
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

/** Twenty and one in a row are one number. */
function numberTokenAt(words: readonly FoldedWord[], at: number): { token: NameWord; count: number } | undefined {
  const text = words[at]?.text as string;
  const startsWithDigit = text >= '0' && text < ':';
  const digits = startsWithDigit ? (/^\d+$/.exec(text)?.[0] ?? ORDINAL.exec(text)?.[1]) : undefined;
  if (digits !== undefined)
    return { token: tokenOf(String(Number(digits)), 'latin', String(Number(digits)), 'number'), count: 1 };
  const value = NUMBERS.get(text);
  if (value === undefined || AMBIGUOUS_NUMBERS.test(text)) return undefined;
  const next = NUMBERS.get(words[at + 1]?.text ?? '');
  const isPair = value >= 20 && value < 100 && next !== undefined && next > 0 && next < 10;
  const number = String(isPair ? value + next : value);
  const spelt = isPair ? text + (words[at + 1] as FoldedWord).text : text;
  return { token: tokenOf(number, 'latin', spelt, 'number'), count: isPair ? 2 : 1 };
}

function kindOf({ text, script }: FoldedWord, isOnly: boolean): TokenKind {
  if (isOnly || SYLLABIC.has(script)) return 'word';
  if (text.length === 1) return 'initial';
  if (PARTICLES.has(text)) return 'particle';
  if (TITLES.has(text)) return 'title';
  return COMPANY_WORDS.has(text) ? 'company-word' : 'word';
}

function parseOne(name: string): ParsedName {
  const plain = foldWords(name).filter((word) => word.text !== '');
  const { rest, legalForms } = withoutLegalForms(plain.flatMap(partsOfJoinedForm));
  const words = joinServants(rest).map((word) => (word.script === 'arabic' ? plainArabic(word) : word));
  const tokens: NameWord[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] as FoldedWord;
    const number = numberTokenAt(words, at);
    tokens.push(number?.token ?? tokenOf(word.text, word.script, word.original, kindOf(word, words.length === 1)));
    at += number?.count ?? 1;
  }
  const saysNothing = tokens.every(({ kind }) => kind === 'particle' || kind === 'title');
  const kept = saysNothing
    ? tokens.map(({ text, script, original }) => tokenOf(text, script, original, 'word', LONE_WEIGHT))
    : tokens;
  return { tokens: kept, legalForms, joined: kept.map((token) => token.spelt).join('') };
}

const MAX_TOKENS = 40;

/** The names that a text holds; more than one where it says "also known as" and the like. */
export function parseNames(text: string): ParsedName[] {
  let parts = [text];
  const lower = text.toLowerCase();
  for (const phrase of SPLIT_PHRASES) {
    if (!lower.includes(phrase)) continue;
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${phrase.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}])`, 'iu');
    parts = parts.flatMap((part) => part.split(pattern));
  }
  return parts
    .map(parseOne)
    .filter(({ tokens }) => tokens.length > 0)
    .map((name) => (name.tokens.length > MAX_TOKENS ? { ...name, tokens: name.tokens.slice(0, MAX_TOKENS) } : name));
}
