import {
  documentMarkdown,
  type DocumentWording,
  entriesOf,
  isScalar,
  type Json,
  type Scalar,
} from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { badge, card, code, dataTable, grid, hash, heading, linkTo, type Tone } from './components.ts';
import { type NavId, page } from './layout.ts';
import { whenExact } from './times.ts';
import { visible } from './untrusted.ts';

export interface DocumentView {
  readonly title: string;
  readonly path: string;
  readonly section?: NavId;
  readonly lead?: string;
  readonly wording?: DocumentWording;
}

type Members = readonly (readonly [name: string, value: Json])[];

/** What a cell of a table can hold and still be read in a row: more where there are few columns. */
const [FEW_COLUMNS, LONG_CELL, SHORT_CELL, MAX_COLUMNS] = [4, 260, 90, 9];
const PAIR = 2;
const DEEPEST = 1;
/** Rows that stand open, as there are few of them. */
const FEW_ROWS = 3;
const [SMALL_COUNT, SMALL_TEXT] = [8, 24];
const TIME_TEXT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)?$/;
const DIGEST = /^(?:sha256:)?[0-9a-f]{64}$/;
/** A name of the API, such as a code or a field. */
const WIRE_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;
/** An id, a key or a signature: nothing that people read. */
const OPAQUE = /^[A-Za-z0-9_+/=-]{25,}$/;
/** Words of member names that are written otherwise. */
const SPELLINGS: Readonly<Record<string, string>> = {
  url: 'URL',
  id: 'ID',
  ids: 'IDs',
  usd: 'USD',
  eur: 'EUR',
  mcp: 'MCP',
  api: 'API',
  sha256: 'SHA-256',
  ttl: 'TTL',
  rev: 'revision',
  ev: 'expected value',
  s: 'seconds',
};

/** The pages of a row whose answer is a document; both show every member of the JSON. */
export function documentPages<O extends object>(
  titleOf: (output: O) => string,
  pathOf: (output: O) => string,
  more: Pick<DocumentView, 'section' | 'lead' | 'wording'> = {},
) {
  return {
    html: (output: O, site: Site) =>
      documentHtml(output, { title: titleOf(output), path: pathOf(output), ...more }, site),
    markdown: (output: O) => documentMarkdown(output, titleOf(output)),
  };
}

/** A document as a page for people. */
export function documentHtml(document: object, { lead, wording, ...view }: DocumentView, site: Site): string {
  const body = html`${heading(view.title, lead)}${documentBody(document, wording)}${machineReadable(view.path)}`;
  return page({ ...view, body }, site);
}

/** Where programs read the same. */
export function machineReadable(path: string): Html {
  const address = `${path}${path.includes('?') ? '&' : '?'}format=`;
  return html`<p class="machine-readable">Machine-readable: <a href="${address}json">JSON</a> · <a href="${address}md">Markdown</a></p>`;
}

/** The name of a member as people write it. */
function memberLabel(name: string, { labels = {} }: DocumentWording = {}): string {
  if (Object.hasOwn(labels, name)) return labels[name] as string;
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return name;
  const words = name.split('_').map((word) => (Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What every manifest says of itself: read last by people. */
const OF_EVERY_MANIFEST = new Set(['manifest', 'manifest_version', 'service', 'base_url', 'sandbox', 'links']);

/** Plain members first as a list, then every other member under a title, short ones side by side. */
export function documentBody(document: object, wording: DocumentWording = {}): Html {
  const { hides = [], notes = {} } = wording;
  const all = entriesOf(document as Json).filter(([name]) => !hides.includes(name));
  const isManifest = 'manifest_version' in document;
  const about = isManifest ? all.filter(([name]) => OF_EVERY_MANIFEST.has(name)) : [];
  const entries = all.filter((entry) => !about.includes(entry));
  const plain = entries.filter(([, value]) => isScalar(value) && !(wording.hidesEmpty && value === null));
  const nested = entries.filter(([, value]) => !isScalar(value));
  const runs = nested.reduce<Members[]>((made, entry) => {
    const last = made.at(-1);
    const joins = last !== undefined && isSmall(entry[1]) && isSmall(last[0]?.[1] ?? '');
    return joins ? [...made.slice(0, -1), [...last, entry]] : [...made, [entry]];
  }, []);
  const part = ([name, value]: Members[number]) => {
    const note = Object.hasOwn(notes, name) ? html`<p class="muted">${notes[name] ?? ''}</p>` : NOTHING;
    const shown = isMap(name, value, wording) ? mapHtml(name, value, wording) : valueHtml(value, 0, wording);
    return card({ title: memberLabel(name, wording), body: html`${note}${shown}` });
  };
  return html`${plain.length === 0 ? NOTHING : card({ body: pairs(plain, 0, wording) })}${runs.map((run) => {
    const cards = run.map(part);
    return cards.length === 1 ? html`${cards}` : grid(cards);
  })}${about.length === 0 ? NOTHING : card({ title: 'About this document', body: pairs(about, 0, wording) })}`;
}

/** A map with a label for each of its two columns. */
function mapHtml(name: string, value: Json, wording: DocumentWording): Html {
  const columns = wording.maps?.[name] ?? ['Name', 'Value'];
  return dataTable({
    caption: memberLabel(name, wording),
    hidesCaption: true,
    columns,
    rows: entriesOf(value).map(([key, item]) => [keyHtml(key), valueHtml(item, 1, wording)]),
  });
}

/** A key of a map is a value that people read: a name of the API stays as it is written. */
function keyHtml(key: string): Html {
  return WIRE_NAME.test(key) ? nameHtml(key) : html`${key.charAt(0).toUpperCase() + key.slice(1)}`;
}

function nameHtml(name: string): Html {
  return WIRE_NAME.test(name) ? html`<code>${name}</code>` : html`${name}`;
}

/** Few short words or figures: nothing that needs the whole width. */
function isSmall(value: Json): boolean {
  if (isScalar(value)) return false;
  const items: readonly Json[] = Array.isArray(value) ? value : entriesOf(value).map(([, item]) => item);
  return items.length <= SMALL_COUNT && items.every((item) => isScalar(item) && String(item).length <= SMALL_TEXT);
}

/** Parts within parts within parts stand as they are written. */
export function valueHtml(value: Json, depth = 0, wording: DocumentWording = {}): Html {
  if (isScalar(value)) return scalarHtml(value);
  if (depth > DEEPEST && Object.values(value).some((item) => !isScalar(item ?? null)))
    return code(JSON.stringify(value, null, 2), 'JSON');
  if (!Array.isArray(value)) return membersHtml(entriesOf(value), depth, wording);
  if (value.length === 0) return html`<p class="empty-line">None</p>`;
  if (value.every(isScalar)) return html`<ul>${value.map((item) => html`<li>${scalarHtml(item)}</li>`)}</ul>`;
  if (value.some((item) => isScalar(item) || Array.isArray(item))) {
    return html`<ul>${value.map((item) => html`<li>${valueHtml(item, depth + 1, wording)}</li>`)}</ul>`;
  }
  return rowsHtml(
    value.map((item) => entriesOf(item)),
    depth,
    wording,
  );
}

/** An object of objects, such as incidents by their id, reads as rows. */
function membersHtml(entries: Members, depth: number, wording: DocumentWording): Html {
  const isRows = entries.length > 1 && entries.every(([, value]) => !isScalar(value) && !Array.isArray(value));
  const shapes = new Set(isRows ? entries.map(([, value]) => Object.keys(value as object).join()) : []);
  if (shapes.size !== 1) return pairs(entries, depth, wording);
  return rowsHtml(
    entries.map(([name, value]) => [['entry', name], ...entriesOf(value)]),
    depth,
    wording,
  );
}

/** Short rows as a table; rows with long texts or parts of their own one below the other, to be opened. */
function rowsHtml(rows: readonly Members[], depth: number, wording: DocumentWording): Html {
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  const most = names.length <= FEW_COLUMNS ? LONG_CELL : SHORT_CELL;
  const isShort = rows.every((row) => row.every(([, value]) => isCell(value, most)));
  if (!isShort || names.length > MAX_COLUMNS)
    return html`<div class="entries">${rows.map((row) => rowDetails(row, rows.length <= FEW_ROWS, depth, wording))}</div>`;
  const columns = names.map((name) => memberLabel(name, wording));
  return dataTable({
    caption: columns.join(', '),
    hidesCaption: true,
    columns,
    rows: rows.map((row) => {
      const of = new Map(row);
      return names.map((name) => cellHtml(of.get(name)));
    }),
  });
}

function isCell(value: Json, most: number): boolean {
  if (isScalar(value)) return String(value).length <= most;
  if (!Array.isArray(value)) return false;
  if (value.every(isScalar)) return value.join(', ').length <= most;
  return value.every(isPair) && value.every((item) => Object.values(item as object).join(': ').length <= most);
}

/** A code and what it means: short enough for a line of a cell. */
function isPair(item: Json): boolean {
  const values = isScalar(item) || Array.isArray(item) ? [] : entriesOf(item).map(([, value]) => value);
  return values.length === PAIR && values.every(isScalar);
}

/** Members that say in a line what a row is about. */
const TITLES = ['title', 'name', 'question', 'goal', 'what', 'text', 'path', 'untrusted_title', 'key'];
const SEVERITIES: Readonly<Record<string, Tone>> = { critical: 'bad', high: 'warn', medium: 'neutral' };

function rowDetails(row: Members, isOpen: boolean, depth: number, wording: DocumentWording): Html {
  const of = new Map(row);
  const titles = TITLES.flatMap((name) => {
    const value = of.get(name) ?? [];
    return name.startsWith('untrusted_') && typeof value === 'string' ? `“${value}”` : value;
  });
  const begin = row[0]?.[1] ?? '';
  // A yes or no that happens to come first names nothing.
  const first = typeof begin === 'boolean' ? (titles[0] ?? begin) : begin;
  if (!isScalar(first)) return pairs(row, depth, wording);
  const said = titles.find((value) => typeof value === 'string' && value !== first) ?? '';
  const severity = of.get('severity');
  const mark = typeof severity === 'string' ? badge(severity, SEVERITIES[severity] ?? 'neutral') : NOTHING;
  const summary = html`${nameHtml(visible(String(first)))} ${mark}<span class="summary-note"><bdi>${typeof said === 'string' ? visible(said) : ''}</bdi></span>`;
  return html`<details${isOpen ? html` open` : NOTHING}><summary>${summary}</summary>${pairs(row, depth, wording)}</details>`;
}

function pairs(entries: Members, depth: number, wording: DocumentWording): Html {
  return html`<dl class="pairs">${entries.map(([name, item]) => {
    const shown = isMap(name, item, wording) ? mapHtml(name, item, wording) : valueHtml(item, depth + 1, wording);
    return html`<dt>${memberLabel(name, wording)}</dt><dd>${shown}</dd>\n`;
  })}</dl>`;
}

function isMap(name: string, value: Json, { maps = {} }: DocumentWording): boolean {
  return Object.hasOwn(maps, name) && !isScalar(value) && !Array.isArray(value);
}

function cellHtml(cell: Json | undefined): Html {
  if (cell === undefined) return NOTHING;
  if (isScalar(cell)) return scalarHtml(cell);
  const items = cell as readonly Json[];
  if (items.every(isScalar))
    return html`${items.map((item, index) => html`${index === 0 ? NOTHING : ', '}${scalarHtml(item)}`)}`;
  const lines = items.map((item) => Object.values(item as Record<string, Scalar>).map(scalarHtml));
  return html`<ul class="cell-list">${lines.map(([first, second]) => html`<li>${first ?? ''}: ${second ?? ''}</li>`)}</ul>`;
}

const PLAIN_WORDS = new Map<Scalar, string>([
  [true, 'Yes'],
  [false, 'No'],
  [null, '–'],
]);

function scalarHtml(value: Scalar): Html {
  const text = PLAIN_WORDS.get(value) ?? String(value);
  if (TIME_TEXT.test(text)) return whenExact(text);
  if (DIGEST.test(text)) return hash(text);
  if (text.includes('\n')) return html`<pre tabindex="0">${text}</pre>`;
  if (OPAQUE.test(text) && /\d/.test(text)) return hash(text);
  if (WIRE_NAME.test(text)) return html`<code>${text}</code>`;
  return OPAQUE.test(text) ? linkTo(text, html`<code>${text}</code>`) : linkTo(text);
}
