// The one frame of all pages. What a page must know of its installation (its name, and whether it is a sandbox) is the
// `site` that transport hands to `pages.html(output, site)`; a page hands it on: `page({ title, path, body }, site)`.
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { hasPage, type Site } from '#kernel/operation.ts';
import { assetPath, isModule, type ScriptName } from './assets.ts';

const PRODUCT = [
  { path: '/product/coordination', label: 'Coordination', what: 'Leases on shared work' },
  { path: '/product/proof', label: 'Proof', what: 'Sealed records, public log' },
  { path: '/product/checks', label: 'Checks', what: 'Verdicts before money moves' },
  { path: '/product/mandates', label: 'Mandates', what: 'What an agent may commit' },
  { path: '/product/wallet', label: 'Wallet & work', what: 'Prepaid tasks and orders' },
  { path: '/product/mcp', label: 'MCP', what: 'Tools for any MCP client' },
] as const;

const EXPLORE = [
  { path: '/log', label: 'Log', what: 'Every public entry' },
  { path: '/verify', label: 'Verify a proof', what: 'In your browser' },
  { path: '/board', label: 'Board', what: 'Who works on what' },
  { path: '/playground', label: 'Playground', what: 'Real calls, no account' },
] as const;

interface Place {
  readonly path: string;
  readonly label: string;
  readonly what?: string;
}

interface MenuEntry {
  readonly id: NavId;
  readonly label: string;
  readonly path?: string;
  readonly places?: readonly Place[];
}

export type NavId = 'product' | 'docs' | 'explore' | 'pricing' | 'status' | 'dashboard';

const NAVIGATION: readonly MenuEntry[] = [
  { id: 'product', label: 'Product', places: PRODUCT },
  { id: 'docs', label: 'Docs', path: '/docs' },
  { id: 'explore', label: 'Explore', places: EXPLORE },
  { id: 'pricing', label: 'Pricing', path: '/pricing' },
  { id: 'status', label: 'Status', path: '/system/status' },
];

export interface Page {
  readonly title: string;
  /** The address of the page, from which those of its JSON and Markdown are made. */
  readonly path: string;
  readonly body: Html;
  /** The entry of the navigation that the page belongs to. */
  readonly section?: NavId;
  /** Wide for pages with columns at their sides. */
  readonly width?: 'wide';
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

const FOOTER: readonly { readonly title: string; readonly places: readonly Place[] }[] = [
  { title: 'Product', places: [...PRODUCT, { path: '/pricing', label: 'Pricing' }] },
  {
    title: 'Developers',
    places: [
      { path: '/docs', label: 'Docs' },
      { path: '/playground', label: 'Playground' },
      { path: '/openapi.json', label: 'OpenAPI' },
      { path: '/llms.txt', label: 'llms.txt' },
      { path: '/mcp', label: 'MCP' },
      { path: '/system/status', label: 'Status' },
    ],
  },
  {
    title: 'Trust',
    places: [
      { path: '/log', label: 'Log' },
      { path: '/verify', label: 'Verify a proof' },
      { path: '/.well-known/avouch-keys.json', label: 'Keys' },
      { path: '/protocols', label: 'Protocols' },
      { path: '/api/rules-of-engagement', label: 'Usage rules' },
      { path: '/product/proof#limits', label: 'What we do not promise' },
    ],
  },
];
/** What a person has opened stays open when a part of the page is renewed. */
const HTMX_CONFIG = '{"includeIndicatorCSS":false,"morphIgnore":["data-htmx-powered","open"]}';

/** The whole document of a public page. */
export function page(view: Page, site: Site): string {
  const { body, section } = view;
  const navigation = NAVIGATION.filter(({ path }) => path === undefined || hasPage(site, path)).map((entry) => ({
    ...entry,
    ...(entry.places && { places: offered(entry.places, site) }),
  }));
  const actions = offered(ACTIONS, site);
  const action = ({ path, label, kind }: (typeof ACTIONS)[number]) => {
    const isCurrent = kind === 'sign-in' && section === 'dashboard';
    return html`<a class="${kind}"${kind === 'sign-in' ? html` data-sign-in` : NOTHING} href="${path}"${isCurrent ? html` aria-current="page"` : NOTHING}>${label}</a>`;
  };
  const inMenu = ({ path, label, kind }: (typeof ACTIONS)[number]) =>
    html`<li><a${kind === 'sign-in' ? html` data-sign-in` : NOTHING} href="${path}">${label}</a></li>`;
  return shell(
    view,
    site,
    html`<header class="site-header"><div class="wrap bar">
${brand(site)}
<nav class="main-nav" aria-label="Main"><ul>${navigation.map((entry) => menuEntry(entry, section))}</ul></nav>
${searchForm('site-search')}
<div class="bar-actions">${actions.map(action)}</div>
${phoneMenu(html`${searchForm('site-search')}<nav aria-label="Menu">${navigation.map((entry) => phoneEntry(entry, section))}<ul>${actions.map(inMenu)}</ul></nav>`)}
</div></header>
<main id="main" class="wrap" tabindex="-1">
${body}
</main>
${footer(view, site)}`,
  );
}

/** At the end of the bar. */
const ACTIONS = [
  { path: '/dashboard', label: 'Sign in', kind: 'sign-in' },
  { path: '/start', label: 'Get started', kind: 'button button-primary' },
] as const;

function offered<P extends Place>(places: readonly P[], site: Site): P[] {
  return places.filter(({ path }) => hasPage(site, path));
}

const DASHBOARD: readonly { readonly title?: string; readonly places: readonly Place[] }[] = [
  { places: [{ path: '/dashboard', label: 'Overview' }] },
  {
    title: 'Money',
    places: [
      { path: '/dashboard/ledger', label: 'Ledger' },
      { path: '/dashboard/spend', label: 'Spend' },
      { path: '/dashboard/topup', label: 'Top up' },
    ],
  },
  {
    title: 'Activity',
    places: [
      { path: '/dashboard/calls', label: 'Calls' },
      { path: '/dashboard/tasks', label: 'Tasks' },
      { path: '/dashboard/orders', label: 'Orders' },
    ],
  },
  {
    title: 'Access',
    places: [
      { path: '/dashboard/keys', label: 'Agents & keys' },
      { path: '/dashboard/mandates', label: 'Mandates' },
    ],
  },
];
const OWN_PLACES: readonly Place[] = [
  { path: '/dashboard/account', label: 'Account' },
  { path: '/dashboard/sessions', label: 'Sessions' },
];

export interface DashboardFrame extends Omit<Page, 'section' | 'isPrivate' | 'width'> {
  readonly email: string;
  /** Which agents the pages are about: a form that gets the same page. */
  readonly picker: Html;
  /** The form that ends the session. */
  readonly signOut: Html;
  /** Kept while one goes from page to page, such as `?agent_id=agt_…`. */
  readonly query?: string;
}

/** The whole document of a page of the dashboard: a bar at the side, a menu on phones. */
export function dashboardFrame(view: DashboardFrame, site: Site): string {
  const { body, path, email, picker, signOut, query = '' } = view;
  const current = path.split('?')[0];
  const places = (list: readonly Place[]) =>
    html`<ul>${list.map((place) => link({ ...place, path: `${place.path}${query}` }, place.path === current))}</ul>`;
  const side = html`${picker}<nav aria-label="Dashboard">${DASHBOARD.map(
    ({ title, places: list }) =>
      html`${title === undefined ? NOTHING : html`<p class="side-title">${title}</p>`}${places(list)}`,
  )}</nav><div class="side-owner"><p class="side-email">${email}</p>${places(OWN_PLACES)}${signOut}</div>`;
  return shell(
    { ...view, isPrivate: true, scripts: ['dashboard.js', ...(view.scripts ?? [])] },
    site,
    html`<div class="dashboard">
<header class="side-bar">${brand(site)}<div class="side-wide">${side}</div>${phoneMenu(side)}</header>
<div class="dashboard-content">
<main id="main" tabindex="-1">
${body}
</main>
<footer class="dashboard-footer"><a href="/docs">Docs</a> <a href="/system/status">Status</a> <a href="/">Public site</a>${otherForms(view, html` <span>This page as <a href="${alternate(view.path, 'json')}">JSON</a> · <a href="${alternate(view.path, 'md')}">Markdown</a></span>`)}</footer>
</div></div>`,
  );
}

function shell(view: Page, site: Site, frame: Html): string {
  const { title, language = 'en', width } = view;
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
<body${width === 'wide' ? html` class="is-wide"` : NOTHING}>
<a class="skip" href="#main">Skip to content</a>
${site.sandbox ? html`<p class="sandbox-strip" role="note">Sandbox. No real money, made-up registers.</p>` : NOTHING}
${frame}
</body>
</html>
`.text;
}

function brand(site: Site): Html {
  return html`<a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span>${site.service}</a>`;
}

function searchForm(className: string): Html {
  return html`<form action="/search" class="${className}" role="search"><input name="q" type="search" placeholder="Search" aria-label="Search" maxlength="200"></form>`;
}

/** Opens without script; site.js closes it with Escape. */
function phoneMenu(body: Html): Html {
  return html`<details class="phone-menu" name="menu"><summary aria-label="Menu"><span class="menu-icon" aria-hidden="true"></span></summary><div class="menu-sheet">${body}</div></details>`;
}

function menuEntry({ id, label, path, places = [] }: MenuEntry, section: NavId | undefined): Html {
  if (path !== undefined) return link({ path, label }, id === section);
  const list = places.map(
    (place) =>
      html`<li><a href="${place.path}"><strong>${place.label}</strong><span>${place.what ?? ''}</span></a></li>`,
  );
  return html`<li><details class="menu" name="menu"><summary${id === section ? html` class="is-current"` : NOTHING}>${label}</summary><ul>${list}</ul></details></li>`;
}

function phoneEntry({ id, label, path, places = [] }: MenuEntry, section: NavId | undefined): Html {
  if (path !== undefined) return html`<ul>${link({ path, label }, id === section)}</ul>`;
  return html`<p class="side-title">${label}</p><ul>${places.map((place) => link(place, false))}</ul>`;
}

function link({ path, label }: Place, isCurrent: boolean): Html {
  return html`<li><a href="${path}"${isCurrent ? html` aria-current="page"` : NOTHING}>${label}</a></li>`;
}

function footer(view: Page, site: Site): Html {
  const columns = FOOTER.map(
    ({ title, places }) =>
      html`<div><h2>${title}</h2><ul>${offered(places, site).map((place) => link(place, false))}</ul></div>`,
  );
  const forms = html`<div><h2>This page</h2><ul>${link({ path: alternate(view.path, 'json'), label: 'JSON' }, false)}${link({ path: alternate(view.path, 'md'), label: 'Markdown' }, false)}</ul></div>`;
  return html`<footer class="site-footer"><div class="wrap">${columns}${otherForms(view, forms)}</div></footer>`;
}

function head(view: Page): Html {
  const { path, scripts = [], charts, isPrivate, refreshSeconds } = view;
  const names: ScriptName[] = [
    'site.js',
    ...(charts ? (['uplot.js', 'charts.js'] as const) : []),
    ...(refreshSeconds === undefined ? [] : (['reload.js'] as const)),
    ...scripts,
  ];
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
${
  refreshSeconds === undefined
    ? NOTHING
    : html`<meta name="reload-after" content="${refreshSeconds}"><noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
}
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

/** The same page in another form; a query of its own is kept. */
function alternate(address: string, format: 'json' | 'md'): string {
  const [path = '', query] = address.split('?', 2);
  if (format === 'md' && path !== '/' && query === undefined) return `${path}.md`;
  return `${path}?${query === undefined ? '' : `${query}&`}format=${format}`;
}
