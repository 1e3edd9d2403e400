import { z } from 'zod';
import { anchorOf } from '#kernel/anchor.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { type DocumentationPage, GROUPS } from '#platform/documentation/documentation.ts';
import { heading, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { markdownHtml } from '#web/markdown.ts';

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
  return {
    pages: pages.map(({ name, title, summary, group }) => ({ name, title, summary, group, path: `/docs/${name}` })),
  };
}

export function docsPage(pages: readonly DocumentationPage[], name: string): Shown | undefined {
  const found = pages.find((one) => one.name === name);
  const { pages: others } = docsIndex(pages);
  const entry = others.find((one) => one.name === name);
  return found === undefined || entry === undefined ? undefined : { ...entry, text: found.text, others };
}

export const docsIndexPages = {
  html: (index: Index, site: Site) =>
    page({ title: 'Documentation', path: '/docs', section: 'docs', body: indexBody(index) }, site),
  markdown: (index: Index) => documentMarkdown(index, 'Documentation'),
};

export const docsPagePages = {
  html: (shown: Shown, site: Site) =>
    page({ title: shown.title, path: shown.path, section: 'docs', body: pageBody(shown) }, site),
  markdown: ({ text }: Shown) => text,
};

const MACHINE = [
  ['/entry', 'Service description and API index'],
  ['/entry/full', 'All operations and limits'],
  ['/agent-discovery/onboarding', 'Onboarding, step by step'],
  ['/openapi.json', 'OpenAPI 3.1'],
  ['/llms.txt', 'llms.txt'],
] as const;

function indexBody({ pages }: Index): Html {
  const lead = 'Guides, reference and operations. Add .md to any address for Markdown.';
  const groups = byGroup(
    pages,
    ({ name, path, title, summary }) =>
      html`<li id="${name}">${linkTo(path, title)} <span class="muted">${summary}</span></li>`,
  );
  return html`${heading('Documentation', lead)}
${groups.map(({ group, items }) => html`<section class="card tile"><h2>${group}</h2><ul>${items}</ul></section>`)}
<section class="card tile"><h2>For agents</h2><ul class="columns">${MACHINE.map(([path, title]) => html`<li>${linkTo(path, title)}</li>`)}</ul></section>`;
}

function byGroup(pages: Index['pages'], item: (entry: Index['pages'][number]) => Html) {
  return GROUPS.map((group) => ({ group, items: pages.filter((entry) => entry.group === group).map(item) }));
}

function pageBody({ title, summary, path, text, others }: Shown): Html {
  const known = new Map(others.map((one) => [`${one.name}.md`, one.path]));
  const resolve = (address: string) => {
    const [file = '', anchor] = address.split('#', 2);
    const target = file === '' ? path : (known.get(file) ?? (/^(?:https:|\/)/.test(file) ? file : undefined));
    return target === undefined || anchor === undefined ? target : `${target}#${anchor}`;
  };
  const prose = text.replace(TITLE, '');
  const parts = [...prose.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
  const contents = html`<nav class="contents" aria-label="On this page"><ul>${parts.map((name) => html`<li><a href="#${anchorOf(name)}">${name.replaceAll('`', '')}</a></li>`)}</ul></nav>`;
  const groups = byGroup(
    others,
    (one) =>
      html`<li>${one.path === path ? html`<a href="${one.path}" aria-current="page">${one.title}</a>` : linkTo(one.path, one.title)}</li>`,
  );
  const guides = html`<nav class="guides" aria-label="Documentation">${groups.map(({ group, items }) => html`<h2>${group}</h2><ul>${items}</ul>`)}</nav>`;
  return html`<div class="docs"><article class="prose"><p class="crumbs">${linkTo('/docs', 'Documentation')} / ${title}</p>${heading(title, summary)}${parts.length > 2 ? contents : NOTHING}${markdownHtml(prose, resolve)}</article>
<aside>${guides}</aside></div>`;
}
