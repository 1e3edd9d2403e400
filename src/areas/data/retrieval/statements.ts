import { cleanText } from '#kernel/foreign-text.ts';
import type { Passage } from './corpus.ts';
import { wordsOf } from './words.ts';

/** A part of a passage that can be quoted as it stands. */
export interface Statement {
  readonly text: string;
  /** What is quoted for it: the statement with the sentences around it, as far as they fit. */
  readonly quote: string;
  readonly words: ReadonlySet<string>;
}

const MAX_STATEMENT_LENGTH = 800;
const USUAL_STATEMENT = 200;
const USUAL_QUOTE = 400;
const MIN_STATEMENT_LENGTH = 16;
const SNIPPET = 240;
/** A list of codes speaks of none of them, nor does the head of a list. */
const LISTED = /^Problems: |^Parameters of \w{1,60}:$/;
const HEAD = /^\|[\s|:-]{1,200}$/;
const ROW = /^\s{0,8}\|/;
const ITEM = /^\s{0,8}(?:[-*]|\d{1,3}\.)\s/;
const SHELL = /^(?:sh|bash|console)\n/;

const known = new WeakMap<Passage, readonly Statement[]>();

/** Paragraphs, list items, rows of tables, and commands with the line that introduces them; long ones in parts. */
export function statementsOf(passage: Passage): readonly Statement[] {
  const before = known.get(passage);
  if (before !== undefined) return before;
  const statements: Statement[] = [];
  for (const block of blocksOf(passage.body)) {
    const parts = partsOf(block);
    const quotes = quotesOf(block, parts);
    for (const [place, part] of parts.entries()) {
      const text = part.trim().slice(0, MAX_STATEMENT_LENGTH);
      const isLine = HEAD.test(text) || HEAD.test(parts[place + 1] ?? '');
      if (text.length < MIN_STATEMENT_LENGTH || LISTED.test(text) || (block.kind === 'table' && isLine)) continue;
      statements.push({ text, quote: quotes[place] ?? text, words: new Set(wordsOf(text)) });
    }
  }
  known.set(passage, statements);
  return statements;
}

interface Block {
  readonly kind: 'prose' | 'list' | 'table' | 'code';
  readonly text: string;
}

/** Blocks of a text: tables and lists whole, paragraphs, and commands with the paragraph above them. */
function blocksOf(body: string): Block[] {
  const blocks: Block[] = [];
  for (const [place, piece] of body.split('```').entries()) {
    if (place % 2 === 1) {
      const code = `\`\`\`${piece}\`\`\``;
      const intro = blocks.at(-1)?.text.trimEnd() ?? '';
      const both = [`${intro}\n\n${code}`, `${intro}\n${code}`].find((text) => body.includes(text)) ?? code;
      if (SHELL.test(piece)) blocks.push({ kind: 'code', text: both.length <= MAX_STATEMENT_LENGTH ? both : code });
      continue;
    }
    for (const paragraph of piece.split(/\n{2,}/)) blocks.push(...runsOf(paragraph));
  }
  return blocks;
}

/** The lines of a paragraph by what they are: a table, a list with the lines that belong to it, or prose. */
function runsOf(paragraph: string): Block[] {
  const runs: { kind: Block['kind']; text: string }[] = [];
  for (const line of paragraph.split('\n')) {
    const last = runs.at(-1);
    const begun = ROW.test(line) ? 'table' : ITEM.test(line) ? 'list' : undefined;
    const kind = begun ?? (last?.kind === 'list' ? 'list' : 'prose');
    if (last?.kind === kind) last.text += `\n${line}`;
    else runs.push({ kind, text: line });
  }
  return runs.filter(({ text }) => text.trim() !== '');
}

function partsOf({ kind, text }: Block): string[] {
  if (kind === 'code') return [text];
  if (kind === 'table') return text.split('\n');
  return kind === 'list' ? text.split(/\n(?=\s{0,8}(?:[-*]|\d{1,3}\.)\s)/) : sentencesOf(text, USUAL_STATEMENT);
}

/** What is quoted for each part: of a paragraph the sentences around it too, as far as they fit. */
function quotesOf({ kind, text }: Block, parts: readonly string[]): string[] {
  const groups = kind === 'prose' ? sentencesOf(text, USUAL_QUOTE).map((part) => part.trim()) : [];
  return parts.map((part) =>
    (groups.find((group) => group.includes(part.trim())) ?? part.trim()).slice(0, MAX_STATEMENT_LENGTH),
  );
}

/** Neighbouring sentences, as many as fit. */
function sentencesOf(text: string, usual: number): string[] {
  const parts = [''];
  for (const piece of text.split(/(?<=[.?!])(?=\s{1,8}[A-Z`"(])/)) {
    const last = parts.at(-1) as string;
    if (last.length + piece.length > usual && last !== '') parts.push(piece);
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
