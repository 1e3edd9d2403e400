import { anchorOf } from '#kernel/anchor.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { code, dataTable, linkTo } from './components.ts';

/** Turns the address of a link into one that is served, or undefined where none is. */
type Resolve = (address: string) => string | undefined;

export interface MarkdownOptions {
  /** Words in lower case to explain where the text uses them first, with their meaning. */
  readonly terms?: ReadonlyMap<string, string>;
}

/** What the parts of one text share. */
interface Reading {
  readonly resolve: Resolve;
  readonly terms: ReadonlyMap<string, string>;
  readonly pattern: RegExp | undefined;
  readonly explained: Set<string>;
  /** How often each anchor was used. */
  readonly anchors: Map<string, number>;
}

interface Block {
  readonly pattern: RegExp;
  /** The block that begins at the line, and the line after it. */
  readonly read: (lines: readonly string[], start: number, reading: Reading) => { html: Html; next: number };
}

const FENCE = /^```(\w*)\s*$/;
const HEADING = /^(#{1,4}) (.+)$/;
const ITEM = /^(\s*)(?:[-*]|(\d+)\.) (.*)$/;
const TABLE_LINE = /^\|.*\|\s*$/;
const QUOTE = /^> ?(.*)$/;
/** Says something to who edits the text. */
const COMMENT = /^<!-- .* -->$/;

const BLOCKS: readonly Block[] = [
  { pattern: FENCE, read: readFence },
  { pattern: HEADING, read: readHeading },
  { pattern: TABLE_LINE, read: readTable },
  { pattern: QUOTE, read: readQuote },
  { pattern: ITEM, read: readList },
];

/** The part of Markdown that our documentation uses, as markup; all text in it is escaped. */
export function markdownHtml(text: string, resolve: Resolve, { terms = new Map() }: MarkdownOptions = {}): Html {
  return blocksHtml(text, { resolve, terms, pattern: patternOf(terms), explained: new Set(), anchors: new Map() });
}

function blocksHtml(text: string, reading: Reading): Html {
  const lines = text.split('\n');
  const parts: Html[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    if (line.trim() === '' || COMMENT.test(line)) {
      at += 1;
      continue;
    }
    const block = BLOCKS.find(({ pattern }) => pattern.test(line));
    const { html: made, next } = (block?.read ?? readParagraph)(lines, at, reading);
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

/** A call in a heading, such as `POST /v1/claim`. */
const CALL = /^`?(?:GET|POST) (\/[^\s`,]+)`?/;

function readHeading(lines: readonly string[], start: number, reading: Reading) {
  const [, marks = '', title = ''] = HEADING.exec(lines[start] as string) ?? [];
  const id = nextAnchor(anchorOf(title), reading);
  const inner = CALL.test(title)
    ? html`<a href="/docs/api#${anchorOf(CALL.exec(title)?.[1] ?? '')}">${title.replaceAll('`', '')}</a>`
    : inline(title, { ...reading, pattern: undefined });
  const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to this section: ${title.replaceAll('`', '')}"><span aria-hidden="true">#</span></a>`;
  const made =
    marks.length <= 2 ? html`<h2 id="${id}">${inner}${anchor}</h2>` : html`<h3 id="${id}">${inner}${anchor}</h3>`;
  return { html: made, next: start + 1 };
}

/** A heading that comes again gets a number, as code hosts give it. */
function nextAnchor(anchor: string, { anchors }: Reading): string {
  const count = anchors.get(anchor) ?? 0;
  anchors.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

function readTable(lines: readonly string[], start: number, reading: Reading) {
  const end = endOf(lines, start, (line) => TABLE_LINE.test(line));
  const [head = [], , ...rows] = lines.slice(start, end).map((line) => cellsOf(line));
  const shown = rows.map((row) => row.map((cell) => inline(cell, reading)));
  return { html: dataTable({ caption: head.join(', '), hidesCaption: true, columns: head, rows: shown }), next: end };
}

function cellsOf(line: string): string[] {
  const inner = line.trim().slice(1, -1);
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function readQuote(lines: readonly string[], start: number, reading: Reading) {
  const end = endOf(lines, start, (line) => QUOTE.test(line));
  const text = lines.slice(start, end).map((line) => line.replace(QUOTE, '$1'));
  return { html: html`<blockquote>${blocksHtml(text.join('\n'), reading)}</blockquote>`, next: end };
}

/** Items with the lines that belong to them; what is indented further is a list of its own. */
function readList(lines: readonly string[], start: number, reading: Reading) {
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
    const inner = nested === -1 ? NOTHING : blocksHtml(more.slice(nested).join('\n'), reading);
    return html`<li>${inline(text, reading)}${inner}</li>`;
  });
  return { html: number === undefined ? html`<ul>${made}</ul>` : html`<ol>${made}</ol>`, next: at };
}

function readParagraph(lines: readonly string[], start: number, reading: Reading) {
  const isText = (line: string) => line.trim() !== '' && !BLOCKS.some(({ pattern }) => pattern.test(line));
  const end = endOf(lines, start, isText);
  const text = lines.slice(start, end).join(' ');
  return { html: html`<p>${inline(text, reading)}</p>`, next: end };
}

function endOf(lines: readonly string[], start: number, belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index > start && !belongs(line));
  return end === -1 ? lines.length : end;
}

const INLINE = /(`+)(.+?)\1(?!`)|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text: string, reading: Reading): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, , codeText, strong, label = '', address = ''] = match;
    parts.push(plainText(text.slice(at, match.index), reading));
    if (codeText !== undefined) parts.push(html`<code>${codeText.trim()}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong, reading)}</strong>`);
    else {
      const target = reading.resolve(address);
      parts.push(target === undefined ? html`${label}` : linkTo(target, label));
    }
    at = match.index + whole.length;
  }
  return html`${parts}${plainText(text.slice(at), reading)}`;
}

/** Explains each term where the text uses it first. */
function plainText(text: string, { terms, pattern, explained }: Reading): Html {
  if (pattern === undefined) return html`${text}`;
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const [word] = match;
    const meaning = terms.get(word.toLowerCase());
    if (meaning === undefined || explained.has(word.toLowerCase())) continue;
    explained.add(word.toLowerCase());
    parts.push(html`${text.slice(at, match.index)}<abbr title="${meaning}">${word}</abbr>`);
    at = match.index + word.length;
  }
  return html`${parts}${text.slice(at)}`;
}

function patternOf(terms: ReadonlyMap<string, string>): RegExp | undefined {
  if (terms.size === 0) return undefined;
  const words = [...terms.keys()].toSorted((a, b) => b.length - a.length).map((term) => RegExp.escape(term));
  return new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi');
}
