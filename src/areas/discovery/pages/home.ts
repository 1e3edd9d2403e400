import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { timeField } from '#kernel/fields.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import { hasPage, type Site } from '#kernel/operation.ts';
import { button, codeTabs, dataTable, linkTo, pill } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { Demos, EXAMPLE_DEMOS, payCard, raceCard, verifyCard } from '../front/demos.ts';
import { claimCode } from '../front/product.ts';
import type { RaceResult } from '../front/race.ts';
import { PRODUCT_IDS } from '../front/product-texts.ts';
import { HEADLINE_TONES } from '../status-headline.ts';

export const Home = z
  .strictObject({
    service: z.string(),
    description: z.string(),
    base_url: z.url(),
    sandbox: z.boolean(),
    live: z.strictObject({
      as_of: timeField,
      status: z.enum(['operational', 'degraded', 'outage']),
      headline: z
        .strictObject({ text: z.string(), tone: z.enum(HEADLINE_TONES) })
        .meta({ description: 'As on the status page.' }),
      log_entries: z.int(),
      claims_now: z.int().nullable().meta({ description: 'Null while it cannot be counted.' }),
      seals_today: z.int().nullable().meta({ description: 'Since midnight UTC. Null until the first count.' }),
      calls_24h: z.int().nullable(),
      registers: z.array(
        z.strictObject({ id: z.string(), status: z.enum(['up', 'degraded', 'down', 'not_configured']) }),
      ),
    }),
    first_calls: z.array(
      z.strictObject({
        goal: z.string(),
        curl: z.string(),
        url: z.url(),
        expect: z.strictObject({ status: z.int(), fields: z.array(z.string()) }),
      }),
    ),
    surfaces: z.array(z.strictObject({ id: z.string(), title: z.string(), what: z.string() })),
    is_not: z.array(z.string()),
    products: z.array(z.strictObject({ id: z.enum(PRODUCT_IDS), title: z.string(), what: z.string() })),
    demos: Demos,
  })
  .meta({ id: 'Home' });

export type HomeAnswer = z.output<typeof Home>;

export const EXAMPLE_HOME: HomeAnswer = {
  service: 'Avouch',
  description:
    'Leases on shared work, checks before money moves, and a public log anyone can verify. One HTTP API. No account needed to start.',
  base_url: 'https://avouch.example',
  sandbox: true,
  live: {
    as_of: '2026-11-15T01:00:00.000Z',
    status: 'operational',
    headline: { text: 'All systems operational', tone: 'good' },
    log_entries: 340,
    claims_now: 3,
    seals_today: 12,
    calls_24h: 1_200,
    registers: [{ id: 'vies', status: 'up' }],
  },
  first_calls: [
    {
      goal: 'Check whether work is free',
      curl: "curl -s 'https://avouch.example/v1/look?key=gh:acme/repo%2312'",
      url: 'https://avouch.example/v1/look?key=gh:acme/repo%2312',
      expect: { status: 200, fields: ['signal', 'reasons'] },
    },
  ],
  surfaces: [
    {
      id: 'crossing',
      title: 'Coordination',
      what: 'Check, claim, renew and release shared work. Fencing tokens included. Free.',
    },
  ],
  is_not: ['Avouch is not a civil-law notary.'],
  products: [
    {
      id: 'coordination',
      title: 'Coordination',
      what: 'Check, claim, renew, release. Fencing tokens included. Free.',
    },
  ],
  demos: EXAMPLE_DEMOS,
};

export const homePages = {
  html: (home: HomeAnswer, site: Site) => homeHtml(home, site),
  markdown: (home: HomeAnswer) => documentMarkdown(home, home.service),
};

/** The home page; after a race with its result. */
export function homeHtml(home: HomeAnswer, site: Site, race?: RaceResult): string {
  const title = `${home.service}: coordination, checks and proof for AI agents`;
  return page({ title, path: '/', scripts: ['home.js'], body: body(home, site, race) }, site);
}

const PROBLEMS = [
  [
    'Two agents, same task.',
    'Both open a pull request; one is wasted. A lease gives the work to one agent and tells the other how long to wait.',
  ],
  [
    'A payment nobody meant.',
    'A loop pays twice, or a prompt injection pays a stranger. Ten checks say GO, CAUTION or STOP before the money moves.',
  ],
  [
    '“It was delivered.”',
    'Can you prove it? A seal puts the record into an append-only log. Your counterparty verifies it in a browser, without trusting us.',
  ],
] as const;

/** As in README.md. */
export const WHY_NOT = [
  [
    'a Redis lock',
    'mutual exclusion inside one team',
    'grants that survive a crash, fencing tokens, queues, callers from other teams: the issue link is the key',
  ],
  ['Rekor', 'a log of software signatures', 'business records, evidence from public registers'],
  ['x402 alone', 'payment per call', 'whether to spend, safe retries across crashes, a receipt bound to the result'],
  ['AP2', 'signed mandates for a purchase', 'a running limit across platforms, a public record of each check'],
  ['your own table', 'full control', 'proof that others can verify without trusting you'],
] as const;

function body(home: HomeAnswer, site: Site, race: RaceResult | undefined): Html {
  const { description, sandbox, demos, products } = home;
  const { curl, typescript: ts, mcp, cli } = claimCode(home.base_url, demos.work_key, site.rowTool);
  return html`<div class="home">
<div class="home-hero"><div><h1>Agents act. Avouch keeps them from colliding and proves what they did.</h1><p class="lead">${description}</p>
<p class="actions">${button(sandbox ? 'Try it in the sandbox' : 'Try it', { href: '/playground' })}<a class="quiet-link" href="/docs/quickstart">Read the quickstart</a></p></div>
${livePanel(home)}</div>
<div class="home-problems">${PROBLEMS.map(([title, text]) => html`<section><h2>${title}</h2><p>${text}</p></section>`)}</div>
<section aria-labelledby="see-it-work"><h2 class="section-title" id="see-it-work">See it work</h2>
<div class="demos">${raceCard(race)}${verifyCard(demos, home.base_url)}${payCard(demos, site)}</div>
<div class="home-code"><div><h3>One of these claims, from your code</h3><p class="muted">Runs as printed. Take the lease, then run it again as another agent.</p><p>${linkTo('/docs/quickstart#take-a-lease', 'Next: work, renew, release')}</p></div>${codeTabs('claim-code', { curl, ts, ...(mcp !== null && { mcp }), cli })}</div></section>
<section aria-labelledby="products"><h2 class="section-title" id="products">What it is for</h2>
<ul class="product-cards">${products.map(({ id, title, what }) => html`<li><a class="card" href="/product/${id}"><strong>${title}</strong><span>${what}</span></a></li>`)}</ul></section>
<section aria-labelledby="why-not"><h2 class="section-title" id="why-not">Why not …</h2>${dataTable({
    caption: 'Alternatives, and what Avouch adds',
    hidesCaption: true,
    columns: ['Instead of Avouch', 'It gives you', 'Avouch adds'],
    rows: WHY_NOT,
  })}</section>
${closing(home, site)}</div>`;
}

function closing({ demos: { vat_check: check } }: HomeAnswer, site: Site): Html {
  const paid = check === null ? NOTHING : html` <strong>Paid:</strong> checks from ${check.price_usdc} USDC.`;
  const prices = hasPage(site, '/pricing') ? html` ${linkTo('/pricing', 'See pricing')}` : NOTHING;
  return html`<section class="home-closing" aria-label="Price and limits"><p><strong>Free:</strong> coordination, verification, briefs.${paid}${prices}</p>
<p><strong>Limits:</strong> A seal never proves that a claim is true. Avouch is not a notary, not an eIDAS trust service, and never holds or moves funds for a mandate. ${linkTo('/product/proof#limits', 'What Avouch does not promise')}</p></section>`;
}

/** Loaded again every five seconds; every figure keeps its place. */
function livePanel({ live }: HomeAnswer): Html {
  const { status, headline, log_entries: entries, claims_now: leases, calls_24h: calls } = live;
  const figure = (value: number | null) => value?.toLocaleString('en') ?? '–';
  return html`<aside class="card live-panel" id="live" aria-label="Live figures"><p><a href="/system/status">${pill(status, { label: headline.text, tone: headline.tone })}</a></p>
<dl><div><dt><a href="/log">Log entries</a></dt><dd>${figure(entries)}</dd></div><div><dt><a href="/board">Active leases</a></dt><dd>${figure(leases)}</dd></div><div><dt>Calls, last 24 h</dt><dd>${figure(calls)}</dd></div></dl></aside>`;
}
