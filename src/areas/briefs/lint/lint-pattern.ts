import type { LintToken } from './lint-tokens.ts';

/**
 * A signal in words. Parts are separated by spaces: `a|b` is one of these words, `~3` up to three words of the same
 * sentence. In front of all, `^` wants the beginning of a sentence, line or item, `#` a heading or label around the
 * whole, `:` lets it lead from a label into what the label is about, `&` over the ends of sentences, and `!a|b` wants
 * none of these words before it.
 */
export interface Pattern {
  readonly parts: readonly Part[];
  readonly isAtStart: boolean;
  readonly isInLabel: boolean;
  readonly leavesLabel: boolean;
  readonly leavesSentence: boolean;
  readonly notAfter: ReadonlySet<string>;
}

interface Part {
  readonly words: ReadonlySet<string>;
  /** How many words may stand before it. */
  readonly gap: number;
}

/** What a label is about stands at its beginning: `Our expected behaviour`. */
const LATEST_IN_LABEL = 2;
const NO_WORDS: ReadonlySet<string> = new Set();

export function compilePattern(text: string): Pattern {
  let isAtStart = false;
  let isInLabel = false;
  let leavesLabel = false;
  let leavesSentence = false;
  let notAfter = NO_WORDS;
  let gap = 0;
  const parts: Part[] = [];
  for (const piece of text.split(' ')) {
    if (piece === '^') isAtStart = true;
    else if (piece === '#') isInLabel = true;
    else if (piece === ':') leavesLabel = true;
    else if (piece === '&') leavesSentence = true;
    else if (piece.startsWith('!')) notAfter = wordSet(piece.slice(1));
    else if (piece.startsWith('~')) gap = Number(piece.slice(1));
    else {
      parts.push({ words: wordSet(piece), gap });
      gap = 0;
    }
  }
  return { parts, isAtStart, isInLabel, leavesLabel, leavesSentence, notAfter };
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split('|'));
}

/** The token with which the pattern ends when it begins at a token; -1 when it does not. */
export function endOfMatch(pattern: Pattern, tokens: readonly LintToken[], at: number): number {
  const first = tokens[at] as LintToken;
  if (pattern.isAtStart && !first.isFirst) return -1;
  if (pattern.isInLabel && (first.labelAt === -1 || first.labelAt > LATEST_IN_LABEL)) return -1;
  if (!first.isFirst && pattern.notAfter.has(tokens[at - 1]?.word ?? '')) return -1;
  let end = at;
  // The first part has chosen the pattern.
  for (let part = 1; part < pattern.parts.length; part += 1) {
    end = endOfPart(pattern, pattern.parts[part] as Part, tokens, end + 1);
    if (end === -1) return -1;
  }
  return pattern.isInLabel && tokens[end]?.labelAt === -1 ? -1 : end;
}

function endOfPart(pattern: Pattern, { words, gap }: Part, tokens: readonly LintToken[], from: number): number {
  for (let at = from; at <= from + gap; at += 1) {
    const token = tokens[at];
    if (token === undefined || (token.isFirst && !pattern.leavesSentence && !leavesLabelAt(pattern, tokens, at)))
      return -1;
    if (words.has(token.word)) return at;
  }
  return -1;
}

function leavesLabelAt({ leavesLabel }: Pattern, tokens: readonly LintToken[], at: number): boolean {
  return leavesLabel && tokens[at - 1]?.labelAt !== -1;
}
