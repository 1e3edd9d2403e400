import { editCost } from './edit-cost.ts';
import { type NameWord, SYLLABIC } from './parsed-name.ts';
import { bitCount, koreanKey } from './sound-keys.ts';
import { vowellessSimilarity } from './vowelless-cost.ts';

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
const COST_OF_LETTER_BIT = 0.35;

/** A cheap look at the letters that two words are made of; false only when the words cannot be within the limit. */
export function mayBeSpelt(
  a: NameWord,
  mask: number,
  soundMask: number,
  limit = allowedCost(a.text.length + 2),
): boolean {
  return (
    bitCount(a.mask ^ mask) * COST_OF_LETTER_BIT <= limit ||
    bitCount(a.soundMask ^ soundMask) * COST_OF_LETTER_BIT <= limit - SOUND_STEP
  );
}

/** How much a word of a length may be misspelt. */
function allowedCost(length: number): number {
  if (length <= 3) return 0.7;
  if (length <= 5) return 1.05;
  return length <= 8 ? 1.75 : 2.5;
}

export function isVowelless(token: NameWord): boolean {
  return token.script === 'arabic' || token.script === 'hebrew';
}

function soundLikeness(a: NameWord, b: NameWord): Likeness {
  return { similarity: Math.min(a.spelt.length, b.spelt.length) >= 4 ? 0.96 : 0.9, how: 'sound' };
}

function spellingLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const isServant = a.text.startsWith('abd') && b.text.startsWith('abd');
  const left = isServant ? a.text.slice(3) : a.text;
  const right = isServant ? b.text.slice(3) : b.text;
  const length = Math.max(left.length, right.length);
  const limit = allowedCost(length);
  if (!mayBeSpelt(a, b.mask, b.soundMask, limit)) return undefined;
  const byLetters = editCost(left, right, limit);
  const mostBySound = length < LONG_WORD ? ONE_EDIT : LONG_SOUND_COST;
  const soundCost = byLetters <= ONE_EDIT ? 0 : editCost(a.sound, b.sound, mostBySound);
  if (soundCost > mostBySound) return undefined;
  const bySound = byLetters <= ONE_EDIT ? byLetters : soundCost + SOUND_STEP;
  const cost = Math.min(byLetters, bySound);
  if (cost > limit) return undefined;
  return { similarity: 1 - (EDIT_SLOPE * cost) / length, how: 'spelling' };
}

function skeletonLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const length = a.skeleton.length;
  if (length < 3 || a.skeleton !== b.skeleton) return undefined;
  return { similarity: length >= 4 ? 0.86 : 0.72, how: 'skeleton' };
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
  if (a.script !== 'hangul' && b.script !== 'hangul') return undefined;
  return koreanKey(a.text) === koreanKey(b.text) ? { similarity: 0.92, how: 'script' } : undefined;
}

function vowellessLikeness(a: NameWord, b: NameWord): Likeness | undefined {
  const [written, latin] = isVowelless(a) ? [a, b] : [b, a];
  if (written.text.length < 2 || latin.text.length < 2) return undefined;
  const similarity = vowellessSimilarity(written.signs, latin.signs, MIN_SCRIPT_SIMILARITY);
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

/** How alike two words are, by the rule that says the most; undefined when no rule sees a likeness. Symmetric. */
export function likenessOf(a: NameWord, b: NameWord): Likeness | undefined {
  if (a.text === b.text) return EQUAL;
  if (a.kind === 'number' || b.kind === 'number') return numberLikeness(a, b);
  if (a.kind === 'initial' || b.kind === 'initial') return a.text[0] === b.text[0] ? INITIAL : undefined;
  if (a.symbol !== undefined && a.symbol === b.symbol) return SAME_NAME;
  if (a.kind === 'particle' && b.kind === 'particle') return undefined;
  if (isVowelless(a) !== isVowelless(b)) return vowellessLikeness(a, b);
  // One syllable more or less is another name.
  if (isSyllabic(a) || isSyllabic(b)) return koreanLikeness(a, b);
  return likest(
    likest(a.sound === b.sound ? soundLikeness(a, b) : spellingLikeness(a, b), skeletonLikeness(a, b)),
    likest(prefixLikeness(a, b), servantLikeness(a, b)),
  );
}

function likest(one: Likeness | undefined, other: Likeness | undefined): Likeness | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.similarity > one.similarity ? other : one;
}
