import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import * as part from '#web/components.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';
import { tokens } from '#web/tokens.ts';

interface Sample {
  readonly name: string;
  readonly what: string;
  readonly show: () => Html;
}

const AT = '2026-11-15T12:00:00.000Z';
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const SAMPLES: readonly Sample[] = [
  {
    name: 'stats',
    what: 'Figures in a row. New values do not shift the layout.',
    show: () =>
      part.stats([
        { label: 'Log entries', value: '12,408', note: 'signed 4 s ago' },
        { label: 'Active leases', value: 31 },
        { label: 'State', value: part.light('operational') },
      ]),
  },
  {
    name: 'table',
    what: 'A caption and a name in the first cell of each row. Scrolls horizontally on small screens.',
    show: () =>
      part.dataTable({
        caption: 'Two registers',
        columns: ['Register', 'State', { label: 'p95, ms', align: 'number' }],
        rows: [
          ['vies', part.light('up'), 910],
          ['kvk', part.light('degraded'), 2400],
        ],
      }),
  },
  {
    name: 'badge and light',
    what: 'A colour, always with a word.',
    show: () =>
      html`<p class="actions">${part.badge('draft')}${part.badge('info', 'info')}${['green', 'amber', 'red', 'unknown'].map((word) => part.light(word))}</p>`,
  },
  {
    name: 'code',
    what: 'Text with a copy button.',
    show: () => part.code("curl -s 'https://avouch.example/v1/look?key=gh:acme/repo%2312'", 'Example'),
  },
  {
    name: 'keyValues, hash, time',
    what: 'Names and values. Digests can break anywhere. Times are in ISO format.',
    show: () =>
      part.keyValues([
        ['root hash', part.hash(DIGEST)],
        ['signed', part.timeElement(AT)],
        ['outside', part.linkTo('https://example.org/', 'example.org')],
      ]),
  },
  {
    name: 'notice',
    what: 'One important message.',
    show: () =>
      html`${(['neutral', 'info', 'good', 'warn'] as const).map((tone) => part.notice(tone, `A ${tone} notice.`))}`,
  },
  {
    name: 'tabs',
    what: 'Panels, one visible at a time, without script.',
    show: () =>
      part.tabs('design-tabs', [
        { label: 'curl', body: part.code('curl -s …', 'curl') },
        { label: 'MCP', body: part.code('{"name":"look"}', 'MCP call') },
      ]),
  },
  {
    name: 'timeline',
    what: 'Events in order.',
    show: () =>
      part.timeline([
        { at: AT, title: 'Created', tone: 'info' },
        { at: AT, title: 'Sealed', tone: 'good', body: html`<p>${part.hash('ATT-…')}</p>` },
      ]),
  },
  { name: 'pager', what: 'Previous and next.', show: () => part.pager({ next: '/design', position: '1 to 20 of 90' }) },
  {
    name: 'button',
    what: 'Links and form buttons.',
    show: () =>
      html`<p class="actions">${part.button('Primary', { href: '/design' })}${part.button('Plain', { href: '/design', kind: 'plain' })}${part.button('Danger', { href: '/design', kind: 'danger' })}</p>`,
  },
  {
    name: 'field',
    what: 'A labelled field with hint and error, generated from a JSON Schema.',
    show: () =>
      html`<form method="get" action="/design">${field({ name: 'key', schema: { type: 'string', maxLength: 120, description: 'The work key.' }, isRequired: true })}${field({ name: 'mode', schema: { enum: ['shared', 'exclusive'], default: 'shared' } })}${field({ name: 'ttl', schema: { type: 'integer', minimum: 30, maximum: 3600 }, value: '5', error: 'Must be at least 30.' })}</form>`,
  },
  {
    name: 'emptyState',
    what: 'An empty state, with the next step.',
    show: () => part.emptyState('No seals today', 'The first one appears here.'),
  },
  {
    name: 'chart',
    what: 'Lines over time, if scripts run. A table shows the same numbers.',
    show: () =>
      part.chart({
        title: 'Latency',
        unit: 'ms',
        times: [0, 1, 2, 3, 4, 5].map((n) => Date.parse(AT) / 1_000 + n * 10),
        series: [
          { label: 'storage', values: [0.8, 0.9, 0.7, 1.4, 0.9, 0.8] },
          { label: 'log', values: [2.1, 2.2, 1.9, null, 2.5, 2.3] },
        ],
      }),
  },
];

export const Design = z
  .strictObject({
    tokens: z.array(z.strictObject({ name: z.string(), light: z.string(), dark: z.string() })),
    components: z.array(z.strictObject({ name: z.string(), what: z.string() })),
  })
  .meta({ id: 'Design' });

type DesignAnswer = z.output<typeof Design>;

export function design(): DesignAnswer {
  return { tokens: tokens(), components: SAMPLES.map(({ name, what }) => ({ name, what })) };
}

export const designPages = {
  html: (shown: DesignAnswer, site: Site) =>
    page({ title: 'Design', path: '/design', charts: true, body: body(shown) }, site),
  markdown: (shown: DesignAnswer) => documentMarkdown(shown, 'Design'),
};

function body(shown: DesignAnswer): Html {
  const rows = shown.tokens.map(({ name, light, dark }) => [
    html`<code>--${name}</code>`,
    /^#/.test(light) ? swatch(name) : '',
    html`<code>${light}</code>`,
    html`<code>${dark}</code>`,
  ]);
  return html`${part.heading('Design', 'The components of these pages: one style sheet, no build step, usable without script.')}
${SAMPLES.map(({ name, what, show }) => part.card({ title: name, body: html`<p class="muted">${what}</p>${show()}` }))}
${part.card({ title: 'Tokens', body: part.dataTable({ caption: 'Custom properties of the style sheet', columns: ['Name', 'Shown', 'Light', 'Dark'], rows, hidesCaption: true }) })}`;
}

function swatch(name: string): Html {
  return html`<svg class="swatch" width="48" height="16" aria-hidden="true"><rect width="48" height="16" fill="var(--${name})"/></svg>`;
}
