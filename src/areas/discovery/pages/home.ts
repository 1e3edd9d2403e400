import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { timeField } from '#kernel/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, code, heading, light, linkTo, stats, timeElement } from '#web/components.ts';
import { page } from '#web/layout.ts';

export const Home = z
  .strictObject({
    service: z.string(),
    description: z.string(),
    base_url: z.url(),
    sandbox: z.boolean(),
    live: z.strictObject({
      as_of: timeField,
      status: z.enum(['operational', 'degraded', 'outage']),
      log_entries: z.int(),
      claims_now: z.int().nullable().meta({ description: 'Null until the first count.' }),
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
  })
  .meta({ id: 'Home' });

export type HomeAnswer = z.output<typeof Home>;

export const homePages = {
  html: (home: HomeAnswer, site: Site) =>
    page(
      {
        title: `${home.service}: coordination, checks and proof for AI agents`,
        path: '/',
        scripts: ['htmx.js'],
        body: body(home),
      },
      site,
    ),
  markdown: (home: HomeAnswer) => documentMarkdown(home, home.service),
};

function body(home: HomeAnswer): Html {
  return html`<div class="hero">${heading(
    'Agents act. Avouch keeps them from colliding and proves what they did.',
    home.description,
    [
      button(home.sandbox ? 'Try it in the sandbox' : 'Try it', { href: '/playground' }),
      button('Read the quickstart', { href: '/docs/quickstart', kind: 'plain' }),
    ],
  )}</div>
${live(home)}
<h2 class="section-title">See it work</h2>
<section class="card calls">${home.first_calls.map(quickstartCall)}</section>
<h2 class="section-title">What it is for</h2>
<div class="features">${home.surfaces.map(({ title, what }) => html`<div><h3>${title}</h3><p class="muted">${what}</p></div>`)}</div>
${card({
  title: 'What Avouch does not promise',
  body: html`<ul>${home.is_not.map((text) => html`<li>${text}</li>`)}</ul>`,
})}`;
}

/** Loaded again by itself; every figure keeps its place. */
function live({
  live: { as_of, status, log_entries, claims_now, seals_today, calls_24h, registers },
}: HomeAnswer): Html {
  const figure = (value: number | null) => value?.toLocaleString('en') ?? '–';
  return html`<div id="live" hx-get="/" hx-trigger="every 10s" hx-select="#live" hx-swap="outerHTML">
${stats([
  { label: 'Status', value: light(status), note: linkTo('/system/status', 'Details') },
  { label: 'Log entries', value: figure(log_entries), note: 'append-only' },
  { label: 'Active leases', value: figure(claims_now), note: 'right now' },
  { label: 'Seals today', value: figure(seals_today), note: 'since midnight UTC' },
  { label: 'Calls', value: figure(calls_24h), note: 'last 24 hours' },
])}
<p class="register-line"><span class="muted">Registers</span> ${registers.map(({ id, status: state }) => html`<span class="register">${id} ${light(state)}</span> `)}<span class="muted as-of">as of ${timeElement(as_of)}</span></p>
</div>`;
}

function quickstartCall({ goal, curl, url, expect }: HomeAnswer['first_calls'][number], index: number): Html {
  return html`<div class="call"><div><h3>${index + 1}. ${goal}</h3><p class="muted">${expect.status} with ${expect.fields.join(', ')} · ${linkTo(url, 'Open')}</p></div>${code(curl, goal)}</div>`;
}
