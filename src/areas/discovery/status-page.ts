import type { z } from 'zod';
import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { dayStrip } from '#web/chart.ts';
import { card, linkTo, pill } from '#web/components.ts';
import { toneOf } from '#web/labels.ts';
import { page } from '#web/layout.ts';
import { exactText, lengthText, when } from '#web/times.ts';
import { type Incident, incidentsOf } from './incidents.ts';
import { PRODUCTS } from './products.ts';
import type { Status } from './status-answer.ts';
import { isoOf, statusDetails, thinned } from './status-details.ts';
import { headlineOf, isIll, isUnchecked } from './status-headline.ts';
import { nameOf, REGISTER_WHEN_DOWN, whenDown } from './status-names.ts';

type Shown = z.output<typeof Status>;

const INCIDENTS_SHOWN = 10;

export function statusHtml(status: Shown, site: Site): string {
  const incidents = endedOnes(incidentsOf(status.history), status);
  const body = html`<div id="state" hx-get="/system/status" hx-trigger="every 15s" hx-select="#state" hx-swap="outerMorph">
${top(status, site)}${current(status, incidents, site)}${availability(status)}${past(incidents, site)}
${statusDetails(status, site)}
</div>`;
  const { latency_history } = status;
  const view = {
    title: 'Status',
    path: '/system/status',
    section: 'status',
    scripts: ['htmx.js'],
    charts: latency_history.series.length > 0,
  } as const;
  return page({ ...view, body }, site);
}

/** The end of an incident is written with the next beat; until then it ended now. */
function endedOnes(incidents: readonly Incident[], { as_of, components, registers }: Shown): Incident[] {
  const ill = new Set([...components, ...registers].filter(isIll).map(({ id }) => id));
  return incidents.map((one) =>
    one.toMs === null && !ill.has(one.component) ? { ...one, toMs: Date.parse(as_of) } : one,
  );
}

/** The latencies with as many points as the page shows, and availability without its days. */
export function statusMarkdown(status: Shown): string {
  const { at, series, ...latencies } = thinned(status.latency_history);
  const points = at.map((seconds, index) => ({
    at: isoOf(seconds),
    ...Object.fromEntries(series.map(({ id, figure, values }) => [`${id}_${figure}`, values[index] ?? null])),
  }));
  const { availability_by_day: days, ...rest } = status;
  const availability_by_product = days?.products.map(({ id, title, pct }) => ({ id, title, pct })) ?? null;
  const shown = { ...rest, availability_by_product, latency_history: { ...latencies }, latency_points: points };
  return documentMarkdown(shown, 'Service status');
}

function top(status: Shown, site: Site): Html {
  const { text, tone, lead } = headlineOf(status);
  return html`<div class="status-head status-${tone}"><h1><span class="dot" aria-hidden="true"></span>${text}</h1>
<p>${lead} <span class="status-updated">Updated ${when(status.as_of, site)}.</span></p></div>`;
}

/** What is wrong now, since when, and what it means for callers. */
function current(status: Shown, incidents: readonly Incident[], site: Site): Html {
  const ill = [
    ...status.components.filter((component) => isIll(component) && !isUnchecked(component)),
    ...status.registers.filter(isIll).map((register) => ({ ...register, detail: null, since: null })),
  ];
  if (ill.length === 0) return NOTHING;
  const items = ill.map(({ id, status: state, detail, since }) => {
    const incident = incidents.find(({ component, toMs }) => component === id && toMs === null);
    const fromMs = incident?.fromMs ?? (since === null ? null : Date.parse(since));
    const isRegister = status.registers.some((register) => register.id === id);
    const effect = isRegister ? REGISTER_WHEN_DOWN : whenDown(id);
    return html`<li>${pill(state)} <div><strong>${nameOf(id)}</strong>${fromMs === null ? NOTHING : sinceWhen(fromMs, site)}
<p>${[detail, state === 'down' ? effect : undefined].filter((text) => text).join(' ')}</p></div></li>`;
  });
  return card({ title: 'Now', id: 'now', body: html`<ul class="troubles">${items}</ul>` });
}

function sinceWhen(fromMs: number, { nowMs }: Pick<Site, 'nowMs'>): Html {
  const iso = isoTime(fromMs);
  const isToday = iso.slice(0, 10) === isoTime(nowMs()).slice(0, 10);
  const at = isToday ? `${iso.slice(11, 16)} UTC` : `${exactText(fromMs)} UTC`;
  return html` since <time datetime="${iso}">${at}</time> (${roughly(nowMs() - fromMs)})`;
}

/** Whole minutes from a minute on, whole hours from a day on. */
function roughly(ms: number): string {
  const unit = ms < 60_000 ? 1_000 : 60_000;
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} days`;
  return lengthText(Math.max(1_000, Math.floor(ms / unit) * unit));
}

function availability(status: Shown): Html {
  const { availability_by_day: days } = status;
  if (days === null || days.products.every(({ pct }) => pct === null))
    return card({
      title: 'Availability, last 90 days',
      body: html`<p class="empty-line">No calls counted yet. Calls are counted every minute, and each day gets a bar here.</p>`,
    });
  const dates = days.products[0]?.pct_by_day.map((_pct, index) => Date.parse(days.from) + index * DAY_MS) ?? [];
  const labels = dates.map((atMs) => exactText(atMs).replace(/ \d{4}, .*/, ''));
  const first = dates.findIndex((_atMs, index) => days.products.some(({ pct_by_day }) => pct_by_day[index] != null));
  const rows = days.products.map(({ id, title, pct, pct_by_day, state_by_day }) => {
    const strip = dayStrip({
      name: `${title}, last 90 days`,
      days: labels.map((label, index) => {
        const share = pct_by_day[index] ?? null;
        const state = state_by_day[index] ?? null;
        return {
          label,
          tone: state === null ? 'neutral' : toneOf(state),
          text: share === null ? 'no calls' : percent(share),
        };
      }),
    });
    const trouble = troubleOf(id, status);
    return html`<li class="uptime"><h3>${title}${trouble === undefined ? NOTHING : html` ${pill(trouble)}`}</h3><p class="num">${pct === null ? 'No calls' : percent(pct)}</p>${strip}</li>`;
  });
  return card({
    title: 'Availability, last 90 days',
    body: html`<ul class="uptimes">${rows}</ul><p class="uptime-axis"><span>${labels[0] ?? ''}</span><span>Today</span></p>
<p class="hint">Share of calls without a server error. One bar a day (UTC): <span class="key key-good">good</span>, <span class="key key-warn">an hour below 99.9 %</span>, <span class="key key-bad">an hour below 95 %</span>, <span class="key key-neutral">no calls</span>. Counted since ${labels[first] ?? 'today'}. Time in which the whole service was off is not counted. ${linkTo('/docs/run', 'How to run and watch Avouch')}</p>`,
  });
}

function percent(share: number): string {
  return `${share} %`;
}

/** How the components of a product are now; undefined where all are well. */
function troubleOf(id: string, { status, components, registers }: Shown): 'degraded' | 'down' | undefined {
  const product = PRODUCTS.find((one) => one.id === id);
  if (product === undefined) return undefined;
  if (status === 'outage') return 'down';
  const needed = components.filter((one) => (one.required || product.needs.includes(one.id)) && !isUnchecked(one));
  const used = id === 'checks' ? registers.filter(({ status: state }) => state !== 'not_configured') : [];
  if (used.length > 0 && used.every(({ status: state }) => state === 'down')) return 'down';
  return [...needed, ...used].some(isIll) ? 'degraded' : undefined;
}

function past(incidents: readonly Incident[], site: Site): Html {
  const over = incidents.filter(({ toMs }) => toMs !== null);
  const body =
    over.length === 0
      ? html`<p class="empty-line">No incidents recorded. When a component goes down or is degraded, it is listed here for 400 days.</p>`
      : html`${incidentList(over.slice(0, INCIDENTS_SHOWN), site)}${
          over.length <= INCIDENTS_SHOWN
            ? NOTHING
            : html`<details id="earlier"><summary>${over.length - INCIDENTS_SHOWN} earlier</summary>${incidentList(over.slice(INCIDENTS_SHOWN), site)}</details>`
        }`;
  return card({ title: 'History', body, id: 'history' });
}

function incidentList(incidents: readonly Incident[], { nowMs }: Pick<Site, 'nowMs'>): Html {
  const thisYear = isoTime(nowMs()).slice(0, 4);
  const items = incidents.map(({ component, status, fromMs, toMs, detail }) => {
    const [day = '', at = ''] = exactText(fromMs).split(', ');
    const word = status === 'down' ? 'down' : 'degraded';
    return html`<li><time datetime="${isoTime(fromMs)}">${day.replace(` ${thisYear}`, '')}<span>${at} UTC</span></time> <div><span class="dot dot-${toneOf(status)}" aria-hidden="true"></span><strong>${nameOf(component)}</strong> ${word}, ${roughly((toMs ?? fromMs) - fromMs)}${detail === null ? NOTHING : html`<p>${detail}</p>`}</div></li>`;
  });
  return html`<ol class="incidents">${items}</ol>`;
}
