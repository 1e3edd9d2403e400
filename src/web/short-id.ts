import { type Html, html, NOTHING } from '#kernel/html.ts';

const PREFIX = /^(?:[a-z]+_|[A-Z]+-|L(?=[\w-]{12}))/;
const DIGEST = /^[0-9a-f]{64}$/;
const ENDING = 4;

/** `agt_5fxn…tv91`: enough to tell two of them apart; what is short already stays. */
export function shortText(id: string): string {
  const prefix = PREFIX.exec(id)?.[0] ?? '';
  const rest = id.slice(prefix.length);
  const leading = DIGEST.test(id) ? 2 * ENDING : ENDING;
  if (rest.length <= leading + ENDING + 1) return id;
  return `${prefix}${rest.slice(0, leading)}…${rest.slice(-ENDING)}`;
}

/** An id that is short to read and copies in full. */
export function shortId(id: string, href?: string): Html {
  const text = shortText(id);
  const shown = href === undefined ? html`<code>${text}</code>` : html`<a href="${href}"><code>${text}</code></a>`;
  return html`<span class="id" title="${id}">${shown}${copyButton(id)}</span>`;
}

/** The whole id, for the page of the thing itself. */
export function fullId(id: string): Html {
  return html`<span class="id id-full"><code>${id}</code>${copyButton(id)}</span>`;
}

function copyButton(value: string): Html {
  if (value === '') return NOTHING;
  return html`<button type="button" class="copy-id" data-copy-value="${value}" data-scripted aria-label="Copy ${shortText(value)}">Copy</button>`;
}
