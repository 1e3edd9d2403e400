import { anchorOf } from '#kernel/anchor.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { code, dataTable, linkTo } from './components.ts';

/** Turns the address of a link into one that is served, or undefined where none is. */
type Resolve = (address: string) => string | undefined;

interface Block {
  readonly pattern: RegExp;
  /** The block that begins at the line, and the line after it. */
  readonly read: (lines: readonly string[], start: number, resolve: Resolve) => { html: Html; next: number };
}

const FENCE = /^```(\w*)\s*$/;
const HEADING = /^(#{1,4}) (.+)$/;
const ITEM = /^(\s*)(?:[-*]|(\d+)\.) (.*)$/;
const TABLE_LINE = /^\|.*\|\s*$/;
const QUOTE = /^> ?(.*)$/;

const BLOCKS: readonly Block[] = [
  { pattern: FENCE, read: readFence },
  { pattern: HEADING, read: readHeading },
  { pattern: TABLE_LINE, read: readTable },
  { pattern: QUOTE, read: readQuote },
  { pattern: ITEM, read: readList },
];

/** The part of Markdown that our documentation uses, as markup; all text in it is escaped. */
export function markdownHtml(text: string, resolve: Resolve): Html {
  const lines = text.split('\n');
  const parts: Html[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const block = BLOCKS.find(({ pattern }) => pattern.test(line));
    const { html: made, next } = (block?.read ?? readParagraph)(lines, at, resolve);
    parts.push(made);
    at = next;
  }
  return html`${parts}`;
}

function readFence(lines: readonly string[], start: number) {
  const end = lines.indexOf('```', start + 1);
  const last = end === -1 ? lines.length : end;
  return { html: code(lines.slice(start + 1, last).join('\n')), next: last + 1 };
}

function readHeading(lines: readonly string[], start: number, resolve: Resolve) {
  const [, marks = '', title = ''] = HEADING.exec(lines[start] as string) ?? [];
  const id = anchorOf(title);
  const inner = inline(title, resolve);
  const made = marks.length <= 2 ? html`<h2 id="${id}">${inner}</h2>` : html`<h3 id="${id}">${inner}</h3>`;
  return { html: made, next: start + 1 };
}

function readTable(lines: readonly string[], start: number, resolve: Resolve) {
  const end = endOf(lines, start, (line) => TABLE_LINE.test(line));
  const [head = [], , ...rows] = lines.slice(start, end).map((line) => cellsOf(line));
  const shown = rows.map((row) => row.map((cell) => inline(cell, resolve)));
  return { html: dataTable({ caption: head.join(', '), hidesCaption: true, columns: head, rows: shown }), next: end };
}

function cellsOf(line: string): string[] {
  const inner = line.trim().slice(1, -1);
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function readQuote(lines: readonly string[], start: number, resolve: Resolve) {
  const end = endOf(lines, start, (line) => QUOTE.test(line));
  const text = lines.slice(start, end).map((line) => line.replace(QUOTE, '$1'));
  return { html: html`<blockquote>${markdownHtml(text.join('\n'), resolve)}</blockquote>`, next: end };
}

/** Items with the lines that belong to them; what is indented further is a list of its own. */
function readList(lines: readonly string[], start: number, resolve: Resolve) {
  const [, indent = '', number] = ITEM.exec(lines[start] as string) ?? [];
  const items: string[][] = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const [, deep = '', , rest = ''] = ITEM.exec(line) ?? [];
    if (ITEM.test(line) && deep.length === indent.length) items.push([rest]);
    else if (line.startsWith(`${indent}  `)) items.at(-1)?.push(line.trimEnd());
    else break;
  }
  const made = items.map(([first = '', ...more]) => {
    const nested = more.findIndex((line) => ITEM.test(line));
    const text = [first, ...(nested === -1 ? more : more.slice(0, nested))].map((line) => line.trim()).join(' ');
    const inner = nested === -1 ? NOTHING : markdownHtml(more.slice(nested).join('\n'), resolve);
    return html`<li>${inline(text, resolve)}${inner}</li>`;
  });
  return { html: number === undefined ? html`<ul>${made}</ul>` : html`<ol>${made}</ol>`, next: at };
}

function readParagraph(lines: readonly string[], start: number, resolve: Resolve) {
  const isText = (line: string) => line.trim() !== '' && !BLOCKS.some(({ pattern }) => pattern.test(line));
  const end = endOf(lines, start, isText);
  const text = lines.slice(start, end).join(' ');
  return { html: html`<p>${inline(text, resolve)}</p>`, next: end };
}

function endOf(lines: readonly string[], start: number, belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index > start && !belongs(line));
  return end === -1 ? lines.length : end;
}

const INLINE = /(`+)(.+?)\1(?!`)|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text: string, resolve: Resolve): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, , codeText, strong, label = '', address = ''] = match;
    parts.push(html`${text.slice(at, match.index)}`);
    if (codeText !== undefined) parts.push(html`<code>${codeText.trim()}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong, resolve)}</strong>`);
    else {
      const target = resolve(address);
      parts.push(target === undefined ? html`${label}` : linkTo(target, label));
    }
    at = match.index + whole.length;
  }
  return html`${parts}${text.slice(at)}`;
}
