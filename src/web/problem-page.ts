import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import type { ProblemType } from '#kernel/problem.ts';
import { button, code, dataTable, heading, linkTo } from './components.ts';
import { documentBody } from './document.ts';
import { page } from './layout.ts';
import { nearestPath } from './nearest-path.ts';
import { countdown } from './times.ts';

export type ProblemDocument = Readonly<Record<string, unknown>> & {
  readonly title: string;
  readonly code: string;
  readonly status?: unknown;
  readonly detail?: string;
};
type Fault = { readonly pointer: string; readonly code: string; readonly detail: string };

/** What the page of a refusal knows of the call that was refused. */
export interface RefusedCall {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly requestId: string;
  /** Null where no operation is at the address. */
  readonly operationId: string | null;
  /** Whether it may have changed something before it failed. */
  readonly mayChange?: boolean;
  readonly next?: ProblemType['next'];
  /** Addresses of pages, for who mistyped one. */
  readonly pagePaths?: readonly string[];
}

/** What happened, in a sentence that a person would say; others have the title of their problem. */
const HEADLINES: Readonly<Record<string, string>> = {
  not_found: 'There is no page here.',
  unknown_page: 'There is no page here.',
  unknown_code: 'There is no error with this code.',
  unknown_protocol: 'There is no protocol with this name.',
  attestation_not_found: 'There is no such entry in the log.',
  no_session: 'You are signed out.',
  receipt_key_invalid: 'This key does not open the task.',
  not_of_account: 'This belongs to another account.',
  held: 'This work is taken.',
  slots_full: 'This work is taken.',
  in_clearance: 'This work is reserved for a moment.',
  slow_down: 'Too many requests. Wait a moment.',
  internal: 'Something failed on our side.',
  method_not_allowed: 'This address does not open in a browser.',
  outcome_unknown: 'We do not know yet whether it was saved.',
};

/** A refusal for a browser: what happened, what to do now, and the same members as the JSON. */
export function problemHtml(problem: ProblemDocument, call: RefusedCall, site: Site): string {
  const { title, code: name, detail } = problem;
  const actions = firstActions(problem, call);
  const body = html`<div class="problem">${heading(headlineOf(problem), lead(detail ?? '', problem, call))}
${holdLine(problem, site)}
${fieldTable(problem)}
${problem.status === 404 ? searchField(call) : NOTHING}
<p class="actions">${actions}</p>
<p class="problem-links">${linksOf(problem, actions)}</p>
${technical(problem, call)}</div>`;
  return page(
    { title, path: `/problems/${name}`, body, isPrivate: true, hasForms: false, scripts: ['problem.js'] },
    site,
  );
}

function headlineOf({ code: name, title, errors }: ProblemDocument): string {
  const count = Array.isArray(errors) ? errors.length : 0;
  if (name === 'invalid_parameters' && count > 0)
    return count === 1 ? '1 field needs attention' : `${count} fields need attention`;
  return Object.hasOwn(HEADLINES, name) ? (HEADLINES[name] as string) : title;
}

function lead(
  detail: string,
  { code: name, status, wait_s: wait, errors }: ProblemDocument,
  { address, mayChange = false, pagePaths = [] }: RefusedCall,
): Html {
  const [path = ''] = address.split('?', 1);
  const near = status === 404 ? nearestPath(path, pagePaths) : undefined;
  const suggestion = near === undefined ? NOTHING : html` Did you mean <a href="${near}">${near}</a>?`;
  if (name === 'not_found' && path !== '') return html`<code>${path}</code> was not found.${suggestion}`;
  if (name === 'internal') {
    const saved = mayChange
      ? 'We do not know whether anything was saved. Check before you send it again.'
      : 'Nothing was changed.';
    return html`${saved} The request id below identifies the failure in our log.`;
  }
  if (name === 'no_session') return html`Sign in to see this page. Nothing was changed.`;
  if (name === 'invalid_parameters') {
    const them = Array.isArray(errors) && errors.length === 1 ? 'it' : 'them';
    return html`Correct ${them} and send the request again. Nothing was changed.`;
  }
  // How long is counted down below.
  const isHeld = status === 409 && typeof wait === 'number' && wait > 0;
  return html`${isHeld ? detail.replace(/(?<=\.) (?:Only without the token, t|T)ry again in .*$/s, '') : detail}${suggestion}`;
}

const OWN_LEASE = 'already_yours';
const HOLD_WORDS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  once_taken: ['Free again in', ''],
  in_clearance: ['The reservation ends in', ''],
  [OWN_LEASE]: ['Without the token, it is free again in', ''],
};

/** How long somebody has it. */
function holdLine({ wait_s: waitSeconds, code: name }: ProblemDocument, site: Site): Html {
  if (typeof waitSeconds !== 'number' || waitSeconds <= 0) return NOTHING;
  const ends = countdown(new Date(site.nowMs() + waitSeconds * 1_000).toISOString(), site);
  const words = HOLD_WORDS[name] ?? ['It ends in', ' unless renewed'];
  return html`<p>${words[0]} ${ends}${words[1]}.</p>`;
}

function fieldTable({ errors }: ProblemDocument): Html {
  const faults = (errors as readonly Fault[] | undefined) ?? [];
  if (faults.length === 0) return NOTHING;
  return dataTable({
    caption: 'Fields to fix',
    columns: ['Field', 'What to do'],
    rows: faults.map(({ pointer, detail }) => [html`<code>${fieldOf(pointer)}</code>`, detail]),
  });
}

function fieldOf(pointer: string): string {
  const name = pointer.replace(/^#\/?/, '').replaceAll('/', ' › ');
  return name === '' ? 'whole request' : name;
}

function searchField({ address }: RefusedCall): Html {
  const words = wordsOf(address);
  return html`<form action="/search" class="problem-search" role="search"><label for="problem-q">Search</label><div><input id="problem-q" name="q" type="search" value="${words}" maxlength="200"><button class="button button-primary">Search</button></div></form>`;
}

/** The words of a path: `/docs/quikstart.md` as `docs quikstart`. */
function wordsOf(address: string): string {
  const [path = ''] = address.split('?', 1);
  const text = URL.canParse(path, 'http://page.invalid') ? safeDecode(path) : path;
  return text
    .replace(/\.\w{1,5}$/, '')
    .split(/[^\p{L}\p{N}#-]+/u)
    .filter((word) => word !== '')
    .join(' ')
    .slice(0, 200);
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const GENERAL = [
  ['Home', '/'],
  ['Docs', '/docs'],
  ['Status', '/system/status'],
] as const;

/** Where else to go. */
function linksOf({ code: name }: ProblemDocument, actions: Html): Html {
  const isSaid = name === 'not_found' || actions.text.includes(`href="/problems/${name}"`);
  const about = isSaid ? [] : ([['What this error means', `/problems/${name}`]] as const);
  return html`${[...about, ...GENERAL].map(([label, href], index) => html`${index === 0 ? NOTHING : ' · '}<a href="${href}">${label}</a>`)}`;
}

/** What a person can do now; the most likely first. */
function firstActions(problem: ProblemDocument, call: RefusedCall): Html {
  const { status, code: name } = problem;
  const { next, operationId, address } = call;
  const parts: Html[] = [];
  if (next !== undefined) parts.push(button(next.label, { href: next.href }));
  if (name === 'no_session' || name === 'not_of_account')
    parts.push(button('Sign in', { href: signInFor(call), kind: name === 'no_session' ? 'primary' : 'plain' }));
  const waits = retrySeconds(problem);
  if ((waits !== undefined && name !== OWN_LEASE) || Number(status) >= 500) parts.push(retry(call, waits ?? 0));
  const key = workKeyOf(address);
  if (status === 409 && key !== undefined)
    parts.push(button('See it on the board', { href: `/board/${encodeURIComponent(key)}`, kind: 'plain' }));
  if (operationId !== null && [400, 401, 405].includes(Number(status)) && name !== 'no_session')
    parts.push(
      button('How to call it', { href: `/docs/api/${operationId}`, kind: parts.length === 0 ? 'primary' : 'plain' }),
    );
  if (parts.length === 0 && name !== 'not_found')
    parts.push(button('What this error means', { href: `/problems/${name}` }));
  return html`${parts}`;
}

/** Where the person was; only a page that loads by itself can be gone back to. */
function signInFor({ method, address }: RefusedCall): string {
  const isPage = method === 'GET' && address.startsWith('/dashboard');
  return isPage ? `/dashboard/login?next=${encodeURIComponent(address)}` : '/dashboard/login';
}

function workKeyOf(address: string): string | undefined {
  return new URLSearchParams(address.split('?')[1]).get('key') ?? undefined;
}

function retrySeconds({ retry_in_s: soon, retry_after_s: after }: ProblemDocument): number | undefined {
  const seconds = typeof soon === 'number' ? soon : after;
  return typeof seconds === 'number' ? Math.ceil(seconds) : undefined;
}

/** The same address again; problem.js keeps it closed until the time is over. A form must be sent again by its sender. */
function retry({ method, address }: RefusedCall, seconds: number): Html {
  if (method !== 'GET') return html`<span class="muted">Go back and send the form again.</span>`;
  return html`<a class="button button-primary" href="${address}" data-retry="${seconds}">Retry</a>${
    seconds > 0 ? html`<span class="retry-note" data-retry-note aria-live="off">in ${seconds} s</span>` : NOTHING
  }`;
}

const SHOWN_ABOVE = ['title', 'code', 'status', 'detail', 'errors', 'type', 'instance'];

function technical(problem: ProblemDocument, { requestId }: RefusedCall): Html {
  const others = Object.fromEntries(Object.entries(problem).filter(([name]) => !SHOWN_ABOVE.includes(name)));
  const id = html`<span class="request-id">request <code>${requestId}</code> <button type="button" class="copy-id" data-copy-value="${requestId}" data-scripted>Copy</button></span>`;
  return html`<p class="problem-code">${String(problem.status)} · ${linkTo(`/problems/${problem.code}`, problem.code)} · ${id}</p>
<details class="technical"><summary>Technical details</summary>${Object.keys(others).length === 0 ? NOTHING : documentBody(others)}${code(JSON.stringify(problem, null, 2), 'Problem document')}</details>`;
}
