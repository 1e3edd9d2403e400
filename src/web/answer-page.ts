import { type Html, html, NOTHING } from '#kernel/html.ts';
import { type Operation, pathFields, type Site } from '#kernel/operation.ts';
import { callSnippets } from './call-code.ts';
import { code, codeTabs, crumbs, heading } from './components.ts';
import { documentBody } from './document.ts';
import { page } from './layout.ts';

export interface ShownAnswer {
  readonly operation: Operation;
  readonly output: object;
  /** Path and query, as the browser asked. */
  readonly address: string;
}

/** More than people read: the file itself is a click away. */
const MAX_RAW_CHARS = 200_000;
/** Members of addresses that are secrets: an example does not repeat them. */
const SECRETS = new Set(['token', 'control_token', 'receipt_key', 'disclosure_seed']);

/** The JSON of any row as a page: what it is, the values, the same as JSON, and how to call it. */
export function answerHtml({ operation, output, address }: ShownAnswer, site: Site): string {
  const { operationId, summary, description, betterPage } = operation;
  const values = valuesOf(operation, address);
  const better = betterPage?.(values);
  const raw = JSON.stringify(output, null, 2);
  const shown = Object.fromEntries(Object.entries(values).filter(([name]) => !SECRETS.has(name)));
  const body = html`${crumbs(
    [
      { href: '/docs', label: 'Docs' },
      { href: '/docs/api', label: 'API' },
    ],
    summary,
  )}
${heading(summary, firstSentence(description))}
${better === undefined ? NOTHING : html`<p class="better-page"><a href="${better.href}">${better.label}</a></p>`}
${documentBody(output, { hidesEmpty: true })}
${rawJson(raw)}
<h2>Call it</h2>
${codeTabs('call', callSnippets(operation, shown, site))}
<p><a href="/docs/api/${operationId}">Parameters and errors of this call</a></p>`;
  const [path = ''] = address.split('?', 1);
  return page({ title: summary, path, section: 'docs', body, isPrivate: true, hasForms: false }, site);
}

function rawJson(raw: string): Html {
  if (raw.length > MAX_RAW_CHARS)
    return html`<p class="muted">The JSON is too long to show here. Call the address to get it.</p>`;
  return html`<details class="raw-json"><summary>Raw JSON</summary>${code(raw, 'JSON')}</details>`;
}

function firstSentence(text: string): string {
  return /^.+?[.!?](?= |$)/s.exec(text)?.[0] ?? text;
}

/** The fields that the address holds, in path and query; of one that is repeated the last. */
function valuesOf({ path }: Operation, address: string): Record<string, string> {
  const { pathname, searchParams } = new URL(address, 'http://page.invalid');
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)').replaceAll('.', '\\.');
  const groups = new RegExp(`^${pattern}$`).exec(pathname)?.groups ?? {};
  const inPath = pathFields(path).map((name) => [name, decodeURIComponent(groups[name] ?? '')]);
  return { ...Object.fromEntries(inPath), ...Object.fromEntries(searchParams) };
}
