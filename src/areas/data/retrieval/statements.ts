import { cleanText } from '#kernel/foreign-text.ts';
import type { Passage } from './corpus.ts';
import { wordsOf } from './words.ts';

/** A part of a passage that can be quoted as it stands. */
export interface Statement {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

const MAX_STATEMENT_LENGTH = 800;
const USUAL_STATEMENT = 400;
const SNIPPET = 240;

const known = new WeakMap<Passage, readonly Statement[]>();

/** Paragraphs, list items and rows of tables; long ones in parts, code blocks not at all. */
export function statementsOf(passage: Passage): readonly Statement[] {
  const before = known.get(passage);
  if (before !== undefined) return before;
  const prose = passage.body.replace(/```[\s\S]*?(?:```|$)/g, '\n\n');
  const blocks = prose.split(/\n(?=\s*(?:[-*|]|\d+\.)\s)|\n{2,}/);
  const statements = blocks
    .flatMap((block) => (/^\s*\|/.test(block) ? block.split('\n') : partsOf(block)))
    .map((text) => text.trim().slice(0, MAX_STATEMENT_LENGTH))
    .filter((text) => text.length > 15 && !/^\|[\s|:-]+$/.test(text))
    .map((text) => ({ text, words: new Set(wordsOf(text)) }));
  known.set(passage, statements);
  return statements;
}

/** Neighbouring sentences, as many as fit. */
function partsOf(block: string): string[] {
  const parts = [''];
  for (const piece of block.split(/(?<=[.?!])(?=\s+[A-Z`"(])/)) {
    const last = parts.at(-1) as string;
    if (last.length + piece.length > USUAL_STATEMENT && last !== '') parts.push(piece);
    else parts[parts.length - 1] = last + piece;
  }
  return parts;
}

/** What of a passage shows best that it fits. */
export function snippetOf(passage: Passage, query: string): string {
  const wanted = new Set(wordsOf(query));
  let best = { hits: 0, text: passage.body };
  for (const { text, words } of statementsOf(passage)) {
    const hits = wanted.intersection(words).size;
    if (hits > best.hits) best = { hits, text };
  }
  return cleanText(best.text.slice(0, SNIPPET));
}
