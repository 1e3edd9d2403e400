// The one frame of all pages. What a page must know of its installation (its name, and whether it is a sandbox) is the
// `site` that transport hands to `pages.html(output, site)`; a page hands it on: `page({ title, path, body }, site)`.
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { assetPath, isModule, type ScriptName } from './assets.ts';

const NAVIGATION = [
  { id: 'home', path: '/', label: 'Home' },
  { id: 'log', path: '/log', label: 'Log' },
  { id: 'verify', path: '/verify', label: 'Verify' },
  { id: 'board', path: '/board', label: 'Board' },
  { id: 'playground', path: '/playground', label: 'Playground' },
  { id: 'status', path: '/system/status', label: 'Status' },
  { id: 'protocols', path: '/protocols', label: 'Protocols' },
  { id: 'docs', path: '/docs', label: 'Docs' },
  { id: 'cabinet', path: '/cabinet', label: 'Dashboard' },
] as const;

export type NavId = (typeof NAVIGATION)[number]['id'];

export interface Page {
  readonly title: string;
  /** The address of the page, from which those of its JSON and Markdown are made. */
  readonly path: string;
  readonly body: Html;
  /** The entry of the navigation that the page belongs to. */
  readonly section?: NavId;
  /** Files of `static/`, or `htmx.js`. */
  readonly scripts?: readonly ScriptName[];
  /** Loads uPlot and the script that draws `chart()`. */
  readonly charts?: boolean;
  /** A page of one person or of one payment: search engines leave it out. */
  readonly isPrivate?: boolean;
  /** Loads the page again by itself, also without script. */
  readonly refreshSeconds?: number;
  readonly language?: string;
  /** False for a page that has no other form at its address, such as an error. */
  readonly hasForms?: boolean;
}

const FOOTER = [
  ['/entry', 'API index'],
  ['/openapi.json', 'OpenAPI'],
  ['/llms.txt', 'llms.txt'],
  ['/economy/manifest', 'Prices'],
  ['/api/rules-of-engagement', 'Usage rules'],
  ['/.well-known/avouch-keys.json', 'Keys'],
  ['/design', 'Design'],
] as const;
const HTMX_CONFIG = '{"includeIndicatorCSS":false}';

/** The whole document. */
export function page(view: Page, site: Site): string {
  const { title, body, section, language = 'en' } = view;
  const name = view.path === '/' ? title : `${title} · ${site.service}`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
${head(view)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${site.sandbox ? html`<p class="sandbox-strip" role="note">Sandbox. No real money, made-up registers.</p>` : NOTHING}
<header class="site-header"><div class="wrap">
<a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span>${site.service}</a>
<nav aria-label="Main"><ul>${NAVIGATION.map((entry) => navigationItem(entry, section))}</ul></nav>
</div></header>
<main id="main" class="wrap" tabindex="-1">
${body}
</main>
<footer class="site-footer"><div class="wrap">
<ul>${FOOTER.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)}</ul>
${otherForms(view, html`<p>This page as <a href="${alternate(view.path, 'json')}">JSON</a> · <a href="${alternate(view.path, 'md')}">Markdown</a></p>`)}
</div></footer>
</body>
</html>
`.text;
}

function head(view: Page): Html {
  const { path, scripts = [], charts, isPrivate, refreshSeconds } = view;
  const names: ScriptName[] = ['site.js', ...(charts ? (['uplot.js', 'charts.js'] as const) : []), ...scripts];
  return html`<link rel="stylesheet" href="${assetPath('site.css')}">
${charts ? html`<link rel="stylesheet" href="${assetPath('uplot.css')}">` : NOTHING}
<link rel="icon" type="image/svg+xml" href="/logo.svg">
${otherForms(
  view,
  html`<link rel="canonical" href="${path}">
<link rel="alternate" type="text/markdown" href="${alternate(path, 'md')}">
<link rel="alternate" type="application/json" href="${alternate(path, 'json')}">`,
)}
${isPrivate ? html`<meta name="robots" content="noindex">` : NOTHING}
${refreshSeconds === undefined ? NOTHING : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
${scripts.includes('htmx.js') ? html`<meta name="htmx-config" content="${HTMX_CONFIG}">` : NOTHING}
${[...new Set(names)].map((name) =>
  isModule(name)
    ? html`<script type="module" src="${assetPath(name)}"></script>`
    : html`<script defer src="${assetPath(name)}"></script>`,
)}`;
}

function otherForms({ hasForms = true }: Page, links: Html): Html {
  return hasForms ? links : NOTHING;
}

function navigationItem({ id, path, label }: (typeof NAVIGATION)[number], section: NavId | undefined): Html {
  return id === section
    ? html`<li><a href="${path}" aria-current="page">${label}</a></li>`
    : html`<li><a href="${path}">${label}</a></li>`;
}

/** The same page in another form; a query of its own is kept. */
function alternate(address: string, format: 'json' | 'md'): string {
  const [path = '', query] = address.split('?', 2);
  if (format === 'md' && path !== '/' && query === undefined) return `${path}.md`;
  return `${path}?${query === undefined ? '' : `${query}&`}format=${format}`;
}
