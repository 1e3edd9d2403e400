import type { LintToken, Sentence, Tokens } from './lint-tokens.ts';

/**
 * A signal in words. Parts are separated by spaces: `a|b` is one of these words, `-a|b` any word but these (`-` any at all), `~3` up to
 * three words of the same sentence. Kinds of words stand in angle brackets; `<name>` is any word with a capital. In
 * front of all stand conditions:
 * - `^` at the beginning of a sentence, line or item; `,` at that of a part of a sentence; `$` up to its end
 * - `#` inside a heading or label; `*` inside an item of a list
 * - `:` may lead from a label into its value; `&` may lead over the ends of sentences
 * - `!a|b` none of these words right before it; `%a|b` none in its sentence; `=a|b` one in its sentence
 */
export interface Pattern {
  readonly parts: readonly Part[];
  readonly isAtStart: boolean;
  readonly isAtClause: boolean;
  readonly isInLabel: boolean;
  readonly isInItem: boolean;
  readonly isAtEnd: boolean;
  readonly leavesLabel: boolean;
  readonly leavesSentence: boolean;
  readonly notAfter: Words;
  readonly notWith: Words;
  readonly onlyWith: Words;
}

type Words = ReadonlySet<string>;

interface Part {
  readonly words: Words;
  readonly isExcept: boolean;
  readonly takesName: boolean;
  /** How many words may stand before it. */
  readonly gap: number;
}

/** What a label is about stands at its beginning: `Our expected behaviour`. */
const LATEST_IN_LABEL = 2;
/** As much of a sentence as is looked through for other words. */
const LONGEST_SENTENCE = 80;
const NO_WORDS: Words = new Set();
const NAME = '<name>';
const NUMBERS =
  'two three four five six seven eight nine ten twelve fifteen twenty thirty fifty hundred twee drie vier vijf zes zeven acht negen tien twaalf twintig dertig'.split(
    ' ',
  );

const FLAGS = {
  '^': 'isAtStart',
  ',': 'isAtClause',
  '#': 'isInLabel',
  '*': 'isInItem',
  $: 'isAtEnd',
  ':': 'leavesLabel',
  '&': 'leavesSentence',
} as const;
const GUARDS = { '!': 'notAfter', '%': 'notWith', '=': 'onlyWith' } as const;

export function compilePattern(text: string): Pattern {
  const flags = {
    isAtStart: false,
    isAtClause: false,
    isInLabel: false,
    isInItem: false,
    isAtEnd: false,
    leavesLabel: false,
    leavesSentence: false,
  };
  const guards = { notAfter: NO_WORDS, notWith: NO_WORDS, onlyWith: NO_WORDS };
  const parts: Part[] = [];
  let gap = 0;
  for (const piece of text.split(' ')) {
    if (isKey(FLAGS, piece)) flags[FLAGS[piece]] = true;
    else if (isKey(GUARDS, piece[0])) guards[GUARDS[piece[0]]] = wordSet(piece.slice(1));
    else if (piece.startsWith('~')) gap = Number(piece.slice(1));
    else {
      parts.push(partOf(piece, gap));
      gap = 0;
    }
  }
  return { parts, ...flags, ...guards };
}

function isKey<T extends object>(table: T, key: PropertyKey | undefined): key is keyof T {
  return key !== undefined && Object.hasOwn(table, key);
}

function partOf(piece: string, gap: number): Part {
  const isExcept = piece.startsWith('-');
  const words = wordSet(isExcept ? piece.slice(1) : piece);
  return { words, isExcept, takesName: words.has(NAME), gap };
}

function wordSet(text: string): Words {
  const words = text.split('|');
  // Nought is a word of its own, since it often says `none`; a reference is code.
  if (words.includes('<n>')) words.push('0', ...NUMBERS);
  if (words.includes('<code>')) words.push('<ref>');
  return new Set(words);
}

/** True when a text with these words can match the pattern. */
export function hasWordsOf({ parts }: Pattern, vocabulary: Words): boolean {
  return parts.every(
    ({ words, isExcept, takesName }, at) => at === 0 || isExcept || takesName || !words.isDisjointFrom(vocabulary),
  );
}

/** The token with which the pattern ends when it begins at a token; -1 when it does not. */
export function endOfMatch(pattern: Pattern, read: Tokens, at: number): number {
  const { tokens } = read;
  const first = tokens[at] as LintToken;
  if (pattern.isAtStart && !first.isFirst) return -1;
  if (pattern.isAtClause && !first.isClause) return -1;
  if (pattern.isInItem && !first.isItem) return -1;
  if (pattern.isInLabel ? first.labelAt === -1 || first.labelAt > LATEST_IN_LABEL : first.isHeading) return -1;
  const before = tokens[at - 1];
  if (before !== undefined && (!first.isFirst || before.labelAt !== -1) && pattern.notAfter.has(before.word)) return -1;
  const { parts } = pattern;
  let end = at;
  // The first part has chosen the pattern.
  for (let part = 1; part < parts.length; part += 1) {
    end = endOfPart(pattern, parts[part] as Part, tokens, end + 1);
    if (end === -1) return -1;
  }
  if (pattern.isInLabel && tokens[end]?.labelAt === -1 && !pattern.leavesLabel) return -1;
  if (pattern.isAtEnd && read.sentences[first.sentence]?.to !== end + 1) return -1;
  if (pattern.notWith.size > 0 && holds(read, first.sentence, pattern.notWith)) return -1;
  if (pattern.onlyWith.size > 0 && !holds(read, first.sentence, pattern.onlyWith)) return -1;
  return end;
}

function endOfPart(pattern: Pattern, part: Part, tokens: readonly LintToken[], from: number): number {
  const { words, isExcept, takesName } = part;
  const last = Math.min(from + part.gap, tokens.length - 1);
  for (let at = from; at <= last; at += 1) {
    const token = tokens[at] as LintToken;
    if (token.isFirst && !pattern.leavesSentence && !leavesLabelAt(pattern, tokens, at)) return -1;
    if (words.has(token.word) !== isExcept || (takesName && token.isName)) return at;
  }
  return -1;
}

function leavesLabelAt({ leavesLabel }: Pattern, tokens: readonly LintToken[], at: number): boolean {
  return leavesLabel && tokens[at - 1]?.labelAt !== -1;
}

/** Looks once for each set of words, since signals come again and again in a long sentence. */
function holds({ tokens, sentences }: Tokens, at: number, words: Words): boolean {
  const sentence = sentences[at] as Sentence;
  const known = sentence.holds.get(words);
  if (known !== undefined) return known;
  const inSentence = tokens.slice(sentence.from, Math.min(sentence.to, sentence.from + LONGEST_SENTENCE));
  const isHeld = inSentence.some(({ word }) => words.has(word));
  sentence.holds.set(words, isHeld);
  return isHeld;
}
