import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html } from '#kernel/html.ts';
import { lazily } from '#kernel/lazily.ts';
import type { Site } from '#kernel/operation.ts';
import { eur, eurSigned, usdc } from '#web/amounts.ts';
import { dayStrip, sparkline, stackedBars, stepLine } from '#web/chart.ts';
import * as part from '#web/components.ts';
import { field } from '#web/form-field.ts';
import { page } from '#web/layout.ts';
import { fullId, shortId } from '#web/short-id.ts';
import { countdown, when, whenExact } from '#web/times.ts';
import { tokens } from '#web/tokens.ts';
import { quoted, untrustedNote } from '#web/untrusted.ts';

interface Sample {
  readonly name: string;
  readonly what: string;
  readonly show: () => Html;
}

/** The page has no moment of its own: its times stay as they are. */
const AT_NOON = { nowMs: () => Date.parse('2026-11-15T12:00:00Z') };
const DAYS = ['9 Nov', '10 Nov', '11 Nov', '12 Nov', '13 Nov', '14 Nov', '15 Nov'];
const euros = (value: number) => eur(value.toFixed(2));
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
        { label: 'State', value: part.pill('operational') },
      ]),
  },
  {
    name: 'table',
    what: 'A caption and a name in the first cell of each row. Rows become cards on phones.',
    show: () =>
      part.dataTable({
        caption: 'Two registers',
        columns: ['Register', 'State', { label: 'p95, ms', align: 'number' }],
        rows: [
          { cells: ['VIES', part.pill('up'), 910], details: html`<p>Asked through its SOAP interface.</p>` },
          ['KvK', part.pill('degraded'), 2400],
        ],
      }),
  },
  {
    name: 'badge and pill',
    what: 'A colour, always with a word.',
    show: () =>
      html`<p class="actions">${part.badge('draft')}${part.badge('info', 'info')}${['completed', 'running', 'input_required', 'failed', 'expired'].map((word) => part.pill(word))}</p>`,
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
        ['signed', whenExact(AT)],
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
    name: 'ids, times, amounts',
    what: 'Short to read, complete when copied. Times are relative; the title has the exact time.',
    show: () =>
      part.keyValues([
        ['id', shortId('agt_5fxn0123456789abcdefghtv91')],
        ['full id', fullId('agt_5fxn0123456789abcdefghtv91')],
        ['digest', shortId(DIGEST)],
        ['when', when('2026-11-15T11:57:00.000Z', AT_NOON)],
        ['exact', whenExact(AT)],
        ['ends in', countdown('2026-11-15T12:02:36.000Z', AT_NOON)],
        ['amounts', `${eur('9.76')}, ${eurSigned('-0.20')}, ${eurSigned('10')}, ${usdc('0.002')}`],
      ]),
  },
  {
    name: 'steps, crumbs, segmented',
    what: 'Where one is, and what else there is.',
    show: () =>
      html`${part.crumbs([{ href: '/design', label: 'Orders' }], 'ord_1h6h…qdk0')}${part.steps(
        [
          { label: 'Name', state: 'done' },
          { label: 'Key', state: 'current' },
          { label: 'First call', state: 'todo' },
        ],
        'Get started',
      )}${part.segmented('Range', [
        { label: '7 days', href: '/design', isCurrent: false },
        { label: '30 days', href: '/design', isCurrent: true },
        { label: '90 days', href: '/design', isCurrent: false },
      ])}`,
  },
  {
    name: 'codeTabs',
    what: 'The same call in several languages. The choice is remembered.',
    show: () => part.codeTabs('design-code', { curl: 'curl -s …', ts: 'await client.look(…)', cli: './avouch look …' }),
  },
  {
    name: 'quoted',
    what: 'Text that somebody else wrote, in one line.',
    show: () =>
      html`<p>${quoted('Fix the flaky test')}</p>${quoted('A request that goes on and on, much longer than a line, and has its end behind a click that opens it.')}${untrustedNote()}`,
  },
  {
    name: 'confirm',
    what: 'Asked before something that cannot be undone. A page without script, a dialog with it.',
    show: () =>
      part.confirmCard({
        title: 'Revoke this key?',
        body: html`<p>buyer-7 · key_2ege…7rgs. Its calls fail at once. This cannot be undone.</p>`,
        form: html`<a class="button button-danger" href="/design">Revoke key</a>`,
        cancel: '/design',
      }),
  },
  {
    name: 'errorSummary, skeleton',
    what: 'What needs attention in a form, and what is still loading.',
    show: () => html`${part.errorSummary([{ message: 'Enter 8 digits', href: '#field-ttl' }])}${part.skeleton(2)}`,
  },
  {
    name: 'stackedBars, stepLine, sparkline, dayStrip',
    what: 'Drawn by the server. A table or a name has every number too.',
    show: () =>
      html`${stackedBars({
        title: 'Spend, 7 days',
        labels: DAYS,
        series: [
          { label: 'Order fees', values: [0.2, 0, 0.4, 0.1, 0, 0.6, 0.2] },
          { label: 'Tasks', values: [0.1, 0.05, 0, 0.3, 0, 0.2, 0.1] },
        ],
        format: euros,
      })}${stepLine({
        title: 'Balance, 7 days',
        points: DAYS.map((label, place) => ({ label, value: [0, 10, 9.8, 9.4, 9.4, 8.6, 8.3][place] ?? 0 })),
        format: euros,
      })}<p>${sparkline([1, 3, 2, 5, 4, 6], 'Calls, last 6 hours')}</p>${dayStrip({
        name: 'Coordination, 7 days',
        days: DAYS.map((label, place) =>
          place === 3 ? { label, tone: 'bad', text: '98.1 %' } : { label, tone: 'good', text: '100 %' },
        ),
      })}`,
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

export const shownDesign = lazily(
  (): DesignAnswer => ({ tokens: tokens(), components: SAMPLES.map(({ name, what }) => ({ name, what })) }),
);

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
