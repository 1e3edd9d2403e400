import { arabicForms } from './arabic-names.ts';
import { ARABIC_GIVEN_NAMES, MEANING_WORDS, meaningOf } from './arabic-words.ts';
import type { FoldedWord } from './fold.ts';
import { partsOfJoinedForm, withoutLegalForms } from './legal-forms.ts';
import { NAME_GROUPS } from './name-groups.ts';
import { readingsOf } from './readings.ts';
import { consonantKeys, letterMask, soundKey, soundSkeleton } from './sound-keys.ts';
import { type Script, SYLLABIC, VOWELLESS } from './transliteration.ts';
import { letterSigns, soundSigns, writtenSigns } from './vowelless-cost.ts';
import { COMMON_WORDS, COMPANY_WORDS, NUMBERS, PARTICLES, SPLIT_PHRASES, TITLES } from './word-tables.ts';

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
  /** The name that it is a known spelling of: words of two different names are not alike. */
  readonly group: string | undefined;
  readonly sound: string;
  readonly skeleton: string;
  readonly consonants: readonly string[];
  /** One sign per sound, for comparison between scripts with and without vowels. */
  readonly signs: string;
  /** The same with one sign per letter: kh may be one sound or two. */
  readonly letters: string;
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

const LAST_VOWELS = /(?:iy|ii|yi|ij|yj|ey|ei|i)$/;

function nameGroupOf(text: string, script: Script, original: string): string | undefined {
  if (script === 'arabic') return ARABIC_GIVEN_NAMES.get(original);
  return NAME_GROUPS.get(text) ?? (text.length > 4 ? NAME_GROUPS.get(text.replace(LAST_VOWELS, 'y')) : undefined);
}

function meaningOfWord(text: string, script: Script, original: string): string | undefined {
  const meaning = script === 'arabic' ? meaningOf(original) : MEANING_WORDS.get(text);
  return meaning === undefined ? undefined : (COMPANY_WORDS.get(meaning) ?? meaning);
}

function madeToken(text: string, script: Script, original: string, kind: TokenKind, weight?: number): NameWord {
  const spelt = kind === 'number' ? original : text;
  const sound = soundKey(spelt);
  const group = nameGroupOf(text, script, original);
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
    symbol: group ?? COMPANY_WORDS.get(text) ?? meaningOfWord(text, script, original) ?? number,
    group,
    sound,
    skeleton: soundSkeleton(sound),
    consonants: consonantKeys(original, text, script),
    signs: VOWELLESS.has(script) ? writtenSigns(original) : soundSigns(text),
    letters: VOWELLESS.has(script) ? '' : letterSigns(text),
    mask: letterMask(spelt),
    soundMask: letterMask(sound),
  };
}

const ORDINAL = /^(\d+)(?:st|nd|rd|th|ya|y|e|er|a|o)$/;
const AMBIGUOUS_NUMBERS =
  /^(?:i|v|x|xi|vi|xx|xii|xv|ten|elf|sem|tri|dva|odin|acht|null|premier|second|primera|primero|segundo)$/;
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

/** Titles that are family names as well: at the end of a name they are the name. */
const TITLES_AND_NAMES: ReadonlySet<string> = new Set(
  'king prince lord major marshal bishop queen sheikh shaikh shaykh cheikh haji hajji hadji imam qari hafiz mufti agha sayyid sayyed sayed seyed syed akhund mullah mulla malik general pan father'.split(
    ' ',
  ),
);

function kindOf(words: readonly FoldedWord[], at: number): TokenKind {
  const { text, script, original } = words[at] as FoldedWord;
  if (words.length === 1 || SYLLABIC.has(script)) return 'word';
  if (script === 'arabic') return COMPANY_WORDS.has(meaningOf(original) ?? '') ? 'company-word' : 'word';
  if (text.length === 1 || SERVANT_INITIAL.test(text)) return 'initial';
  const isLast = at === words.length - 1;
  // A particle stands before a name: at the end it is one, and so is the Ben that a name begins with.
  if (PARTICLES.has(text) && !SHIP_WORDS.has(text)) return isLast || (at === 0 && text === 'ben') ? 'word' : 'particle';
  if (PARTICLES.has(text)) return 'particle';
  if (TITLES.has(text) && !(isLast && TITLES_AND_NAMES.has(text))) return 'title';
  return COMPANY_WORDS.has(text) ? 'company-word' : 'word';
}

/** Abdul R. */
const SERVANT_INITIAL = /^abd[b-z]$/;
const SHIP_WORDS: ReadonlySet<string> = new Set(['mv', 'ms', 'mt']);

/** Before a number these words say only that one follows. */
const NUMBER_SIGNS: ReadonlySet<string> = new Set('no nr num number numero nro nomer numer nummer n'.split(' '));

function isNumberSign(words: readonly FoldedWord[], at: number): boolean {
  return (
    NUMBER_SIGNS.has((words[at] as FoldedWord).text) &&
    at + 1 < words.length &&
    numberTokenAt(words, at + 1) !== undefined
  );
}

/** Whether a word is made of the first letters of the others: a name and its short form in one. */
function isOwnAcronym(words: readonly FoldedWord[], at: number): boolean {
  const { text, script } = words[at] as FoldedWord;
  if (script !== 'latin' || text.length < 3 || text.length > words.length) return false;
  const initials = words.filter((_, place) => place !== at).map((word) => word.text[0]);
  const full = words.filter((word, place) => place !== at && !PARTICLES.has(word.text)).map((word) => word.text[0]);
  return initials.join('') === text || full.join('') === text;
}

function tokensOf(words: readonly FoldedWord[]): NameWord[] {
  const tokens: NameWord[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] as FoldedWord;
    const number = numberTokenAt(words, at);
    if (number === undefined && isNumberSign(words, at)) {
      at += 1;
      continue;
    }
    const kind = isOwnAcronym(words, at) ? 'title' : kindOf(words, at);
    tokens.push(number?.token ?? tokenOf(word.text, word.script, word.original, kind));
    at += number?.count ?? 1;
  }
  const saysNothing = tokens.every(({ kind }) => kind === 'particle' || kind === 'title');
  return saysNothing
    ? tokens.map(({ text, script, original }) => tokenOf(text, script, original, 'word', LONE_WEIGHT))
    : tokens;
}

/** What a reading of a name says; more than one where Arabic words may be one name or two. */
function parseReading(reading: readonly FoldedWord[]): ParsedName[] {
  const plain = reading.filter((word) => word.text !== '');
  const { rest, legalForms } = withoutLegalForms(plain.flatMap(partsOfJoinedForm));
  return arabicForms(rest).map((words) => {
    const tokens = tokensOf(words);
    return { tokens, legalForms, joined: tokens.map((token) => token.spelt).join('') };
  });
}

const MAX_TOKENS = 40;

/** The names between the phrases. Where one has no name on both sides, it may be part of a name. */
function namesIn(text: string, phrases: readonly string[]): ParsedName[] {
  const lower = text.toLowerCase();
  for (const [at, phrase] of phrases.entries()) {
    if (!lower.includes(phrase)) continue;
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${phrase.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}])`, 'iu');
    const parts = text.split(pattern);
    if (parts.length === 1) continue;
    const names = parts.map((part) => namesIn(part, phrases.slice(at + 1)));
    return names.every(({ length }) => length > 0) ? names.flat() : [...names.flat(), ...namesAsWritten(text)];
  }
  return namesAsWritten(text);
}

function namesAsWritten(text: string): ParsedName[] {
  return readingsOf(text)
    .flatMap(parseReading)
    .filter(({ tokens }) => tokens.length > 0);
}

/** The names that a text holds; more than one where it says "also known as" and the like. */
export function parseNames(text: string): ParsedName[] {
  return namesIn(text, SPLIT_PHRASES).map((name) =>
    name.tokens.length > MAX_TOKENS ? { ...name, tokens: name.tokens.slice(0, MAX_TOKENS) } : name,
  );
}
