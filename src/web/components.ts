import { type Html, html, NOTHING } from '#kernel/html.ts';
import { labelOf, type Tone, toneOf } from './labels.ts';
import { whenExact } from './times.ts';

export type { Tone } from './labels.ts';

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
  /** Where the figure comes from. */
  readonly href?: string;
}

/** Figures in a row; all have the same height, so that a new value moves nothing. */
export function stats(list: readonly Stat[]): Html {
  return html`<dl class="stats">${list.map(stat)}</dl>`;
}

function stat({ label, value, note = '', href }: Stat): Html {
  const shown = href === undefined ? html`${value}` : html`<a href="${href}">${value}</a>`;
  return html`<div class="stat"><dt>${label}</dt><dd><span class="stat-value">${shown}</span><span class="stat-note">${note}</span></dd></div>`;
}

interface Column {
  readonly label: string;
  readonly align?: 'number';
  /** Buttons of the row: at the end of its card on phones. */
  readonly kind?: 'actions';
}

type Cell = Html | string | number;

interface TableRow {
  readonly cells: readonly Cell[];
  /** Hashes, full ids and the like: in a row that opens. */
  readonly details?: Html;
}

export interface TableParts {
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  readonly rows: readonly (readonly Cell[] | TableRow)[];
  /** Said instead of an empty table. */
  readonly empty?: string;
  /** Leaves the caption to readers of the screen where a heading says the same. */
  readonly hidesCaption?: boolean;
}

/** Each row is a card on small screens; the roles keep it a table there. The first cell of a row names it. */
export function dataTable(parts: TableParts): Html {
  const { caption, rows, empty = 'Nothing here yet.', hidesCaption = false } = parts;
  if (rows.length === 0) return html`<p class="empty-line">${empty}</p>`;
  const columns = parts.columns.map((column): Column => (typeof column === 'string' ? { label: column } : column));
  const heads = columns.map(
    (column) => html`<th scope="col" role="columnheader"${classOf(column)}>${columnHead(column)}</th>`,
  );
  const lines = rows.map((row) => tableRow('cells' in row ? row : { cells: row }, columns));
  return html`<div class="table-scroll" role="region" aria-label="${caption}" tabindex="0"><table class="cards" role="table"><caption${
    hidesCaption ? html` class="visually-hidden"` : NOTHING
  }>${caption}</caption><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">${lines}</tbody></table></div>`;
}

function columnHead({ label, kind }: Column): Html {
  return kind === 'actions' ? html`<span class="visually-hidden">${label || 'Actions'}</span>` : html`${label}`;
}

function classOf({ align, kind }: Column): Html {
  if (kind === 'actions') return html` class="row-actions"`;
  return align === 'number' ? html` class="num"` : NOTHING;
}

function tableRow({ cells, details }: TableRow, columns: readonly Column[]): Html {
  const cell = (value: Cell, index: number) => {
    const column = columns[index] ?? { label: '' };
    if (index === 0)
      return html`<th scope="row" role="rowheader"${classOf(column)} data-label="${column.label}">${value}</th>`;
    const label = column.kind === 'actions' ? NOTHING : html` data-label="${column.label}"`;
    return html`<td role="cell"${classOf(column)}${label}>${value}</td>`;
  };
  const line = html`<tr role="row">${cells.map(cell)}</tr>`;
  if (details === undefined) return line;
  return html`${line}<tr role="row" class="row-details"><td role="cell" colspan="${columns.length}"><details><summary>Details</summary>${details}</details></td></tr>`;
}

/** A word with a colour; the word alone says it too. */
export function badge(word: string, tone: Tone = 'neutral'): Html {
  return html`<span class="badge badge-${tone}">${word}</span>`;
}

/** The state of something: a dot and a word, by the table of labels. */
export function pill(value: string, { tone = toneOf(value), label = labelOf(value) }: Partial<Pill> = {}): Html {
  return html`<span class="badge badge-${tone}" title="${value}"><span class="dot" aria-hidden="true"></span>${label}</span>`;
}

interface Pill {
  readonly tone: Tone;
  readonly label: string;
}

/** Text to take along as it is. The button appears where script runs. */
export function code(text: string, label = 'Code'): Html {
  return html`<div class="code"><button type="button" class="copy" data-copy data-scripted>Copy</button><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></div>`;
}

export function keyValues(entries: readonly (readonly [name: string, value: Html | string | number])[]): Html {
  return html`<dl class="pairs">${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

export function notice(tone: Tone, body: Html | string): Html {
  return html`<div class="notice notice-${tone}"${tone === 'bad' ? html` role="alert"` : NOTHING}>${
    typeof body === 'string' ? html`<p>${body}</p>` : body
  }</div>`;
}

interface Panel {
  readonly label: string;
  readonly body: Html;
  /** Why there is nothing to show; its panel says it. */
  readonly missing?: string;
  /** The language that site.js remembers. */
  readonly language?: string;
}

/** Panels of which one shows: radio buttons and a style sheet, no script. At most six. */
export function tabs(id: string, panels: readonly Panel[], title = id): Html {
  const first = panels.findIndex(({ missing }) => missing === undefined);
  const choices = panels.map(({ label, missing, language }, index) => {
    const state = index === first ? html` checked` : NOTHING;
    const remembered = language === undefined ? NOTHING : html` data-language="${language}"`;
    const name = missing === undefined ? html`${label}` : html`<s>${label}</s>`;
    return html`<input type="radio" name="${id}" id="${id}-${index}"${state}${remembered}><label for="${id}-${index}">${name}</label>`;
  });
  return html`<fieldset class="tabs"><legend class="visually-hidden">${title}</legend>${choices}${panels.map(
    ({ body, missing }) =>
      html`<div class="panel">${missing === undefined ? body : html`<p class="empty-line">${missing}</p>`}</div>`,
  )}</fieldset>`;
}

const LANGUAGES = {
  curl: { label: 'curl', missing: 'There is no HTTP call for this.' },
  ts: { label: 'TypeScript', missing: 'The TypeScript client has no function for this call.' },
  mcp: { label: 'MCP', missing: 'There is no MCP tool for this call. Use one of the other tabs.' },
  cli: { label: 'CLI', missing: 'There is no command for this call. Use one of the other tabs.' },
} as const;

/** The same call in several languages; the choice is remembered. One that does not exist is shown as such. */
export function codeTabs(id: string, texts: Readonly<Partial<Record<keyof typeof LANGUAGES, string>>>): Html {
  const panels = Object.entries(LANGUAGES).map(([language, { label, missing }]): Panel => {
    const text = texts[language as keyof typeof LANGUAGES];
    if (text === undefined) return { label, body: NOTHING, missing };
    return { label, body: code(text, label), language };
  });
  return html`<div class="code-tabs">${tabs(id, panels, 'Language')}</div>`;
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
      html`<li class="tone-${tone}"><p class="moment">${title}${at === null ? NOTHING : html` ${whenExact(at)}`}</p>${body}</li>`,
  )}</ol>`;
}

export interface Pager {
  readonly label?: string;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** Where the reader is, such as `21 to 40 of 90`. */
  readonly position?: string;
  /** What the two links are called. */
  readonly words?: readonly [previous: string, next: string];
}

export function pager({ label = 'Pages', previous, next, position = '', words = ['Previous', 'Next'] }: Pager): Html {
  const step = (href: string | undefined, rel: string, word: string) =>
    href === undefined
      ? html`<span class="button" aria-disabled="true">${word}</span>`
      : html`<a class="button" rel="${rel}" href="${href}">${word}</a>`;
  return html`<nav class="pager" aria-label="${label}">${step(previous, 'prev', words[0])}<span>${position}</span>${step(next, 'next', words[1])}</nav>`;
}

/** A digest or an id: monospace, and it breaks anywhere rather than widen the page. */
export function hash(text: string, href?: string): Html {
  return href === undefined
    ? html`<code class="hash">${text}</code>`
    : html`<a class="hash" href="${href}"><code>${text}</code></a>`;
}

export function emptyState(title: string, hint: Html | string, action: Html = NOTHING): Html {
  return html`<div class="empty"><p class="empty-title">${title}</p><p>${hint}</p>${action}</div>`;
}

const LOCAL_PATH = /^\/(?![/\\])[^\s<>"'`|\\]*$/;
const OUTSIDE = /^https:\/\/[^\s<>"'`|\\]+$/;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:[/?#][^\s<>"'`|\\]*)?$/;

/** A link where the address is a path of ours or https; anything else stays text. */
export function linkTo(address: string, text: string | Html = address): Html {
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
  return html`<figure class="chart" data-chart="${JSON.stringify(data)}" hx-morph-skip-children><figcaption>${data.title} <span class="unit">${data.unit}</span></figcaption></figure>`;
}

export interface Step {
  readonly label: string;
  readonly state: 'done' | 'current' | 'todo';
}

const STEP_WORDS = { done: 'Done: ', current: 'Now: ', todo: 'To do: ' } as const;

/** Where one is in something that has a few steps. */
export function steps(list: readonly Step[], name: string): Html {
  const items = list.map(
    ({ label, state }) =>
      html`<li class="step step-${state}"${state === 'current' ? html` aria-current="step"` : NOTHING}><span class="visually-hidden">${STEP_WORDS[state]}</span>${label}</li>`,
  );
  return html`<ol class="steps" aria-label="${name}">${items}</ol>`;
}

/** The way here: links to what is above, and the page itself. */
export function crumbs(above: readonly { readonly href: string; readonly label: string }[], current: string): Html {
  const links = above.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`);
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${links}<li aria-current="page">${current}</li></ol></nav>`;
}

interface Choice {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** A filter or a range whose choices are addresses. */
export function segmented(name: string, choices: readonly Choice[]): Html {
  const links = choices.map(
    ({ label, href, isCurrent }) =>
      html`<a href="${href}"${isCurrent ? html` aria-current="true"` : NOTHING}>${label}</a>`,
  );
  return html`<nav class="segmented" aria-label="${name}">${links}</nav>`;
}

/** Says once that a change happened. */
export function toast(message: Html | string): Html {
  return html`<div class="toast" role="status" tabindex="-1">${message}</div>`;
}

/** A link to a page with a `confirmCard`, which a dialog shows where script runs. */
export function dialogLink(label: string, href: string, kind: 'primary' | 'plain' | 'danger' = 'plain'): Html {
  return html`<a class="button button-${kind}" href="${href}" data-dialog>${label}</a>`;
}

/** An action that asks first: a page without script, a dialog with it. Its label ends in an ellipsis. */
export function confirmLink(label: string, href: string): Html {
  return dialogLink(label, href, 'danger');
}

export interface Confirm {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly body: Html;
  /** The form that does it. */
  readonly form: Html;
  /** The address to go back to. */
  readonly cancel: string;
  /** Where the act itself is a cancellation, so that the two buttons cannot be mixed up. */
  readonly cancelLabel?: string | undefined;
}

export function confirmCard({ title, body, form, cancel, cancelLabel = 'Cancel' }: Confirm): Html {
  return html`<section class="card confirm" id="confirm" aria-labelledby="confirm-title"><div class="card-body"><h2 id="confirm-title">${title}</h2>${body}<div class="confirm-actions"><a class="button button-plain" href="${cancel}" data-close>${cancelLabel}</a>${form}</div></div></section>`;
}

/** At the top of a form that came back. */
export function errorSummary(errors: readonly { readonly message: string; readonly href: string }[]): Html {
  if (errors.length === 0) return NOTHING;
  const title = errors.length === 1 ? '1 field needs attention' : `${errors.length} fields need attention`;
  const items = errors.map(({ message, href }) => html`<li><a href="${href}">${message}</a></li>`);
  return html`<div class="notice notice-bad error-summary" role="alert" tabindex="-1" data-focus><p><strong>${title}</strong></p><ul>${items}</ul></div>`;
}

/** Grey bars of the height that the content will have. */
export function skeleton(rows: number): Html {
  return html`<div class="skeleton" role="status" aria-busy="true" aria-label="Loading">${Array.from({ length: rows }, () => html`<span></span>`)}</div>`;
}
