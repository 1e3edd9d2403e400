import { lazily } from '#kernel/lazily.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, dataTable, heading, linkTo, pager } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { live, liveState } from '#web/live.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { visible } from '#web/untrusted.ts';
import { kindLabel, kindText, VERDICT_LABELS, verdictPill } from './entry-kinds.ts';
import { ENTRY_KINDS, type EntryRow, type ExplorerAnswer, VERDICTS } from './explorer-answers.ts';

type Search = ExplorerAnswer['search'];
type Filter = ExplorerAnswer['filter'];

const WORDS = html`<p class="hint">Verdict: whether a record met the rules of its ${linkTo('/api/attest/schemas', 'schema')}, never whether it is true. Marks and releases have none. The root is one hash over all entries, signed with each checkpoint. ${linkTo('/docs/glossary#proof', 'Glossary')}</p>`;
const numbers = lazily(() => new Intl.NumberFormat('en-GB'));

export function logExplorerHtml(view: ExplorerAnswer, site: Site): string {
  const { tree_size: size, root_hash: root, timestamp, entries, search, filter } = view;
  // A page of older entries says so in its address: it does not change any more.
  const isNewest = (filter?.searched.to_seq ?? (entries[0]?.seq ?? size - 1) + 1) === size;
  const summary = html`<p class="log-summary"><strong>${numbers().format(size)}</strong> ${size === 1 ? 'entry' : 'entries'} · root ${shortId(root)} · signed ${when(timestamp, site)}${isNewest ? html` ${liveState()}` : NOTHING}</p>`;
  const list = html`${summary}${card({ body: entryTable(entries, site, filter) })}${WORDS}`;
  const body = html`${heading('Public log', 'Append-only. Open an entry to verify it in your browser.', [
    button('Verify a proof', { href: '/verify', kind: 'plain' }),
    button('Compare checkpoints', { href: '/log/heads', kind: 'plain' }),
  ])}
${searchForm(search, filter)}
${search === null ? NOTHING : card({ title: 'Search result', body: searchBody(search, site) })}
${filterForm(search, filter)}
${isNewest ? live({ id: 'log', stream: `/api/attest/stream?from_seq=${size}`, events: ['seal', 'mark', 'release'], held: 'entry', body: list }) : list}
${pages(view, isNewest)}`;
  return page(
    {
      title: 'Public log',
      path: address(search, filter),
      section: 'explore',
      scripts: isNewest ? ['live.js'] : [],
      body,
    },
    site,
  );
}

/** Where this list is, with what was searched and filtered. */
function address(search: Search, filter: Filter, before?: number): string {
  const chosen = Object.entries({ q: search?.q, ...fieldsOf(filter), before });
  const given = chosen.flatMap(([name, value]) => (value == null ? [] : [[name, String(value)] as [string, string]]));
  return given.length === 0 ? '/log' : `/log?${new URLSearchParams(given)}`;
}

function fieldsOf(filter: Filter) {
  return { kind: filter?.kind, verdict: filter?.verdict, from: filter?.from, to: filter?.to };
}

function hidden(name: string, value: string | null | undefined): Html {
  return value == null ? NOTHING : html`<input type="hidden" name="${name}" value="${value}">`;
}

function searchForm(search: Search, filter: Filter): Html {
  const kept = Object.entries(fieldsOf(filter)).map(([name, value]) => hidden(name, value));
  return html`<form method="get" action="/log" role="search" class="log-search"><label class="visually-hidden" for="log-q">Search the log</label><input id="log-q" name="q" type="search" maxlength="200" value="${search?.q ?? ''}" placeholder="Entry number, id, hash, task, order or lease" spellcheck="false">${kept}<button class="button button-primary">Search</button></form>`;
}

/** Kind and verdict apply at once; a date is typed in parts, and waits for the button. */
function filterForm(search: Search, filter: Filter): Html {
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[], current?: string) =>
    html`<div class="field"><label for="log-${name}">${label}</label><select id="log-${name}" name="${name}"><option value="all">All</option>${options.map(
      ([value, text]) =>
        html`<option value="${value}"${value === current ? html` selected` : NOTHING}>${text}</option>`,
    )}</select></div>`;
  const day = (name: 'from' | 'to', label: string) =>
    html`<div class="field"><label for="log-${name}">${label}</label><input type="date" id="log-${name}" name="${name}" form="log-filter" value="${filter?.[name] ?? ''}"></div>`;
  const kinds = ENTRY_KINDS.map((kind) => [kind, kindLabel(kind)] as const);
  const verdicts = VERDICTS.map((verdict) => [verdict, VERDICT_LABELS[verdict]] as const);
  return html`<details class="log-filters"${filter === undefined ? NOTHING : html` open`}><summary>Filters</summary><div class="log-filter"><form method="get" action="/log" id="log-filter" data-submit-on-change>${hidden('q', search?.q)}${choice('kind', 'Kind', kinds, filter?.kind ?? undefined)}${choice('verdict', 'Verdict', verdicts, filter?.verdict ?? undefined)}</form>${day('from', 'From')}${day('to', 'To')}<div class="actions"><button class="button button-plain" form="log-filter">Apply</button>${filter === undefined ? NOTHING : html`<a href="${address(search, undefined)}">Clear</a>`}</div></div></details>`;
}

function searchBody({ q, kind, found, entries, url }: NonNullable<Search>, site: Site): Html {
  if (!found)
    return html`<p>No entry matches “<bdi>${visible(q)}</bdi>”. Try an entry number, an ATT- id or a SHA-256 hash.</p>`;
  if (entries.length > 0) return entryTable(entries, site);
  return html`<p>This ${kind.replaceAll('_', ' ')} exists, but it has no log entry.${url === null ? NOTHING : html` ${linkTo(url, 'See it')}`}</p>`;
}

function entryTable(entries: readonly EntryRow[], site: Site, filter?: Filter): Html {
  const searched = filter?.searched;
  const isPart = searched !== undefined && searched.from_seq > 0 && searched.to_seq > searched.from_seq;
  return dataTable({
    caption: 'Log entries, newest first',
    hidesCaption: true,
    columns: ['Entry', 'What', 'Verdict', 'When', 'Id'],
    rows: entries.map((row) => [
      linkTo(`/log/${row.seq}`, String(row.seq)),
      kindText(row),
      verdictPill(row.verdict),
      when(row.sealed_at, site),
      shortId(row.attestation_id, `/log/${row.attestation_id}`),
    ]),
    empty: isPart
      ? `Nothing matches among entries ${range(searched.from_seq, searched.to_seq)}. Older entries were not searched yet.`
      : 'No entry matches these filters.',
  });
}

/** `to` is not part of it. */
function range(from: number, to: number): string {
  return `${numbers().format(from)}–${numbers().format(to - 1)}`;
}

function pages({ tree_size: size, entries, before, search, filter }: ExplorerAnswer, isNewest: boolean): Html {
  const [first, last] = [entries.at(-1)?.seq, entries[0]?.seq];
  const shown = first === undefined || last === undefined ? undefined : range(first, last + 1);
  const position = filter === undefined ? shown : range(filter.searched.from_seq, filter.searched.to_seq);
  return pager({
    label: 'Log pages',
    words: ['Newest', 'Older'],
    previous: isNewest ? undefined : address(search, filter),
    next: before === null ? undefined : address(search, filter, before),
    position:
      position === undefined
        ? ''
        : `${filter === undefined ? '' : 'Searched '}${position} of ${numbers().format(size)}`,
  });
}
