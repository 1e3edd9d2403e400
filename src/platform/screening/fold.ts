import { writtenWordAt } from './scripts/written-words.ts';
import { latinFormAt, type Script } from './transliteration.ts';

/** A word of a name in lower-case Latin letters and digits, as far as its script is known. */
export interface FoldedWord {
  readonly text: string;
  readonly script: Script;
  /** The word in its own script, lower-case and without marks; rules for Arabic and Hebrew start from it. */
  readonly original: string;
}

const ASCII_ONLY = /^[\x20-\x7e]*$/;
const MARK = /\p{M}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const QUOTES = new Set(Array.from('\'’‘`´ʹʾʿ“”"„«»‚‹›ʺ′″'));
const INVISIBLE = /\p{Cf}/u;
/** Cyrillic and Greek letters that look Latin; inside a Latin word they are a disguise. */
const LOOKALIKES = new Map(
  Array.from('аaеeоoрpсcхxуyкkмmтtнhвbіiјjѕsԁdοoαaνvιiρpτtκk').reduce<[string, string][]>((pairs, one, at, all) => {
    if (at % 2 === 0) pairs.push([one, all[at + 1] as string]);
    return pairs;
  }, []),
);

function isAsciiWordCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a);
}

/** A Thai letter under this sign is not spoken. */
const SILENT_THAI = /[\u0e01-\u0e2e][\u0e34\u0e38]?\u0e4c/g;

const ANY_DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/** Every script has its ten digits in a row; a few rows follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (ANY_DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** White letters on black discs and squares, which Unicode counts as symbols and gives no compatibility form. */
const DARK_LETTERS = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;

function asciiLetter(dark: string): string {
  const code = dark.codePointAt(0) as number;
  return String.fromCharCode(code - (code < 0x1f170 ? 0x1f150 : 0x1f170) + 0x61);
}

/** Lower case, compatibility forms, one kind of each letter and digit; marks stay until the letter is looked up. */
function plainCharacters(text: string): string[] {
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFC');
  if (ASCII_ONLY.test(lower)) return lower.split('');
  return Array.from(
    lower.replace(SILENT_THAI, '').replace(OTHER_DIGITS, asciiDigit).replace(DARK_LETTERS, asciiLetter),
  );
}

class WordBuilder {
  readonly words: FoldedWord[] = [];
  #latin = '';
  #original = '';
  #script: Script = 'latin';

  add(latin: string, original: string, script: Script): void {
    if (this.#original === '' || this.#script === 'latin') this.#script = script;
    this.#latin += latin;
    this.#original += original;
  }

  end(): void {
    if (this.#latin !== '') {
      this.words.push({ text: this.#latin, script: this.#script, original: this.#original });
    }
    this.#latin = '';
    this.#original = '';
    this.#script = 'latin';
  }
}

function hasLatinNeighbour(characters: readonly string[], at: number): boolean {
  const isLatin = (one: string | undefined) => one !== undefined && one >= 'a' && one <= 'z';
  return isLatin(characters[at - 1]) || isLatin(characters[at + 1]);
}

function addLetter(builder: WordBuilder, characters: readonly string[], at: number): number {
  const one = characters[at] as string;
  const disguised = hasLatinNeighbour(characters, at) ? LOOKALIKES.get(one) : undefined;
  if (disguised !== undefined) {
    builder.add(disguised, disguised, 'latin');
    return 1;
  }
  const form = latinFormAt(characters, at);
  if (form === undefined) {
    const bare = Array.from(one.normalize('NFKD')).filter((part) => !MARK.test(part));
    const again = bare.length > 0 && bare.join('') !== one ? bare : undefined;
    if (again === undefined) {
      if (LETTER_OR_DIGIT.test(one)) builder.add(one, one, 'other');
      return 1;
    }
    for (let part = 0; part < again.length; part += 1) {
      const letter = again[part] as string;
      if (isAsciiWordCharacter(letter.codePointAt(0) as number)) builder.add(letter, letter, 'latin');
      else {
        const known = latinFormAt(again, part);
        builder.add(known?.latin ?? (LETTER_OR_DIGIT.test(letter) ? letter : ''), letter, known?.script ?? 'other');
      }
    }
    return 1;
  }
  if (form.isSyllable) builder.end();
  builder.add(form.latin, characters.slice(at, at + form.taken).join(''), form.script);
  if (form.isSyllable) builder.end();
  return form.taken;
}

/** Adds the word that begins here, where a script is read word by word. Says how many characters it took. */
function addWrittenWord(builder: WordBuilder, characters: readonly string[], at: number, isSecond: boolean): number {
  const written = writtenWordAt(characters, at, isSecond);
  if (written === undefined) return 0;
  const { words, isRough, taken } = written;
  const original = characters.slice(at, at + taken).join('');
  for (const [place, word] of words.entries()) {
    if (place > 0) builder.end();
    builder.add(word, words.length === 1 ? original : word, isRough ? 'rough' : 'other');
  }
  return taken;
}

/** A dot inside dotted initials such as S.A.R.L. joins; any other ends the word. */
function joinsInitials(characters: readonly string[], at: number): boolean {
  const isEdge = (one: string | undefined) => one === undefined || !LETTER_OR_DIGIT.test(one);
  const before = characters[at - 1];
  const next = characters[at + 1];
  if (before === undefined || !LETTER_OR_DIGIT.test(before) || !isEdge(characters[at - 2])) return false;
  return next !== undefined && LETTER_OR_DIGIT.test(next) && isEdge(characters[at + 2]);
}

/**
 * The words of a name, folded to Latin letters and digits. The order of the words is kept. Scripts that are read word by
 * word may be spelt in a second way.
 */
export function foldWords(name: string, isSecond = false): FoldedWord[] {
  const characters = plainCharacters(name);
  const builder = new WordBuilder();
  for (let at = 0; at < characters.length; ) {
    const one = characters[at] as string;
    const code = one.codePointAt(0) as number;
    if (isAsciiWordCharacter(code)) {
      builder.add(one, one, 'latin');
      at += 1;
    } else if (one === '&') {
      builder.end();
      builder.add('and', 'and', 'latin');
      builder.end();
      at += 1;
    } else if (QUOTES.has(one) || MARK.test(one) || (INVISIBLE.test(one) && one !== '\u200c')) at += 1;
    else if (code >= 0x80 && LETTER_OR_DIGIT.test(one))
      at += addWrittenWord(builder, characters, at, isSecond) || addLetter(builder, characters, at);
    else {
      if (one !== '.' || !joinsInitials(characters, at)) builder.end();
      at += 1;
    }
  }
  builder.end();
  return builder.words;
}
