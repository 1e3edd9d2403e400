import { editCost } from './edit-cost.ts';
import { type NameWord } from './parsed-name.ts';
import { SYLLABIC } from './transliteration.ts';
import { PINYIN } from './romanisations.ts';
import { simplified } from './simplified-han.ts';
import { bitCount, koreanKey } from './sound-keys.ts';
import { VOWELLESS } from './transliteration.ts';
import { vowellessSimilarity } from './vowelless-cost.ts';
import { isOtherByEnding } from './word-endings.ts';

export type How =
  | 'equal'
  | 'sound'
  | 'same_name'
  | 'spelling'
  | 'skeleton'
  | 'prefix'
  | 'initial'
  | 'script'
  | 'joined'
  | 'split'
  | 'acronym';

export interface Likeness {
  readonly similarity: number;
  readonly how: How;
  /** Beyond a slip of the pen: it counts only beside other words that say who is meant. */
  readonly isFar?: boolean;
}

const EQUAL: Likeness = { similarity: 1, how: 'equal' };
export const INITIAL_SIMILARITY = 0.75;
const INITIAL: Likeness = { similarity: INITIAL_SIMILARITY, how: 'initial' };
const SAME_NAME: Likeness = { similarity: 0.93, how: 'same_name' };
const EDIT_SLOPE = 1.15;
const MIN_SCRIPT_SIMILARITY = 0.62;

/** Letters heard alike are a little less than equal. */
const SOUND_STEP = 0.25;
/** Up to here one letter differs; beyond, the words must also sound alike but for one letter, long ones for two. */
const ONE_EDIT = 1;
const LONG_SOUND_COST = 2;
/** From here on a word is long enough for two letters to differ. */
export const LONG_WORD = 9;
const MIN_NUMBER_WORD = 4;
/** The article written to the word after it. */
const JOINED_ARTICLE = /^[ae]l[^aeiou][a-z]{3}/;
const SHARED_ENDINGS = ['ullah', 'uddin'];
/** Words of this length may differ in two letters where the rest of the name is certain. */
const TWO_EDITS_WORD = 7;
const COST_OF_LETTER_BIT = 0.35;

/** A cheap look at the letters that two words are made of; false only when the words cannot be within the limit. */
export function mayBeSpelt(a: NameWord, mask: number, soundMask: number, limit: number): boolean {
  return (
    bitCount(a.mask ^ mask) * COST_OF_LETTER_BIT <= limit ||
    bitCount(a.soundMask ^ soundMask) * COST_OF_LETTER_BIT <= limit - SOUND_STEP
  );
}

/** How much a word of a length may be misspelt. */
export function allowedCost(length: number): number {
  if (length <= 3) return 0.7;
  if (length <= 5) return 1.05;
  if (length < TWO_EDITS_WORD) return 1.75;
  return length < LONG_WORD ? 2.25 : 2.5;
}

export function isVowelless(token: NameWord): boolean {
  return VOWELLESS.has(token.script);
}

function soundLikeness(a: NameWord, b: NameWord): Likeness {
  return { similarity: Math.min(a.spelt.length, b.spelt.length) >= 4 ? 0.96 : 0.9, how: 'sound' };
}

/** What is left of two words without the half that many names share: Abd, Allah, al-Din. */
function ownParts(a: string, b: string): readonly [string, string] {
  if (a.startsWith('abd') && b.startsWith('abd')) return [a.slice(3), b.slice(3)];
  for (const shared of SHARED_ENDINGS)
    if (a.endsWith(shared) && b.endsWith(shared)) return [a.slice(0, -shared.length), b.slice(0, -shared.length)];
  return [a, b];
}

function spellingLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const [left, right] = ownParts(a.text, b.text);
  const length = Math.max(left.length, right.length);
  const limit = allowedCost(length);
  if (!mayBeSpelt(a, b.mask, b.soundMask, limit)) return undefined;
  const byLetters = editCost(left, right, limit);
  if (byLetters <= ONE_EDIT) return { similarity: 1 - (EDIT_SLOPE * byLetters) / length, how: 'spelling' };
  const shorter = Math.min(a.text.length, b.text.length);
  const mostBySound = length < LONG_WORD && shorter < TWO_EDITS_WORD ? ONE_EDIT : LONG_SOUND_COST;
  const soundCost = editCost(a.sound, b.sound, mostBySound);
  const cost = Math.min(byLetters, soundCost + SOUND_STEP);
  if (soundCost > mostBySound || cost > limit) return undefined;
  const isFar = byLetters > (length < LONG_WORD ? ONE_EDIT : LONG_SOUND_COST);
  return { similarity: 1 - (EDIT_SLOPE * cost) / length, how: 'spelling', isFar };
}

function skeletonLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const length = a.skeleton.length;
  if (length < 3 || a.skeleton !== b.skeleton) return undefined;
  return { similarity: length >= 4 ? 0.86 : 0.72, how: 'skeleton', isFar: true };
}

function prefixLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const short = a.text.length < b.text.length ? a.text : b.text;
  const long = short === a.text ? b.text : a.text;
  if (short.length < 4 || short.length < long.length * 0.6 || !long.startsWith(short)) return undefined;
  return { similarity: 0.62 + (0.25 * short.length) / long.length, how: 'prefix' };
}

/** A servant's name and the name alone, as Abdul Abbas and Abbas. */
function servantLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const long = a.text.length > b.text.length ? a.text : b.text;
  const short = long === a.text ? b.text : a.text;
  const isServant = long.startsWith('abd') && short.length > 2 && long.slice(3) === short;
  return isServant ? { similarity: 0.85, how: 'same_name' } : undefined;
}

function isSyllabic({ script }: NameWord): boolean {
  return SYLLABIC.has(script);
}

function koreanLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  if ((a.script === 'hangul') === (b.script === 'hangul')) return undefined;
  return koreanKey(a.text) === koreanKey(b.text) ? { similarity: 0.92, how: 'script' } : undefined;
}

function vowellessLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const [written, latin] = isVowelless(a) ? [a, b] : [b, a];
  if (written.text.length < 2 || latin.text.length < 2) return undefined;
  let similarity = vowellessSimilarity(written.signs, latin.signs, MIN_SCRIPT_SIMILARITY);
  if (latin.letters !== latin.signs)
    similarity = Math.max(similarity, vowellessSimilarity(written.signs, latin.letters, MIN_SCRIPT_SIMILARITY));
  if (similarity === 0 && JOINED_ARTICLE.test(latin.text))
    similarity = vowellessSimilarity(written.signs, latin.signs.slice(2), MIN_SCRIPT_SIMILARITY);
  return similarity === 0 ? undefined : { similarity, how: 'script' };
}

/** Numbers are equal or not; a number in words may be misspelt. */
function numberLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  if (a.symbol === b.symbol) return SAME_NAME;
  const [number, word] = a.kind === 'number' ? [a, b] : [b, a];
  if (word.kind !== 'word' || number.spelt.length < MIN_NUMBER_WORD || number.spelt === number.text) return undefined;
  if (number.sound === word.sound) return soundLikeness(a, b);
  const cost = editCost(number.spelt, word.text, ONE_EDIT);
  return cost > ONE_EDIT ? undefined : { similarity: 1 - (EDIT_SLOPE * cost) / number.spelt.length, how: 'spelling' };
}

/** Two Chinese characters that only sound alike: names in the same script are compared as they are written. */
function isOtherCharacter(a: NameWord, b: NameWord): boolean {
  return a.script === 'han' && b.script === 'han' && simplified(a.original) !== simplified(b.original);
}

/** Two syllables of Mandarin that are not the same are not one with a slip of the pen. */
function isOtherSyllable(a: NameWord, b: NameWord): boolean {
  return PINYIN.has(a.text) && PINYIN.has(b.text) && a.script === 'latin' && b.script === 'latin';
}

/** An initial is how the other word begins; Abdul R. is how Abdul Rahman begins. */
function isInitialOf(a: NameWord, b: NameWord): boolean {
  return a.text.length < b.text.length ? b.text.startsWith(a.text) : a.text.startsWith(b.text);
}

/** Two known names that are not one; their letters may be alike all the same. */
function isOtherName(a: NameWord, b: NameWord): boolean {
  return a.group !== undefined && b.group !== undefined && a.group !== b.group && a.sound !== b.sound;
}

/** How alike two words are, by the rule that says the most; undefined when no rule sees a likeness. Symmetric. */
export function likenessOf(a: NameWord, b: NameWord): Likeness | undefined {
  if (a.text === b.text) return isOtherCharacter(a, b) ? undefined : EQUAL;
  if (a.kind === 'number' || b.kind === 'number') return numberLikeness(a, b);
  if (a.kind === 'initial' || b.kind === 'initial') return isInitialOf(a, b) ? INITIAL : undefined;
  if (a.symbol !== undefined && a.symbol === b.symbol) return SAME_NAME;
  if (a.kind === 'particle' && b.kind === 'particle') return undefined;
  if (isOtherName(a, b) || isOtherSyllable(a, b)) return undefined;
  if (isVowelless(a) !== isVowelless(b)) return vowellessLikeness(a, b);
  // One syllable more or less is another name.
  if (isSyllabic(a) || isSyllabic(b)) return koreanLikeness(a, b);
  if (isOtherByEnding(a.text, b.text)) return undefined;
  return likest(
    likest(a.sound === b.sound ? soundLikeness(a, b) : spellingLikeness(a, b), skeletonLikeness(a, b)),
    likest(prefixLikeness(a, b), servantLikeness(a, b)),
  );
}

function likest(one: Likeness | undefined, other: Likeness | undefined): Likeness | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const [more, less] = other.similarity > one.similarity ? [other, one] : [one, other];
  // What one rule takes for a slip of the pen is one, though another rule says more.
  return more.isFar === true && less.isFar !== true ? { ...more, isFar: false } : more;
}
