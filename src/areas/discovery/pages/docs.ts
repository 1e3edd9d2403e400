import { z } from 'zod';
import { anchorOf } from '#kernel/anchor.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { hasPage, type Site } from '#kernel/operation.ts';
import { type DocumentationPage, GROUPS } from '#platform/documentation/documentation.ts';
import { crumbs, heading, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { markdownHtml } from '#web/markdown.ts';
import { docsParts, entryOf, readingPath } from './docs-nav.ts';
import { glossaryTerms } from './glossary-terms.ts';

const Entry = z.strictObject({
  name: z.string(),
  title: z.string(),
  summary: z.string().meta({ description: 'One line: what the page helps with.' }),
  group: z.enum(GROUPS).meta({ description: 'The part of the documentation that it belongs to.' }),
  path: z.string(),
});

export const DocsIndex = z.strictObject({ pages: z.array(Entry) }).meta({ id: 'DocsIndex' });
export const DocsPage = z
  .strictObject({
    ...Entry.shape,
    text: z.string().meta({ description: 'The page as Markdown.' }),
    others: z.array(Entry).meta({ description: 'Every page, in the order of the index.' }),
  })
  .meta({ id: 'DocsPage' });

type Index = z.output<typeof DocsIndex>;
type Shown = z.output<typeof DocsPage>;

const TITLE = /^# (.+)$/m;

export function docsIndex(pages: readonly DocumentationPage[]): Index {
  return { pages: pages.map(entryOf) };
}

export function docsPage(pages: readonly DocumentationPage[], name: string): Shown | undefined {
  const found = pages.find((one) => one.name === name);
  const { pages: others } = docsIndex(pages);
  const entry = others.find((one) => one.name === name);
  return found === undefined || entry === undefined ? undefined : { ...entry, text: found.text, others };
}

export const docsIndexPages = {
  html: (_index: Index, site: Site) =>
    page({ title: 'Documentation', path: '/docs', section: 'docs', width: 'wide', body: indexBody(site) }, site),
  markdown: (index: Index) => documentMarkdown(index, 'Documentation'),
};

export const docsPagePages = {
  html: (shown: Shown, site: Site) =>
    docsFrame(
      {
        title: shown.title,
        path: shown.path,
        group: shown.group,
        contents: contentsOf(shown.text),
        body: pageBody(shown, site),
      },
      site,
    ),
  markdown: ({ text }: Shown) => text,
};

interface Reader {
  readonly title: string;
  readonly steps: readonly (readonly [path: string, label: string])[];
}

/** Who reads, and what first. */
const READERS: readonly Reader[] = [
  {
    title: 'I build an agent',
    steps: [
      ['/docs/quickstart', 'Quickstart'],
      ['/docs/coordination', 'Coordination'],
      ['/docs/payments', 'Pay per call'],
    ],
  },
  {
    title: 'I run a platform',
    steps: [
      ['/docs/mandates', 'Mandates'],
      ['/docs/proof', 'Verify a proof'],
      ['/docs/mcp', 'MCP server'],
    ],
  },
  {
    title: 'I own agents',
    steps: [
      ['/docs/wallet', 'Register and top up'],
      ['/docs/dashboard', 'Dashboard'],
      ['/docs/receipts', 'Receipts'],
    ],
  },
  {
    title: 'I operate Avouch',
    steps: [
      ['/docs/deploy', 'Deploy'],
      ['/docs/install', 'Install'],
      ['/docs/run', 'Run, back up, upgrade'],
      ['/docs/settings', 'Settings'],
    ],
  },
];

const MACHINE = [
  ['/entry', 'Service description and API index'],
  ['/entry/full', 'All operations and limits'],
  ['/agent-discovery/onboarding', 'Onboarding, step by step'],
  ['/openapi.json', 'OpenAPI 3.1'],
  ['/llms.txt', 'llms.txt'],
] as const;

function indexBody(site: Site): Html {
  const search = html`<form action="/search" class="docs-search" role="search"><input name="q" type="search" placeholder="Search the docs" aria-label="Search the docs" maxlength="200"><button class="button button-plain">Search</button></form>`;
  const lead = 'Guides, reference and operations. Add .md to any address for Markdown.';
  const offered = READERS.map(({ title, steps }) => ({ title, steps: steps.filter(([path]) => hasPage(site, path)) }));
  const readers = offered
    .filter(({ steps }) => steps.length > 1)
    .map(
      ({ title, steps }) =>
        html`<section class="card tile"><h2>${title}</h2><ol>${steps.map(([path, label]) => html`<li>${linkTo(path, label)}</li>`)}</ol></section>`,
    );
  const groups = docsParts(site).map(
    ({ title, entries }) =>
      html`<section class="docs-group"><h2 id="${anchorOf(title)}">${title}</h2><ul>${entries.map(
        ({ name, path, title: label, summary }) =>
          html`<li id="${name}"><a href="${path}">${label}</a><p>${summary}</p></li>`,
      )}</ul></section>`,
  );
  return html`${heading('Documentation', lead, [search])}
<div class="readers">${readers}</div>
<div class="docs-groups">${groups}
<section class="docs-group"><h2>For agents</h2><ul class="plain-links">${MACHINE.map(([path, title]) => html`<li>${linkTo(path, title)}</li>`)}</ul></section></div>`;
}

export interface DocsView {
  readonly title: string;
  readonly path: string;
  readonly group: string;
  /** The page of the side navigation that it belongs to, where it is not one itself. */
  readonly within?: string;
  /** Pages between the documentation and this one. */
  readonly parents?: readonly { readonly href: string; readonly label: string }[];
  readonly contents: readonly { readonly id: string; readonly title: string }[];
  readonly body: Html;
}

/** The least that makes a list of contents worth its place. */
const MIN_CONTENTS = 2;

/** A page of the documentation: all pages at one side, the headings of this one at the other. */
export function docsFrame(view: DocsView, site: Site): string {
  const { title, path, group, within = path, parents = [], contents, body } = view;
  const way = crumbs(
    [
      { href: '/docs', label: 'Docs' },
      { href: `/docs#${anchorOf(groupPart(within, group, site))}`, label: group },
      ...parents,
    ],
    title,
  );
  const hasContents = contents.length >= MIN_CONTENTS;
  const list = html`<ul>${contents.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>`;
  const frame = html`<div class="docs-frame">
<div class="docs-side"><details class="docs-menu"><summary>Docs menu</summary>${sideNav(within, site)}</details><div class="docs-wide">${sideNav(within, site)}</div></div>
<article class="prose">${way}${body}${neighbours(path, site)}</article>
<div class="docs-contents">${hasContents ? html`<nav aria-label="On this page"><p class="side-title">On this page</p>${list}</nav>` : NOTHING}</div>
</div>`;
  return page({ title, path, section: 'docs', width: 'wide', body: frame }, site);
}

/** The part of the index that shows the page. */
function groupPart(path: string, group: string, site: Site): string {
  return docsParts(site).find(({ entries }) => entries.some((entry) => entry.path === path))?.title ?? group;
}

function sideNav(path: string, site: Site): Html {
  const parts = docsParts(site).map(({ title, entries }) => {
    const items = entries.map(
      (entry) =>
        html`<li><a href="${entry.path}"${entry.path === path ? html` aria-current="page"` : NOTHING}>${entry.title}</a></li>`,
    );
    return html`<p class="side-title">${title}</p><ul>${items}</ul>`;
  });
  return html`<nav aria-label="Documentation">${parts}</nav>`;
}

function neighbours(path: string, site: Site): Html {
  const pages = readingPath(site);
  const at = pages.findIndex((entry) => entry.path === path);
  if (at === -1) return NOTHING;
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return html`<nav class="neighbours" aria-label="Reading path">${
    before === undefined
      ? html`<span></span>`
      : html`<a rel="prev" href="${before.path}"><span>Previous</span>${before.title}</a>`
  }${after === undefined ? NOTHING : html`<a rel="next" href="${after.path}"><span>Next</span>${after.title}</a>`}</nav>`;
}

const WORDS_PER_MINUTE = 220;

function contentsOf(text: string) {
  return [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^## (.+)$/gm)].map(([, name = '']) => ({
    id: anchorOf(name),
    title: name.replaceAll('`', ''),
  }));
}

function pageBody({ title, summary, path, text, others }: Shown, site: Site): Html {
  const known = new Map(others.map((one) => [`${one.name}.md`, one.path]));
  const resolve = (address: string) => {
    const [file = '', anchor] = address.split('#', 2);
    const target = file === '' ? path : (known.get(file) ?? (/^(?:https:|\/)/.test(file) ? file : undefined));
    if (target === undefined || !hasPage(site, target)) return undefined;
    return anchor === undefined ? target : `${target}#${anchor}`;
  };
  const minutes = Math.max(1, Math.round(text.split(/\s+/).length / WORDS_PER_MINUTE));
  const contents = contentsOf(text);
  const small = html`<details class="contents-menu"><summary>On this page</summary><ul>${contents.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></details>`;
  const prose = markdownHtml(text.replace(TITLE, ''), resolve, { terms: glossaryTerms(path) });
  return html`${heading(title, summary)}<p class="reading-time">${minutes} min read · <a href="${path}.md">Markdown</a></p>${contents.length >= MIN_CONTENTS ? small : NOTHING}${prose}`;
}
