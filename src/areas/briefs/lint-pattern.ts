import type { Token } from './lint-tokens.ts';

/**
 * A signal in words. Parts are separated by spaces: `a|b` is one of these words, `~3` up to three words of the same
 * sentence. In front of all, `^` wants the beginning of a sentence, line or item, `#` a heading or label around the
 * whole, and `!a|b` that the word before is none of these.
 */
export interface Pattern {
  readonly parts: readonly Part[];
  readonly isAtStart: boolean;
  readonly isInLabel: boolean;
  readonly notAfter: ReadonlySet<string>;
}

interface Part {
  readonly words: ReadonlySet<string>;
  /** How many words may stand before it. */
  readonly gap: number;
}

const NO_WORDS: ReadonlySet<string> = new Set();

export function compilePattern(text: string): Pattern {
  let isAtStart = false;
  let isInLabel = false;
  let notAfter = NO_WORDS;
  let gap = 0;
  const parts: Part[] = [];
  for (const piece of text.split(' ')) {
    if (piece === '^') isAtStart = true;
    else if (piece === '#') isInLabel = true;
    else if (piece.startsWith('!')) notAfter = wordSet(piece.slice(1));
    else if (piece.startsWith('~')) gap = Number(piece.slice(1));
    else {
      parts.push({ words: wordSet(piece), gap });
      gap = 0;
    }
  }
  return { parts, isAtStart, isInLabel, notAfter };
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split('|'));
}

/** The token with which the pattern ends when it begins at a token; -1 when it does not. */
export function endOfMatch(
  { parts, isAtStart, isInLabel, notAfter }: Pattern,
  tokens: readonly Token[],
  at: number,
): number {
  const first = tokens[at] as Token;
  if (isAtStart && !first.isFirst) return -1;
  if (!first.isFirst && notAfter.has(tokens[at - 1]?.word ?? '')) return -1;
  let end = at - 1;
  for (const [index, { words, gap }] of parts.entries()) {
    const last = end + 1 + gap;
    end += 1;
    while (end < tokens.length) {
      const token = tokens[end] as Token;
      // A sentence ends before its first word, unless the signal itself begins there; a label leads into its text.
      if (index > 0 && token.isFirst && !tokens[end - 1]?.isLabel) return -1;
      if (words.has(token.word)) break;
      if (end === last) return -1;
      end += 1;
    }
    if (end >= tokens.length) return -1;
  }
  return isInLabel && !(first.isLabel && tokens[end]?.isLabel) ? -1 : end;
}
