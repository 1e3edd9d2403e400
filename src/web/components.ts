import { type Html, html, NOTHING } from '#kernel/html.ts';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

/** Top of a page: what it is, in a line what for, and what can be done. */
export function heading(title: string, lead?: Html | string, actions: readonly Html[] = []): Html {
  return html`<div class="page-head"><div><h1>${title}</h1>${lead === undefined ? NOTHING : html`<p class="lead">${lead}</p>`}</div>${
    actions.length === 0 ? NOTHING : html`<div class="actions">${actions}</div>`
  }</div>`;
}

export interface CardParts {
  readonly title?: string;
  readonly body: Html;
  /** Beside the title. */
  readonly aside?: Html;
  readonly id?: string;
}

export function card({ title, body, aside = NOTHING, id }: CardParts): Html {
  const top = title === undefined ? NOTHING : html`<div class="card-head"><h2>${title}</h2>${aside}</div>`;
  return html`<section class="card"${id === undefined ? NOTHING : html` id="${id}"`}>${top}<div class="card-body">${body}</div></section>`;
}

/** Cards side by side where there is room. */
export function grid(cards: readonly Html[]): Html {
  return html`<div class="grid">${cards}</div>`;
}

export interface Stat {
  readonly label: string;
  readonly value: string | number | Html;
  readonly note?: string | Html;
}

/** Figures in a row; all have the same height, so that a new value moves nothing. */
export function stats(list: readonly Stat[]): Html {
  return html`<dl class="stats">${list.map(stat)}</dl>`;
}

function stat({ label, value, note = '' }: Stat): Html {
  return html`<div class="stat"><dt>${label}</dt><dd><span class="stat-value">${value}</span><span class="stat-note">${note}</span></dd></div>`;
}

interface Column {
  readonly label: string;
  readonly align?: 'number';
}

export interface TableParts {
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  readonly rows: readonly (readonly (Html | string | number)[])[];
  /** Said instead of an empty table. */
  readonly empty?: string;
  /** Leaves the caption to readers of the screen where a heading says the same. */
  readonly hidesCaption?: boolean;
}

/** Scrolls in itself on small screens; the first cell of a row names it. */
export function dataTable({
  caption,
  columns,
  rows,
  empty = 'Nothing here yet.',
  hidesCaption = false,
}: TableParts): Html {
  if (rows.length === 0) return html`<p class="empty-line">${empty}</p>`;
  const classOf = (index: number) => {
    const column = columns[index];
    return typeof column === 'object' && column.align === 'number' ? html` class="num"` : NOTHING;
  };
  const heads = columns.map(
    (column, index) =>
      html`<th scope="col"${classOf(index)}>${typeof column === 'string' ? column : column.label}</th>`,
  );
  const cell = (value: Html | string | number, index: number) =>
    index === 0 ? html`<th scope="row">${value}</th>` : html`<td${classOf(index)}>${value}</td>`;
  const lines = rows.map((row) => html`<tr>${row.map(cell)}</tr>`);
  return html`<div class="table-scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption${
    hidesCaption ? html` class="visually-hidden"` : NOTHING
  }>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** A word with a colour; the word alone says it too. */
export function badge(word: string, tone: Tone = 'neutral'): Html {
  return html`<span class="badge badge-${tone}">${word}</span>`;
}

const LIGHTS: Readonly<Record<string, Tone>> = {
  green: 'good',
  amber: 'warn',
  red: 'bad',
  up: 'good',
  operational: 'good',
  ok: 'good',
  closed: 'good',
  fresh: 'good',
  degraded: 'warn',
  half_open: 'warn',
  stale: 'warn',
  down: 'bad',
  outage: 'bad',
  open: 'bad',
};

/** The state of something by its word, with the colour that the word has everywhere. */
export function light(word: string, tone: Tone = LIGHTS[word] ?? 'neutral'): Html {
  return html`<span class="badge badge-${tone}"><span class="dot" aria-hidden="true"></span>${word.replaceAll('_', ' ')}</span>`;
}

/** Text to take along as it is. The button appears where script runs. */
export function code(text: string, label = 'Code'): Html {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre><button type="button" class="copy" data-copy hidden>Copy</button></div>`;
}

export function keyValues(entries: readonly (readonly [name: string, value: Html | string | number])[]): Html {
  return html`<dl class="pairs">${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

export function notice(tone: Tone, body: Html | string): Html {
  return html`<div class="notice notice-${tone}"${tone === 'bad' ? html` role="alert"` : NOTHING}>${
    typeof body === 'string' ? html`<p>${body}</p>` : body
  }</div>`;
}

/** Panels of which one shows: radio buttons and a style sheet, no script. At most six. */
export function tabs(id: string, panels: readonly { readonly label: string; readonly body: Html }[]): Html {
  const choices = panels.map(
    ({ label }, index) =>
      html`<input type="radio" name="${id}" id="${id}-${index}"${index === 0 ? html` checked` : NOTHING}><label for="${id}-${index}">${label}</label>`,
  );
  return html`<fieldset class="tabs"><legend class="visually-hidden">${id}</legend>${choices}${panels.map(
    ({ body }) => html`<div class="panel">${body}</div>`,
  )}</fieldset>`;
}

export interface TimelineEntry {
  readonly at: string | null;
  readonly title: Html | string;
  readonly body?: Html;
  readonly tone?: Tone;
}

export function timeline(moments: readonly TimelineEntry[]): Html {
  return html`<ol class="timeline">${moments.map(
    ({ at, title, body = NOTHING, tone = 'neutral' }) =>
      html`<li class="tone-${tone}"><p class="moment">${title}${at === null ? NOTHING : html` ${timeElement(at)}`}</p>${body}</li>`,
  )}</ol>`;
}

export interface Pager {
  readonly label?: string;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** Where the reader is, such as `21 to 40 of 90`. */
  readonly position?: string;
}

export function pager({ label = 'Pages', previous, next, position = '' }: Pager): Html {
  const step = (href: string | undefined, rel: string, word: string) =>
    href === undefined
      ? html`<span class="button" aria-disabled="true">${word}</span>`
      : html`<a class="button" rel="${rel}" href="${href}">${word}</a>`;
  return html`<nav class="pager" aria-label="${label}">${step(previous, 'prev', 'Previous')}<span>${position}</span>${step(next, 'next', 'Next')}</nav>`;
}

/** A digest or an id: monospace, and it breaks anywhere rather than widen the page. */
export function hash(text: string, href?: string): Html {
  return href === undefined
    ? html`<code class="hash">${text}</code>`
    : html`<a class="hash" href="${href}"><code>${text}</code></a>`;
}

const FOR_PEOPLE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium', timeZone: 'UTC' });

/** ISO for all, with the words of a calendar on demand. */
export function timeElement(iso: string, shown: string = iso.replace(/\.\d+(?=Z$)/, '')): Html {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return html`${iso}`;
  const title = iso.includes('T') ? html` title="${FOR_PEOPLE.format(atMs)} UTC"` : NOTHING;
  return html`<time datetime="${iso}"${title}>${shown}</time>`;
}

export function emptyState(title: string, hint: Html | string, action: Html = NOTHING): Html {
  return html`<div class="empty"><p class="empty-title">${title}</p><p>${hint}</p>${action}</div>`;
}

const LOCAL_PATH = /^\/(?![/\\])[^\s<>"'`|\\]*$/;
const OUTSIDE = /^https:\/\/[^\s<>"'`|\\]+$/;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:[/?#][^\s<>"'`|\\]*)?$/;

/** A link where the address is a path of ours or https; anything else stays text. */
export function linkTo(address: string, text: string = address): Html {
  if (LOCAL_PATH.test(address)) return html`<a href="${address}">${text}</a>`;
  if (LOOPBACK.test(address)) return html`<a href="${address}">${text}</a>`;
  if (!OUTSIDE.test(address)) return html`${text}`;
  return html`<a href="${address}" rel="nofollow noopener noreferrer">${text}</a>`;
}

/** A button that is a link, or the button of a form. */
export function button(
  label: string,
  { href, kind = 'primary' }: { href?: string; kind?: 'primary' | 'plain' | 'danger' } = {},
): Html {
  return href === undefined
    ? html`<button class="button button-${kind}">${label}</button>`
    : html`<a class="button button-${kind}" href="${href}">${label}</a>`;
}

/** One series per name over the same times; the table beside it must show the same numbers. */
export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

/** Drawn by charts.js where script runs; without it nothing is shown, and the table stands. */
export function chart(data: Chart): Html {
  return html`<figure class="chart" data-chart="${JSON.stringify(data)}"><figcaption>${data.title} <span class="unit">${data.unit}</span></figcaption></figure>`;
}
