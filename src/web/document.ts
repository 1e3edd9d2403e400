import { documentMarkdown, entriesOf, isScalar, type Json, type Scalar } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { badge, card, code, grid, hash, heading, linkTo, timeElement, type Tone } from './components.ts';
import { type NavId, page } from './layout.ts';

export interface DocumentView {
  readonly title: string;
  readonly path: string;
  readonly section?: NavId;
  readonly lead?: string;
}

type Members = readonly (readonly [name: string, value: Json])[];

/** What a cell of a table can hold and still be read in a row: more where there are few columns. */
const [FEW_COLUMNS, LONG_CELL, SHORT_CELL, MAX_COLUMNS] = [3, 260, 90, 9];
const DEEPEST = 1;
/** Rows that stand open, as there are few of them. */
const FEW_ROWS = 3;
const [SMALL_COUNT, SMALL_TEXT] = [8, 24];
const TIME_TEXT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)?$/;
const DIGEST = /^(?:sha256:)?[0-9a-f]{64}$/;

/** The pages of a row whose answer is a document; both show every member of the JSON. */
export function documentPages<O extends object>(
  titleOf: (output: O) => string,
  pathOf: (output: O) => string,
  more: Pick<DocumentView, 'section' | 'lead'> = {},
) {
  return {
    html: (output: O, site: Site) =>
      documentHtml(output, { title: titleOf(output), path: pathOf(output), ...more }, site),
    markdown: (output: O) => documentMarkdown(output, titleOf(output)),
  };
}

/** A document as a page for people: every member under its own name. */
export function documentHtml(document: object, { lead, ...view }: DocumentView, site: Site): string {
  return page({ ...view, body: html`${heading(view.title, lead)}${documentBody(document)}` }, site);
}

/** What every manifest says of itself: read last by people. */
const OF_EVERY_MANIFEST = new Set(['manifest', 'manifest_version', 'service', 'base_url', 'sandbox', 'links']);

/** Plain members first as a list, then every other member under a heading of its own, short ones side by side. */
export function documentBody(document: object): Html {
  const all = entriesOf(document as Json);
  const isManifest = 'manifest_version' in document;
  const about = isManifest ? all.filter(([name]) => OF_EVERY_MANIFEST.has(name)) : [];
  const entries = all.filter((entry) => !about.includes(entry));
  const plain = entries.filter(([, value]) => isScalar(value));
  const nested = entries.filter(([, value]) => !isScalar(value));
  const runs = nested.reduce<Members[]>((made, entry) => {
    const last = made.at(-1);
    const joins = last !== undefined && isSmall(entry[1]) && isSmall(last[0]?.[1] ?? '');
    return joins ? [...made.slice(0, -1), [...last, entry]] : [...made, [entry]];
  }, []);
  return html`${plain.length === 0 ? NOTHING : card({ body: pairs(plain) })}${runs.map((run) => {
    const cards = run.map(([title, value]) => card({ title, body: valueHtml(value) }));
    return cards.length === 1 ? html`${cards}` : grid(cards);
  })}${about.length === 0 ? NOTHING : card({ title: 'About this document', body: pairs(about) })}`;
}

/** Few short words or figures: nothing that needs the whole width. */
function isSmall(value: Json): boolean {
  if (isScalar(value)) return false;
  const items: readonly Json[] = Array.isArray(value) ? value : entriesOf(value).map(([, item]) => item);
  return items.length <= SMALL_COUNT && items.every((item) => isScalar(item) && String(item).length <= SMALL_TEXT);
}

/** Parts within parts within parts stand as they are written. */
export function valueHtml(value: Json, depth = 0): Html {
  if (isScalar(value)) return scalarHtml(value);
  if (depth > DEEPEST && Object.values(value).some((item) => !isScalar(item ?? null)))
    return code(JSON.stringify(value, null, 2), 'JSON');
  if (!Array.isArray(value)) return membersHtml(entriesOf(value), depth);
  if (value.length === 0) return html`<p class="empty-line">None</p>`;
  if (value.every(isScalar)) return html`<ul>${value.map((item) => html`<li>${scalarHtml(item)}</li>`)}</ul>`;
  if (value.some((item) => isScalar(item) || Array.isArray(item))) {
    return html`<ul>${value.map((item) => html`<li>${valueHtml(item, depth + 1)}</li>`)}</ul>`;
  }
  return rowsHtml(
    value.map((item) => entriesOf(item)),
    depth,
  );
}

/** An object of objects, such as incidents by their id, reads as rows. */
function membersHtml(entries: Members, depth: number): Html {
  const isRows = entries.length > 1 && entries.every(([, value]) => !isScalar(value) && !Array.isArray(value));
  const shapes = new Set(isRows ? entries.map(([, value]) => Object.keys(value as object).join()) : []);
  if (shapes.size !== 1) return pairs(entries, depth);
  return rowsHtml(
    entries.map(([name, value]) => [['entry', name], ...entriesOf(value)]),
    depth,
  );
}

/** Short rows as a table; rows with long texts or parts of their own one below the other, to be opened. */
function rowsHtml(rows: readonly Members[], depth: number): Html {
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  const most = names.length <= FEW_COLUMNS ? LONG_CELL : SHORT_CELL;
  const isShort = rows.every((row) => row.every(([, value]) => isCell(value, most)));
  if (!isShort || names.length > MAX_COLUMNS)
    return html`<div class="entries">${rows.map((row) => rowDetails(row, rows.length <= FEW_ROWS, depth))}</div>`;
  const heads = names.map((name) => html`<th scope="col">${name}</th>`);
  const lines = rows.map((row) => {
    const of = new Map(row);
    return html`<tr>${names.map((name) => html`<td>${cellHtml(of.get(name))}</td>`)}</tr>`;
  });
  return html`<div class="table-scroll" role="region" aria-label="${names.join(' ')}" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

function isCell(value: Json, most: number): boolean {
  if (isScalar(value)) return String(value).length <= most;
  return Array.isArray(value) && value.every(isScalar) && value.join(', ').length <= most;
}

/** Members that say in a line what a row is about. */
const TITLES = ['title', 'name', 'question', 'goal', 'what', 'text', 'path'];
const SEVERITIES: Readonly<Record<string, Tone>> = { critical: 'bad', high: 'warn', medium: 'neutral' };

function rowDetails(row: Members, isOpen: boolean, depth: number): Html {
  const first = row[0]?.[1] ?? '';
  if (!isScalar(first)) return pairs(row, depth);
  const of = new Map(row);
  const titles = TITLES.flatMap((name) => of.get(name) ?? []);
  const said = titles.find((value) => typeof value === 'string' && value !== first) ?? '';
  const severity = of.get('severity');
  const mark = typeof severity === 'string' ? badge(severity, SEVERITIES[severity] ?? 'neutral') : NOTHING;
  const summary = html`${String(first)} ${mark}<span class="summary-note">${typeof said === 'string' ? said : ''}</span>`;
  return html`<details${isOpen ? html` open` : NOTHING}><summary>${summary}</summary>${pairs(row, depth)}</details>`;
}

function pairs(entries: Members, depth = 0): Html {
  return html`<dl class="pairs">${entries.map(([name, item]) => html`<dt>${name}</dt><dd>${valueHtml(item, depth + 1)}</dd>\n`)}</dl>`;
}

function cellHtml(cell: Json | undefined): Html {
  if (cell === undefined) return NOTHING;
  return isScalar(cell) ? scalarHtml(cell) : html`${(cell as readonly Scalar[]).join(', ')}`;
}

function scalarHtml(value: Scalar): Html {
  const text = String(value);
  if (TIME_TEXT.test(text)) return timeElement(text, text);
  if (DIGEST.test(text)) return hash(text);
  if (text.includes('\n')) return html`<pre tabindex="0">${text}</pre>`;
  return linkTo(text);
}
