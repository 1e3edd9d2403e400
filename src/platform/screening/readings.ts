import { type FoldedWord, foldWords } from './fold.ts';
import { translatedFirm } from './han-words.ts';
import { kanjiReading } from './japanese-names.ts';
import { fromOldJapanese, fromWadeGiles, koreanReading, mayBeWadeGiles } from './romanisations.ts';

/** Other ways to read the words of a name; the first reading is what is written. */

/** Longer names are read in fewer ways: each reading of a hostile name costs as much as the first. */
export const MANY_WORDS = 10;

const HAS_DIGIT = /\d/;
const LETTER = /[a-z]/;
/** What machines take for a digit; 1 stands for two letters. */
const LETTER_OF_DIGIT: Readonly<Record<string, string>> = { '0': 'o', '3': 'e', '5': 's', '8': 'b' };
const VOWEL = /[aeiou]/;
const ORDINAL = /^\d{1,4}(?:st|nd|rd|th|ya|y|e|er|a|o)$/;
/** Digits inside a word that are letters; a code such as 5ABC88 stays one. */
const MISREAD = /^[a-z01358]{2,40}$/;

function isMisread({ text, script }: FoldedWord): boolean {
  if (script !== 'latin' || !HAS_DIGIT.test(text) || !MISREAD.test(text) || ORDINAL.test(text)) return false;
  const letters = text.replace(/\d/g, '').length;
  return letters >= 2 && letters * 2 >= text.length;
}

/** One digit alone beside words of letters is a number, inside a word it is a letter. */
function lettersOf(text: string, isLikelierL: boolean): string {
  return text.replace(/[01358]/g, (digit, at: number) => {
    if (digit !== '1') return LETTER_OF_DIGIT[digit] as string;
    const isBesideVowel = VOWEL.test(text[at - 1] ?? '') || VOWEL.test(text[at + 1] ?? '');
    return isLikelierL && isBesideVowel ? 'l' : 'i';
  });
}

function withLetters(words: readonly FoldedWord[], isLikelierL: boolean): FoldedWord[] {
  return words.map((word) => {
    if (!isMisread(word)) return word;
    const text = lettersOf(word.text, isLikelierL);
    return { ...word, text, original: text };
  });
}

function ocrReadings(words: readonly FoldedWord[]): FoldedWord[][] {
  const misread = words.filter(isMisread);
  if (misread.length === 0) return [];
  const hasOne = words.length <= MANY_WORDS && misread.some(({ text }) => text.includes('1'));
  return hasOne ? [withLetters(words, true), withLetters(words, false)] : [withLetters(words, true)];
}

const MAX_SHORT_WORDS = 4;

function koreanWords(words: readonly FoldedWord[]): FoldedWord[] | undefined {
  if (words.length < 2 || words.length > MAX_SHORT_WORDS) return undefined;
  if (!words.every(({ script, text }) => script === 'hangul' || (script === 'latin' && LETTER.test(text))))
    return undefined;
  return koreanReading(words.map(({ text }) => text))?.map((text) => ({ text, script: 'hangul', original: text }));
}

function japaneseWords(words: readonly FoldedWord[]): FoldedWord[] | undefined {
  if (words.length < 2 || words.length > MAX_SHORT_WORDS) return undefined;
  if (!words.every(({ script }) => script === 'latin' || script === 'kana')) return undefined;
  return fromOldJapanese(words.map(({ text }) => text))?.map((text) => ({ text, script: 'latin', original: text }));
}

const HAS_HAN = /\p{Script=Han}/u;
/** Scripts of India, Sri Lanka and Burma. */
const HAS_SECOND_SPELLING = /[\u0900-\u0dff\u1000-\u103f]/;

/** Every reading of a name, as written first. */
export function readingsOf(name: string): FoldedWord[][] {
  const hasHan = HAS_HAN.test(name);
  const words = foldWords((hasHan ? translatedFirm(name) : undefined) ?? name);
  const readings = [words];
  if (HAS_DIGIT.test(name)) readings.push(...ocrReadings(words));
  const chinese = mayBeWadeGiles(words[0]?.text ?? '') ? fromWadeGiles(name) : undefined;
  if (chinese !== undefined) readings.push(foldWords(chinese));
  if (HAS_SECOND_SPELLING.test(name)) readings.push(foldWords(name, true));
  const kanji = hasHan ? kanjiReading(name) : undefined;
  if (kanji !== undefined) readings.push(foldWords(kanji));
  for (const other of [koreanWords(words), japaneseWords(words)]) if (other !== undefined) readings.push(other);
  return readings;
}
