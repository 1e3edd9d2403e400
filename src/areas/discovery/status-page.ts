import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { card, chart, dataTable, grid, hash, heading, keyValues, light, stats, timeElement } from '#web/components.ts';
import { page } from '#web/layout.ts';
import type { Latencies } from './latency-history.ts';
import type { Status } from './status-answer.ts';

type Shown = z.output<typeof Status>;

/** As many points as a table can show; of more, the slowest of each stretch stands for it. */
const MAX_POINTS = 60;
const STATUS_TEXT: Readonly<Record<Shown['status'], string>> = {
  operational: 'All systems operational',
  degraded: 'Some components are degraded. Calls that do not need them still work.',
  outage: 'Outage: a component that every write needs is down.',
};

export function statusHtml(status: Shown, site: Site): string {
  const body = html`${heading('Status', STATUS_TEXT[status.status])}
<div id="state" hx-get="/system/status" hx-trigger="every 15s" hx-select="#state" hx-swap="outerHTML">
${figures(status)}${parts(status)}${registers(status)}${latencies(thinned(status.latency_history))}
${grid([log(status), ...facts(status)])}${lists(status)}${availability(status)}${versions(status)}
</div>`;
  const view = {
    title: 'Status',
    path: '/system/status',
    section: 'status',
    scripts: ['htmx.js'],
    charts: true,
  } as const;
  return page({ ...view, body }, site);
}

/** The history with as many points as the page shows. */
export function statusMarkdown(status: Shown): string {
  const { at, series, ...history } = thinned(status.latency_history);
  const points = at.map((seconds, index) => ({
    at: isoOf(seconds),
    ...Object.fromEntries(series.map(({ id, figure, values }) => [`${id}_${figure}`, values[index] ?? null])),
  }));
  return documentMarkdown({ ...status, latency_history: { ...history }, latency_points: points }, 'Service status');
}

function isoOf(seconds: number): string {
  return isoTime(seconds * 1_000);
}

function thinned(history: Latencies): Latencies {
  const step = Math.ceil(history.at.length / MAX_POINTS);
  if (step <= 1) return history;
  const stretches = <T>(values: readonly T[]) =>
    Array.from({ length: Math.ceil(values.length / step) }, (_, index) =>
      values.slice(index * step, (index + 1) * step),
    );
  return {
    ...history,
    at: stretches(history.at).map((times) => times.at(-1) as number),
    series: history.series.map((one) => ({ ...one, values: stretches(one.values).map(slowest) })),
  };
}

function slowest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function figures({ status, as_of, started_at, version, log: { tree_size }, availability: counted }: Shown): Html {
  return stats([
    { label: 'Status', value: light(status), note: html`as of ${timeElement(as_of)}` },
    { label: 'Log entries', value: tree_size.toLocaleString('en') },
    {
      label: 'Lowest availability',
      value: counted?.minimum_pct == null ? '–' : `${counted.minimum_pct} %`,
      note: counted?.worst_endpoint ?? 'Not counted yet',
    },
    { label: 'Version', value: version, note: html`since ${timeElement(started_at)}` },
  ]);
}

function parts({ components }: Shown): Html {
  return card({
    title: 'Components',
    body: dataTable({
      caption: 'Status of each component',
      hidesCaption: true,
      columns: ['Component', 'Status', 'Required', 'Since', { label: 'Latency, ms', align: 'number' }, 'Detail'],
      rows: components.map(({ id, status, required, since, latency_ms, detail }) => [
        id,
        light(status),
        required ? 'Yes' : 'No',
        timeElement(since),
        latency_ms ?? '–',
        detail ?? '',
      ]),
    }),
  });
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.floor(share * 1_000) / 10} %`;
}

function registers({ registers: shown }: Shown): Html {
  const states = shown.flatMap(({ member_states = [] }) => member_states);
  const rows = shown.map(({ id, status, breaker, p50_ms, p95_ms, success_5m, success_60m, last_success }) => [
    ...[id, light(status), light(breaker), p50_ms ?? '–', p95_ms ?? '–', percent(success_5m), percent(success_60m)],
    last_success === null ? 'No calls yet' : timeElement(last_success),
  ]);
  const number = (label: string) => ({ label, align: 'number' }) as const;
  return card({
    title: 'Registers',
    body: html`${dataTable({
      caption: 'Registers used for verdicts. Figures cover the last hour.',
      columns: [
        ...['Register', 'Status', 'Circuit breaker', number('p50, ms'), number('p95, ms'), number('Success, 5 min')],
        ...[number('Success, 60 min'), 'Last success'],
      ],
      rows,
    })}${
      states.length === 0
        ? NOTHING
        : html`<details><summary>VIES member states</summary>${dataTable({
            caption: 'Each member state has its own circuit breaker',
            columns: ['Member state', 'Circuit breaker', number('Success, 60 min')],
            rows: states.map(({ id, breaker, success_60m }) => [id, light(breaker), percent(success_60m)]),
          })}</details>`
    }`,
  });
}

function latencies({ at, series, every_s }: Latencies): Html {
  if (at.length === 0 || series.length === 0) {
    return card({ title: 'Latency', body: html`<p class="empty-line">No measurements yet.</p>` });
  }
  const labels = series.map(({ id, figure }) => `${id} ${figure.replace('_ms', '').replace('latency', 'commit')}`);
  const of = (isStorage: boolean) =>
    series.flatMap(({ id, values }, index) =>
      (id === 'storage') === isStorage ? [{ label: labels[index] as string, values }] : [],
    );
  const charts = [
    { title: 'Storage', unit: 'ms', times: at, series: of(true) },
    { title: 'Registers', unit: 'ms', times: at, series: of(false) },
  ].filter((one) => one.series.length > 0);
  return card({
    title: 'Latency in the last hour',
    aside: html`<span class="muted">measured every ${every_s} s</span>`,
    body: html`<div class="grid">${charts.map(chart)}</div><details><summary>Show as a table</summary>${dataTable({
      caption: 'Milliseconds. Each row shows the slowest value of its interval.',
      columns: ['Time', ...labels.map((label) => ({ label, align: 'number' }) as const)],
      rows: at
        .map((seconds, index) => [timeElement(isoOf(seconds)), ...series.map(({ values }) => values[index] ?? '–')])
        .toReversed(),
    })}</details>`,
  });
}

const CONTINUITY: Readonly<Record<Shown['log']['continuity'], string>> = {
  witness: 'A witness',
  data_directory: 'The saved checkpoint in the data directory',
  not_checked: 'Nothing: no independent copy',
  contradicted: 'A witness that knows a different log',
};

function log({ log: { tree_size, root_hash, witnesses, last_audit, continuity } }: Shown): Html {
  return card({
    title: 'Public log',
    body: keyValues([
      ['Entries', tree_size.toLocaleString('en')],
      ['Root hash', hash(root_hash)],
      ['Witnesses', light(witnesses)],
      ['Checked at start against', CONTINUITY[continuity]],
      [
        'Last audit',
        last_audit === null
          ? 'Not run yet'
          : html`${light(last_audit.ok ? 'ok' : 'failed', last_audit.ok ? 'good' : 'bad')} ${timeElement(last_audit.at)}, ${last_audit.entries} entries`,
      ],
    ]),
  });
}

function lists({ registers: shown, datasets }: Shown): Html {
  const ofLists = shown.flatMap(({ id, list }) =>
    list == null
      ? []
      : [
          [
            id,
            light(list.age_hours > 48 ? 'stale' : 'fresh'),
            html`${list.list_generated}, ${list.age_hours} h old`,
            list.names,
          ],
        ],
  );
  const ofData = datasets.map(({ id, state, retrieved_at, rows }) => [
    id,
    light(state),
    retrieved_at === null ? 'Never' : timeElement(retrieved_at),
    rows,
  ]);
  return card({
    title: 'Data freshness',
    body: dataTable({
      caption: 'Age of stored data',
      hidesCaption: true,
      columns: ['Name', 'Status', 'Updated', { label: 'Rows', align: 'number' }],
      rows: [...ofLists, ...ofData],
    }),
  });
}

function availability({ availability: counted }: Shown): Html {
  if (counted === null || counted.by_endpoint.length === 0)
    return card({
      title: 'Availability',
      body: html`${counted === null ? NOTHING : html`<p>Last ${counted.window_days} days. ${counted.definition}</p>`}<p class="empty-line">Not counted yet.</p>`,
    });
  const rows = counted.by_endpoint
    .toSorted((a, b) => a.pct - b.pct || b.n - a.n)
    .map(({ operation_id, pct, n }) => [html`<code>${operation_id}</code>`, `${pct} %`, n]);
  const columns = ['Operation', { label: 'Available', align: 'number' }, { label: 'Calls', align: 'number' }] as const;
  return card({
    title: 'Availability',
    body: html`<p>Last ${counted.window_days} days. ${counted.definition}</p>
<details><summary>${rows.length} operations, worst first</summary>${dataTable({ caption: 'By operation', columns, rows })}</details>`,
  });
}

function facts({ payments, storage, audit_trail }: Shown): Html[] {
  const value = (given: string | number | null) => given ?? '–';
  return [
    card({
      title: 'Payments',
      body: keyValues([
        ['Settled by', value(payments.backend)],
        ['Settlements awaiting confirmation', value(payments.unknown_settlements)],
        ['Oldest one, s', value(payments.oldest_unknown_s)],
        ['Refunds due', value(payments.refunds_due)],
      ]),
    }),
    card({
      title: 'Storage and audit trail',
      body: keyValues([
        ['Engine', storage.engine],
        ['Durable', `Yes, synchronous ${storage.synchronous}`],
        [
          'Audit trail anchored',
          audit_trail.last_anchor_at === null ? 'Not yet' : timeElement(audit_trail.last_anchor_at),
        ],
        ['Audit trail lines lost', audit_trail.lines_lost],
      ]),
    }),
  ];
}

function versions({ versions: shown }: Shown): Html {
  return card({
    title: 'Versions',
    body: html`<dl class="inline-pairs">${Object.entries(shown).map(([name, given]) => html`<div><dt>${name}</dt><dd>${[given].flat().join(', ')}</dd></div>`)}</dl>`,
  });
}
