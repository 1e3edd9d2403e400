import { type Html, html } from '#kernel/html.ts';
import { visible } from '#web/untrusted.ts';

const OPEN_DEPTH = 1;

/** JSON whose objects and lists open and close; without script too. */
export function jsonTree(value: unknown, name = '', depth = 0): Html {
  if (typeof value !== 'object' || value === null) {
    return html`<div class="json-line">${nameOf(name)}<span class="json-value">${visible(JSON.stringify(value) ?? 'null')}</span></div>`;
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const size = isList ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) {
    return html`<div class="json-line">${nameOf(name)}<span class="json-value">${isList ? '[]' : '{}'}</span></div>`;
  }
  const inner = entries.map(([key, item]) => jsonTree(item, key, depth + 1));
  return html`<details class="json-part"${depth < OPEN_DEPTH ? html` open` : html``}><summary>${nameOf(name)}<span class="json-size">${size}</span></summary>${inner}</details>`;
}

function nameOf(name: string): Html {
  return name === '' ? html`` : html`<span class="json-name">${visible(name)}</span>: `;
}
