import { latinFormAt } from './transliteration.ts';

/** Comparison of a word written without short vowels (Arabic, Hebrew) with its Latin spelling. */

const CLASSES: readonly (readonly [string, string])[] = [
  ['sch', 'S'],
  ['tch', 'C'],
  ['kh', 'X'],
  ['gh', 'G'],
  ['sh', 'S'],
  ['ch', 'C'],
  ['th', 'T'],
  ['dh', 'D'],
  ['zh', 'Z'],
  ['ph', 'f'],
  ['dj', 'j'],
  ['ck', 'k'],
  ['ts', 'Q'],
  ['tz', 'Q'],
  ['ou', 'U'],
  ['oo', 'U'],
  ['ee', 'I'],
  ['x', 'ks'],
];

const CLASSES_BY_LETTER = Map.groupBy(CLASSES, ([letters]) => letters[0] as string);

/** One sign per sound of a Latin word; doubled letters are merged. */
export function soundSigns(text: string): string {
  let signs = '';
  for (let at = 0; at < text.length; ) {
    const found = CLASSES_BY_LETTER.get(text[at] as string)?.find(([letters]) => text.startsWith(letters, at));
    const sign = found?.[1] ?? text[at] ?? '';
    at += found?.[0].length ?? 1;
    if (signs[signs.length - 1] !== sign) signs += sign;
  }
  return signs;
}

/** One sign per letter of a Latin word; doubled letters are merged. */
export function letterSigns(text: string): string {
  let signs = '';
  for (const letter of text) if (signs[signs.length - 1] !== letter) signs += letter;
  return signs;
}

/** Signs of letters whose Latin form has two letters. */
const WRITTEN_SIGNS: Readonly<Record<string, string>> = {
  th: 'T',
  dh: 'D',
  kh: 'X',
  sh: 'S',
  gh: 'G',
  ch: 'C',
  zh: 'Z',
  ts: 'Q',
};
const GUTTURALS = 'עع';

/** One sign per letter of a word in Arabic or Hebrew script; every letter counts. */
export function writtenSigns(original: string): string {
  let signs = '';
  for (const letter of original) {
    if (GUTTURALS.includes(letter)) signs += 'E';
    else if (letter === 'ة') signs += 'V';
    else {
      const latin = latinFormAt([letter], 0)?.latin ?? '';
      signs += WRITTEN_SIGNS[latin] ?? latin;
    }
  }
  return signs;
}

/** What a written sign may be spelt as, and at which cost. */
const SPELLINGS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  X: { h: 0.15, k: 0.15, C: 0.3, j: 0.5 },
  G: { g: 0.05, q: 0.2, k: 0.3, r: 0.5 },
  S: { C: 0.1, s: 0.25, j: 0.5 },
  C: { S: 0.15, j: 0.3 },
  T: { t: 0.1, s: 0.15 },
  D: { d: 0.1, z: 0.15, T: 0.15 },
  Z: { j: 0.1, z: 0.15 },
  Q: { z: 0.15, s: 0.25, c: 0.1 },
  q: { k: 0.05, c: 0.1, g: 0.15, G: 0.1 },
  k: { c: 0, q: 0.05, X: 0.2, g: 0.4 },
  j: { g: 0.2, Z: 0.15, y: 0.5, C: 0.5 },
  b: { p: 0.1, v: 0.2 },
  p: { f: 0.1, b: 0.3 },
  f: { v: 0.15, p: 0.4 },
  w: { v: 0.05, u: 0, o: 0, U: 0, f: 0.3 },
  y: { i: 0, I: 0, e: 0.05, j: 0.2, a: 0.3 },
  z: { T: 0.2, D: 0.2, s: 0.4, d: 0.25, Z: 0.3 },
  d: { D: 0.1, z: 0.3, t: 0.5 },
  t: { T: 0.1, d: 0.5 },
  s: { c: 0.1, z: 0.4, S: 0.4, Q: 0.4 },
  h: { X: 0.3 },
  V: { h: 0, t: 0.05, a: 0, e: 0 },
  a: { e: 0.05, i: 0.3, o: 0.2, u: 0.3 },
  E: { a: 0, e: 0, i: 0, o: 0, u: 0, U: 0, I: 0 },
};
const WEAK_SKIP: Readonly<Record<string, number>> = { a: 0.3, w: 0.4, y: 0.4, E: 0.05, V: 0.1 };
const VOWELS = 'aeiou';
const VOWEL_SKIP = 0.03;
const GLIDE_SKIP = 0.35;
/** A vowel at the start or the end is mostly written. */
const EDGE_VOWEL_SKIP = 0.3;
const SLOPE = 1.6;
const LONG_VOWEL_SKIP = 0.2;
/** Few consonants fit many names. */
const MAX_BY_CONSONANTS: readonly number[] = [0.6, 0.8, 0.9, 0.97];
const FINAL_H_SKIP = 0.05;

/** Cost of a Latin letter that the script does not write: short vowels are cheap, the second half of a diphthong is not. */
function unwrittenCost(latin: string, at: number): number {
  const one = latin[at] as string;
  const before = at === 0 ? '' : (latin[at - 1] as string);
  if (one === 'h' && at === latin.length - 1) return FINAL_H_SKIP;
  if (one === 'y' || one === 'w') return GLIDE_SKIP;
  if (one === 'U' || one === 'I') return LONG_VOWEL_SKIP;
  if (!VOWELS.includes(one)) return 1;
  if (at === 0) return EDGE_VOWEL_SKIP;
  if (at === latin.length - 1) return one === 'a' || one === 'e' ? EDGE_VOWEL_SKIP / 2 : EDGE_VOWEL_SKIP;
  const isGlide = before !== '' && 'aeou'.includes(before) && (one === 'i' || one === 'u');
  return isGlide ? GLIDE_SKIP : VOWEL_SKIP;
}

function unspokenCost(written: string, at: number): number {
  const one = written[at] as string;
  if (one === 'h' && at === written.length - 1) return 0.1;
  return WEAK_SKIP[one] ?? 1;
}

const ASCII = 128;
const OTHER_SOUND = 1.2;
const CHANGES = new Float64Array(ASCII * ASCII).fill(OTHER_SOUND);
for (let code = 0; code < ASCII; code += 1) CHANGES[code * ASCII + code] = 0;
for (const [sign, spellings] of Object.entries(SPELLINGS)) {
  for (const [letter, cost] of Object.entries(spellings))
    CHANGES[sign.charCodeAt(0) * ASCII + letter.charCodeAt(0)] = cost;
}
const IS_WEAK = new Uint8Array(ASCII);
for (const sign of Object.keys(WEAK_SKIP)) IS_WEAK[sign.charCodeAt(0)] = 1;
const MAX_LENGTH = 40;
const skips = new Float64Array(MAX_LENGTH + 1);
const row = new Float64Array(MAX_LENGTH + 1);
const A = 'a'.charCodeAt(0);

const H = 'h'.charCodeAt(0);

/** Letters as bits; large and small ones share theirs. */
function bitOf(code: number): number {
  return 1 << (code & 31);
}

/** Bits of the letters that a sign may be spelt as. */
const SPELT_AS = new Int32Array(ASCII);
for (let code = 0; code < ASCII; code += 1) SPELT_AS[code] = bitOf(code);
for (const [sign, spellings] of Object.entries(SPELLINGS)) {
  const code = sign.charCodeAt(0);
  for (const letter of Object.keys(spellings))
    SPELT_AS[code] = (SPELT_AS[code] as number) | bitOf(letter.charCodeAt(0));
}

/** A cheap look: each consonant that has no letter to be spelt as is left out or replaced, and costs one or more. */
function leastCost(written: string, latin: string): number {
  let letters = 0;
  for (let at = 0; at < latin.length; at += 1) letters |= bitOf(latin.charCodeAt(at));
  let cost = 0;
  for (let at = 0; at < written.length; at += 1) {
    const sign = written.charCodeAt(at);
    if (IS_WEAK[sign] === 1 || (sign === H && at === written.length - 1)) continue;
    if ((((sign < ASCII ? SPELT_AS[sign] : undefined) ?? bitOf(sign)) & letters) === 0) cost += 1;
  }
  return cost;
}

function changeCost(sign: number, letter: number): number {
  if (sign === letter) return 0;
  return sign < ASCII && letter < ASCII ? (CHANGES[sign * ASCII + letter] as number) : OTHER_SOUND;
}

/** How alike the signs of a written word and of a Latin one sound, 0 to 1; 0 for what must stay below the least. */
export function vowellessSimilarity(written: string, latin: string, least: number): number {
  if (written.length > MAX_LENGTH || latin.length > MAX_LENGTH) return 0;
  let weakSigns = 0;
  for (let at = 0; at < written.length; at += 1) weakSigns += IS_WEAK[written.charCodeAt(at)] ?? 0;
  const length = Math.max(2, written.length - weakSigns / 2);
  const limit = ((1 - least) * length) / SLOPE + 1e-9;
  if (leastCost(written, latin) > limit) return 0;
  row[0] = 0;
  for (let column = 1; column <= latin.length; column += 1) {
    const skip = unwrittenCost(latin, column - 1);
    skips[column] = skip;
    row[column] = (row[column - 1] as number) + skip;
  }
  for (let at = 1; at <= written.length; at += 1) {
    const sign = written.charCodeAt(at - 1);
    const skip = unspokenCost(written, at - 1);
    let diagonal: number = row[0];
    let left: number = diagonal + skip;
    row[0] = left;
    let lowest = left;
    for (let column = 1; column <= latin.length; column += 1) {
      const isFirstVowel = at === 1 && column === 1 && sign === A && VOWELS.includes(latin[0] as string);
      const change = isFirstVowel ? 0 : changeCost(sign, latin.charCodeAt(column - 1));
      const above = row[column] as number;
      left = Math.min(diagonal + change, above + skip, left + (skips[column] as number));
      row[column] = left;
      diagonal = above;
      if (left < lowest) lowest = left;
    }
    if (lowest > limit) return 0;
  }
  const most = MAX_BY_CONSONANTS[Math.min(3, written.length - weakSigns)] as number;
  const similarity = Math.min(most, 1 - (SLOPE * (row[latin.length] as number)) / length);
  return similarity < least ? 0 : similarity;
}
