import { documentMarkdown, entriesOf, isScalar, type Json, type Scalar } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { heading, link, time } from './components.ts';
import { type NavId, page } from './layout.ts';

export interface DocumentView {
  readonly title: string;
  readonly path: string;
  readonly section?: NavId;
  readonly lead?: string;
}

type Members = readonly (readonly [name: string, value: Json])[];

/** What a cell of a table can hold and still be read in a row. */
const LONG_TEXT = 90;
const TIME_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

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

/** Plain members first as a list, then every other member under a heading of its own. */
export function documentBody(document: object): Html {
  const entries = entriesOf(document as Json);
  const plain = entries.filter(([, value]) => isScalar(value));
  const nested = entries.filter(([, value]) => !isScalar(value));
  return html`${plain.length === 0 ? NOTHING : html`<section class="card"><div class="card-body">${pairs(plain)}</div></section>`}${nested.map(
    ([name, value]) =>
      html`<section class="card"><div class="card-head"><h2>${name}</h2></div><div class="card-body">${valueHtml(value)}</div></section>\n`,
  )}`;
}

export function valueHtml(value: Json): Html {
  if (isScalar(value)) return scalarHtml(value);
  if (!Array.isArray(value)) return membersHtml(entriesOf(value));
  if (value.length === 0) return html`<p class="empty-line">none</p>`;
  if (value.every(isScalar)) return html`<ul>${value.map((item) => html`<li>${scalarHtml(item)}</li>`)}</ul>`;
  if (value.some((item) => isScalar(item) || Array.isArray(item))) {
    return html`<ul>${value.map((item) => html`<li>${valueHtml(item)}</li>`)}</ul>`;
  }
  return rowsHtml(value.map((item) => entriesOf(item)));
}

/** An object of objects, such as incidents by their id, reads as rows. */
function membersHtml(entries: Members): Html {
  const isRows = entries.length > 1 && entries.every(([, value]) => !isScalar(value) && !Array.isArray(value));
  if (!isRows) return pairs(entries);
  return rowsHtml(entries.map(([name, value]) => [['entry', name], ...entriesOf(value)]));
}

/** Short rows as a table; rows with long texts or parts of their own one below the other, to be opened. */
function rowsHtml(rows: readonly Members[]): Html {
  const isShort = rows.every((row) => row.every(([, value]) => isCell(value)));
  if (!isShort) return html`<div class="entries">${rows.map(rowDetails)}</div>`;
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))];
  const heads = names.map((name) => html`<th scope="col">${name}</th>`);
  const lines = rows.map((row) => {
    const of = new Map(row);
    return html`<tr>${names.map((name) => html`<td>${cellHtml(of.get(name))}</td>`)}</tr>`;
  });
  return html`<div class="table-scroll" role="region" aria-label="${names.join(' ')}" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

function isCell(value: Json): boolean {
  if (isScalar(value)) return String(value).length <= LONG_TEXT;
  return Array.isArray(value) && value.every(isScalar) && value.join(', ').length <= LONG_TEXT;
}

function rowDetails(row: Members): Html {
  const [[name, first] = ['', ''], ...rest] = row;
  if (!isScalar(first)) return pairs(row);
  const said = rest.find(([, value]) => isScalar(value) && String(value).length <= LONG_TEXT)?.[1] ?? '';
  const summary = html`<summary>${name === 'entry' ? NOTHING : html`<span class="muted">${name}</span> `}${String(first)}<span class="summary-note">${isScalar(said) ? String(said) : ''}</span></summary>`;
  return html`<details>${summary}${pairs(rest)}</details>`;
}

function pairs(entries: Members): Html {
  return html`<dl class="pairs">${entries.map(([name, item]) => html`<dt>${name}</dt><dd>${valueHtml(item)}</dd>\n`)}</dl>`;
}

function cellHtml(cell: Json | undefined): Html {
  if (cell === undefined) return NOTHING;
  return isScalar(cell) ? scalarHtml(cell) : html`${(cell as readonly Scalar[]).join(', ')}`;
}

function scalarHtml(value: Scalar): Html {
  const text = String(value);
  if (TIME_TEXT.test(text)) return time(text, text);
  if (text.includes('\n')) return html`<pre tabindex="0">${text}</pre>`;
  return link(text);
}
