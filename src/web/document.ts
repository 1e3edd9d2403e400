import { documentMarkdown, entriesOf, isScalar, type Json, type Scalar, tableOf } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { heading, link, time } from './components.ts';
import { type NavId, page } from './layout.ts';

export interface DocumentView {
  readonly title: string;
  readonly path: string;
  readonly section?: NavId;
}

const TIME_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** The pages of a row whose answer is a document; both show every member of the JSON. */
export function documentPages<O extends object>(
  titleOf: (output: O) => string,
  pathOf: (output: O) => string,
  section?: NavId,
) {
  const viewOf = (output: O) => ({ title: titleOf(output), path: pathOf(output), ...(section && { section }) });
  return {
    html: (output: O, site: Site) => documentHtml(output, viewOf(output), site),
    markdown: (output: O) => documentMarkdown(output, titleOf(output)),
  };
}

/** A document as a page for people: every member under its own name. */
export function documentHtml(document: object, view: DocumentView, site: Site): string {
  return page({ ...view, body: html`${heading(view.title)}${documentBody(document)}` }, site);
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
  if (!Array.isArray(value)) return pairs(entriesOf(value));
  if (value.length === 0) return html`<p class="empty-line">none</p>`;
  const table = tableOf(value);
  if (table === undefined) return html`<ul>${value.map((item) => html`<li>${valueHtml(item)}</li>`)}</ul>`;
  const heads = table.names.map((name) => html`<th scope="col">${name}</th>`);
  const rows = table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cellHtml(cell)}</td>`)}</tr>`);
  return html`<div class="table-scroll" role="region" aria-label="${table.names.join(', ')}" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function pairs(entries: readonly (readonly [name: string, value: Json])[]): Html {
  return html`<dl class="pairs">${entries.map(([name, item]) => html`<dt>${name}</dt><dd>${valueHtml(item)}</dd>\n`)}</dl>`;
}

function cellHtml(cell: Scalar | undefined): Html {
  return cell === undefined ? NOTHING : scalarHtml(cell);
}

function scalarHtml(value: Scalar): Html {
  const text = String(value);
  if (TIME_TEXT.test(text)) return time(text, text);
  if (text.includes('\n')) return html`<pre tabindex="0">${text}</pre>`;
  return link(text);
}
