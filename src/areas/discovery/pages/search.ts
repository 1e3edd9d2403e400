import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, heading } from '#web/components.ts';
import { page } from '#web/layout.ts';

const MAX_CHARACTERS = 200;
const GROUPS = ['pages', 'docs', 'operations', 'problems'] as const;

export const SearchInput = z.strictObject({
  q: z.string().max(MAX_CHARACTERS).default('').meta({ description: 'Words, a problem code or a reference.' }),
  all: z.enum(GROUPS).optional().meta({ description: 'The group to list in full.' }),
});

const total = z.int().min(0);

export const SearchAnswer = z
  .strictObject({
    q: z.string(),
    match: z
      .strictObject({ kind: z.string(), title: z.string(), path: z.string() })
      .nullable()
      .meta({ description: 'What q itself names: a reference or a problem code. Null if it names nothing.' }),
    pages: z
      .array(z.strictObject({ title: z.string(), path: z.string(), summary: z.string() }))
      .meta({ description: 'Public pages, best first.' }),
    docs: z.array(z.strictObject({ title: z.string(), heading: z.string(), path: z.string(), snippet: z.string() })),
    operations: z.array(
      z.strictObject({
        operation_id: z.string(),
        method: z.string(),
        address: z.string(),
        summary: z.string(),
        path: z.string().meta({ description: 'Its page in the API reference.' }),
      }),
    ),
    problems: z.array(z.strictObject({ code: z.string(), status: z.int(), title: z.string(), path: z.string() })),
    totals: z
      .strictObject({ pages: total, docs: total, operations: total, problems: total })
      .meta({ description: 'How many each group has in full.' }),
  })
  .meta({ id: 'Search' });

export type SearchResult = z.output<typeof SearchAnswer>;
export type SearchGroup = (typeof GROUPS)[number];

export const searchPages = {
  html: (found: SearchResult, site: Site) =>
    page(
      {
        title: found.q === '' ? 'Search' : `Search: ${found.q}`,
        path: addressOf(found.q),
        section: 'docs',
        isPrivate: true,
        body: body(found),
      },
      site,
    ),
  markdown: (found: SearchResult) => documentMarkdown(found, 'Search'),
};

function addressOf(q: string, all?: SearchGroup): string {
  const query = new URLSearchParams({ q, ...(all && { all }) }).toString();
  return q === '' ? '/search' : `/search?${query}`;
}

function body(found: SearchResult): Html {
  const { q } = found;
  const form = html`<form action="/search" class="search-form" role="search"><label class="visually-hidden" for="search-q">Search pages, docs, operations, errors and references</label><input id="search-q" name="q" type="search" value="${q}" maxlength="${MAX_CHARACTERS}" placeholder="Words, an error code, or an id such as ATT-…"><button class="button button-primary">Search</button></form>`;
  if (q === '')
    return html`${heading('Search', 'Pages, documentation, API operations, error codes, and any reference that Avouch issued.')}${form}`;
  const isEmpty = found.match === null && GROUPS.every((name) => found.totals[name] === 0);
  return html`${heading(`Results for “${q}”`)}${form}${isEmpty ? nothing(q) : html`${matchLine(found)}${groups(found)}`}`;
}

function nothing(q: string): Html {
  return html`<div class="empty"><p class="empty-title">No results for “${q}”.</p><p>Try other words, or start from one of these.</p><p class="actions centred">${button('Docs', { href: '/docs', kind: 'plain' })}${button('Log search', { href: '/log', kind: 'plain' })}${button('Playground', { href: '/playground', kind: 'plain' })}</p></div>`;
}

function matchLine({ match }: SearchResult): Html {
  return match === null
    ? NOTHING
    : html`<p class="search-match"><a href="${match.path}">${match.title}</a> <span class="muted">${match.path}</span></p>`;
}

interface Hit {
  readonly path: string;
  readonly title: Html;
  readonly note: Html;
}

function groups(found: SearchResult): Html {
  const { q } = found;
  const pages = found.pages.map(({ path, title, summary }) => ({
    path,
    title: marked(title, q),
    note: marked(summary, q),
  }));
  const docs = found.docs.map(({ path, title, heading: part, snippet }) => ({
    path,
    title: html`${title}${part === '' ? NOTHING : html` <span class="muted">› ${part}</span>`}`,
    note: marked(snippet, q),
  }));
  const operations = found.operations.map(({ path, method, address, summary }) => ({
    path,
    title: marked(summary, q),
    note: html`<span class="method">${method}</span> <code>${address}</code>`,
  }));
  const problems = found.problems.map(({ path, code, status, title }) => ({
    path,
    title: html`<code>${code}</code>`,
    note: html`${status} · ${marked(title, q)}`,
  }));
  return html`${group('Pages', pages, 'pages', found)}${group('Docs', docs, 'docs', found)}${group('API operations', operations, 'operations', found)}${group('Problem codes', problems, 'problems', found)}`;
}

function group(title: string, hits: readonly Hit[], name: SearchGroup, { q, totals }: SearchResult): Html {
  if (hits.length === 0) return NOTHING;
  const more =
    totals[name] > hits.length ? html`<p><a href="${addressOf(q, name)}">Show all ${totals[name]}</a></p>` : NOTHING;
  return html`<section class="search-group"><h2>${title}</h2><ul>${hits.map(
    (hit) => html`<li><a href="${hit.path}">${hit.title}</a><p>${hit.note}</p></li>`,
  )}</ul>${more}</section>`;
}

const MIN_WORD = 2;

/** The words of the query where the text has them, at the start of a word. */
function marked(text: string, q: string): Html {
  const words = q.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length >= MIN_WORD);
  if (words.length === 0) return html`${text}`;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map((word) => RegExp.escape(word)).join('|')})`, 'giu');
  const parts: Html[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(html`${text.slice(at, match.index)}<mark>${match[0]}</mark>`);
    at = match.index + match[0].length;
  }
  return html`${parts}${text.slice(at)}`;
}
