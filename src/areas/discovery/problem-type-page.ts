import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { hasPage, type Site } from '#kernel/operation.ts';
import { button, code, heading, linkTo } from '#web/components.ts';
import { machineReadable } from '#web/document.ts';
import { docsFrame } from './pages/docs.ts';
import { type ApiReference, pageOf } from './reference.ts';

export interface ProblemTypeAnswer {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly help: string;
  readonly operations: readonly string[];
}

export const problemTypePages = {
  html: (problem: ProblemTypeAnswer, site: Site) => problemTypeHtml(problem, undefined, site),
  markdown: (problem: ProblemTypeAnswer) => documentMarkdown(problem, problem.title),
};

/** What an error means and what to do, with an example and the calls that return it. */
export function problemTypeHtml(problem: ProblemTypeAnswer, reference: ApiReference | undefined, site: Site): string {
  const { code: name, status, title, help, operations } = problem;
  const { happened, advice } = toldBy(help);
  const groups = groupsOf(operations, reference);
  const body = html`${heading(title, happened)}
<p class="problem-code">${status} · <code>${name}</code></p>
<h2 id="what-to-do">What to do</h2>
${advice.length === 1 ? html`<p>${withNames(advice[0] ?? '')}</p>` : html`<ul>${advice.map((text) => html`<li>${withNames(text)}</li>`)}</ul>`}
<p class="actions">${actionOf(problem, reference, site)}${button('All errors', { href: '/docs/errors', kind: 'plain' })}</p>
<h2 id="example">Example response</h2>
${code(JSON.stringify(exampleOf(problem, reference, site), null, 2), 'Example response')}
<h2 id="operations">Calls that return it</h2>
${groups.length === 0 ? html`<p>No HTTP call returns it. It comes from MCP tools or from the server before a call is routed.</p>` : groups.map(group)}
${machineReadable(`/problems/${name}`)}`;
  return docsFrame(
    {
      title,
      path: `/problems/${name}`,
      group: 'Reference',
      within: '/docs/errors',
      parents: [{ href: '/docs/errors', label: 'Errors' }],
      contents: [
        { id: 'what-to-do', title: 'What to do' },
        { id: 'example', title: 'Example response' },
        { id: 'operations', title: 'Calls that return it' },
      ],
      body,
    },
    site,
  );
}

/** The first sentence says what happened, the others what to do; one alone says both. */
function toldBy(help: string): { readonly happened: string; readonly advice: readonly string[] } {
  const sentences = help.replaceAll('`', '').split(/(?<=[.!?]) (?=[A-Z])/);
  const [happened = '', ...advice] = sentences;
  return { happened, advice: advice.length === 0 ? [happened] : advice };
}

/** Names of fields and headers as code. */
function withNames(text: string): Html {
  const parts = text.split(/(\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b(?:Retry-After|X-[A-Za-z-]+|PAYMENT-[A-Z]+)\b)/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** So few that the first is the one that was called. */
const FEW_CALLS = 3;

/** Where a person goes on, by what kind of error it is. */
function actionOf(
  { code: name, status, operations }: ProblemTypeAnswer,
  reference: ApiReference | undefined,
  site: Site,
): Html {
  const isOffered = (path: string) => hasPage(site, path);
  if ((name === 'no_session' || name === 'link_invalid') && isOffered('/dashboard'))
    return button('Sign in', { href: '/dashboard/login' });
  if (status === 402 && isOffered('/docs/payments')) return button('How payment works', { href: '/docs/payments' });
  if (status === 401 && isOffered('/start')) return button('Get a key', { href: '/start' });
  if (name === 'slow_down') return button('Rate limits', { href: '/docs/discovery#rate-limits' });
  if (status >= 500) return button('Status page', { href: '/system/status' });
  const [only = ''] = operations;
  const summary = operations.length <= FEW_CALLS ? reference?.summaryOf(only) : undefined;
  return summary === undefined
    ? button('API reference', { href: '/docs/api' })
    : button(`How to call: ${summary}`, { href: pageOf(only) });
}

interface ProductCalls {
  readonly product: string;
  readonly calls: readonly { readonly id: string; readonly summary: string }[];
}

function groupsOf(operations: readonly string[], reference: ApiReference | undefined): readonly ProductCalls[] {
  const calls = operations.map((id) => ({ id, summary: reference?.summaryOf(id) ?? id }));
  const byProduct = Map.groupBy(calls, ({ id }) => reference?.productOf(id) ?? 'Calls');
  return [...byProduct].map(([product, list]) => ({ product, calls: list }));
}

/** Longer lists stay closed: some errors can come from every call. */
const MAX_OPEN = 8;

function group({ product, calls }: ProductCalls): Html {
  const list = html`<ul>${calls.map(({ id, summary }) => html`<li>${linkTo(pageOf(id), summary)}</li>`)}</ul>`;
  const count = calls.length === 1 ? '1 call' : `${calls.length} calls`;
  return html`<details class="product-calls"${calls.length <= MAX_OPEN ? html` open` : NOTHING}><summary>${product} <span class="muted">${count}</span></summary>${list}</details>`;
}

function exampleOf(problem: ProblemTypeAnswer, reference: ApiReference | undefined, site: Site) {
  const { code: name, status, title, help, operations } = problem;
  const mayWait = /retry-after/i.test(help) || status === 429;
  return {
    type: `${site.baseUrl()}/problems/${name}`,
    title,
    status,
    detail: toldBy(help).happened,
    instance: reference?.addressOf(operations[0] ?? '') ?? '/',
    code: name,
    ...(mayWait && { retry_after_s: 5 }),
    ...(/wait_s/.test(help) && { wait_s: 5 }),
    ...(/retry_in_s/.test(help) && { retry_in_s: 1.5 }),
  };
}
