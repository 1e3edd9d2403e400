import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { heading, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { anchorOf, markdownHtml } from '#web/markdown.ts';

const Entry = z.strictObject({ name: z.string(), title: z.string(), path: z.string() });

export const DocsIndex = z.strictObject({ pages: z.array(Entry) }).meta({ id: 'DocsIndex' });
export const DocsPage = z
  .strictObject({
    ...Entry.shape,
    text: z.string().meta({ description: 'Markdown' }),
    others: z.array(Entry).meta({ description: 'Every page, in the order of the index' }),
  })
  .meta({ id: 'DocsPage' });

type Index = z.output<typeof DocsIndex>;
type Shown = z.output<typeof DocsPage>;

/** A page of the documentation as it is handed in. */
export interface DocumentationPage {
  readonly name: string;
  readonly text: string;
}

const TITLE = /^# (.+)$/m;

export function docsIndex(pages: readonly DocumentationPage[]): Index {
  return {
    pages: pages.map(({ name, text }) => ({ name, title: TITLE.exec(text)?.[1] ?? name, path: `/docs/${name}` })),
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
  ['/entry', 'Entry: who, versions, prices'],
  ['/entry/full', 'Every operation and limit'],
  ['/agent-discovery/onboarding', 'First steps, goal by goal'],
  ['/openapi.json', 'OpenAPI 3.1'],
  ['/llms.txt', 'Index for language models'],
] as const;

function indexBody({ pages }: Index): Html {
  const lead = 'How the service is used, page by page. Each is Markdown too: add .md to its address.';
  return html`${heading('Documentation', lead)}
<section class="card tile"><h2>Guides</h2><ul class="columns">${pages.map(({ name, path, title }) => html`<li id="${name}">${linkTo(path, title)}</li>`)}</ul></section>
<section class="card tile"><h2>For machines</h2><ul class="columns">${MACHINE.map(([path, title]) => html`<li>${linkTo(path, title)}</li>`)}</ul></section>`;
}

function pageBody({ title, path, text, others }: Shown): Html {
  const known = new Map(others.map((one) => [`${one.name}.md`, one.path]));
  const resolve = (address: string) => {
    const [file = '', anchor] = address.split('#', 2);
    const target = file === '' ? path : (known.get(file) ?? (/^(?:https:|\/)/.test(file) ? file : undefined));
    return target === undefined || anchor === undefined ? target : `${target}#${anchor}`;
  };
  const prose = text.replace(TITLE, '');
  const parts = [...prose.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
  const contents = html`<nav class="contents" aria-label="On this page"><ul>${parts.map((name) => html`<li><a href="#${anchorOf(name)}">${name.replaceAll('`', '')}</a></li>`)}</ul></nav>`;
  const guides = html`<nav class="guides" aria-label="Guides"><ul>${others.map((one) => html`<li>${one.path === path ? html`<a href="${one.path}" aria-current="page">${one.title}</a>` : linkTo(one.path, one.title)}</li>`)}</ul></nav>`;
  return html`<div class="docs"><article class="prose"><p class="crumbs">${linkTo('/docs', 'Documentation')} / ${title}</p>${heading(title)}${parts.length > 2 ? contents : NOTHING}${markdownHtml(prose, resolve)}</article>
<aside>${guides}</aside></div>`;
}
