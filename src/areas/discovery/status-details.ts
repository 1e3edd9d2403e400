// What the status page keeps folded: every component, register, latency and version.
import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { chart, dataTable, keyValues, pill } from '#web/components.ts';
import { asPhrase, labelOf } from '#web/labels.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import type { Latencies } from './latency-history.ts';
import type { Status } from './status-answer.ts';
import { nameOf } from './status-names.ts';

type Shown = z.output<typeof Status>;

/** As many points as a chart and a table can show. */
const MAX_POINTS = 60;
const MAX_COLUMNS = 6;
const STALE_HOURS = 48;
const OPERATIONS_SHOWN = 20;

export function statusDetails(status: Shown, site: Site): Html {
  return html`<div class="folds">${components(status, site)}${registers(status, site)}${latencies(status)}${freshness(status, site)}${byOperation(status)}${facts(status, site)}${versions(status, site)}</div>`;
}

export function isoOf(seconds: number): string {
  return isoTime(seconds * 1_000);
}

/** Of more points than these, the slowest of each stretch stands for it. */
export function thinned(history: Latencies, maxPoints = MAX_POINTS): Latencies {
  const step = Math.ceil(history.at.length / maxPoints);
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

interface Fold {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly body: Html;
}

/** Stays open when the page refreshes itself. */
function fold({ id, title, note, body }: Fold): Html {
  return html`<details class="fold" id="${id}"><summary><h2>${title}</h2><span class="summary-note">${note}</span></summary><div class="fold-body">${body}</div></details>`;
}

/** `10 up, 2 not configured`. */
function counted(states: readonly { readonly status: string }[]): string {
  const groups = Map.groupBy(states, ({ status }) => status);
  return [...groups].map(([status, ones]) => `${ones.length} ${labelOf(status).toLowerCase()}`).join(', ');
}

const number = (label: string) => ({ label, align: 'number' }) as const;

function milliseconds(value: number | null): string {
  return value === null ? '–' : `${value.toLocaleString('en')} ms`;
}

function components({ components: shown }: Shown, site: Site): Html {
  const rows = shown.map(({ id, status, required, since, last_check, latency_ms, detail }) => {
    const isUnchecked = status === 'degraded' && last_check === null;
    const note = [required ? 'Every write needs it.' : undefined, detail ?? undefined].filter(
      (text) => text !== undefined,
    );
    return [
      nameOf(id),
      isUnchecked ? pill('unknown', { label: 'Not checked yet' }) : pill(status),
      when(since, site),
      milliseconds(latency_ms),
      note.join(' '),
    ];
  });
  const states = shown.map(({ status, last_check }) => ({
    status: status === 'degraded' && last_check === null ? 'not_checked' : status,
  }));
  return fold({
    id: 'components',
    title: `Components (${shown.length})`,
    note: counted(states),
    body: dataTable({
      caption: 'Status of each component',
      hidesCaption: true,
      columns: ['Component', 'Status', 'Since', number('Latency'), 'Note'],
      rows,
    }),
  });
}

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.floor(share * 1_000) / 10} %`;
}

/** What the circuit breaker of a register lets through. */
const BREAKER: Readonly<Record<Shown['registers'][number]['breaker'], string>> = {
  closed: 'Calls pass',
  half_open: 'Trying again',
  open: 'Calls stopped',
};

function registers({ registers: shown }: Shown, site: Site): Html {
  const states = shown.flatMap(({ member_states = [] }) => member_states);
  const rows = shown.map((register) => [
    nameOf(register.id),
    pill(register.status),
    BREAKER[register.breaker],
    milliseconds(register.p50_ms),
    milliseconds(register.p95_ms),
    percent(register.success_60m),
    register.last_success === null ? 'No calls yet' : when(register.last_success, site),
  ]);
  const columns = ['Register', 'Status', 'Circuit breaker', number('Median'), number('95 % within')];
  const memberStates = dataTable({
    caption: 'Each member state has a circuit breaker',
    columns: ['Member state', 'Circuit breaker', number('Answered, 1 h')],
    rows: states.map(({ id, breaker, success_60m }) => [id, BREAKER[breaker], percent(success_60m)]),
  });
  return fold({
    id: 'registers',
    title: `Registers (${shown.length})`,
    note: counted(shown),
    body: html`${dataTable({
      caption: 'Registers that checks ask. Figures cover the last hour.',
      columns: [...columns, number('Answered, 1 h'), 'Last answer'],
      rows,
    })}${states.length === 0 ? NOTHING : html`<details id="member-states"><summary>VIES member states (${states.length})</summary>${memberStates}</details>`}`,
  });
}

const FIGURES: Readonly<Record<Latencies['series'][number]['figure'], string>> = {
  latency_ms: 'write',
  p50_ms: 'median',
  p95_ms: '95 % within',
};

function latencies({ latency_history }: Shown): Html {
  const { at, series, every_s } = thinned(latency_history);
  const part = { id: 'latency', title: 'Latency, last hour', note: `measured every ${every_s} s` };
  if (at.length === 0 || series.length === 0)
    return fold({ ...part, body: html`<p class="empty-line">No measurements yet.</p>` });
  const labels = series.map(({ id, figure }) => `${nameOf(id)}, ${FIGURES[figure]}`);
  const of = (shown: Latencies['series'][number]['figure']) =>
    series.flatMap(({ id, figure, values }) => (figure === shown ? [{ label: nameOf(id), values }] : []));
  const charts = [
    { title: 'Database, each write', unit: 'ms', times: at, series: of('latency_ms') },
    { title: 'Registers, 95 % within', unit: 'ms', times: at, series: of('p95_ms') },
  ].filter((one) => one.series.length > 0);
  const summed = thinned(latency_history, MAX_COLUMNS);
  const table = dataTable({
    caption: 'Slowest value up to each time (UTC), in ms.',
    columns: ['Figure', ...summed.at.map((seconds) => number(isoOf(seconds).slice(11, 16)))],
    rows: summed.series.map(({ values }, index) => [labels[index] as string, ...values.map((value) => value ?? '–')]),
  });
  return fold({
    ...part,
    body: html`<div class="latency-charts">${charts.map(chart)}</div><details id="latency-table"><summary>Show as a table</summary>${table}</details>`,
  });
}

function freshness({ registers: shown, datasets }: Shown, site: Site): Html {
  const ofLists = shown.flatMap(({ id, list }) =>
    list == null
      ? []
      : [
          {
            id,
            state: list.age_hours > STALE_HOURS ? 'stale' : 'fresh',
            age: `${list.age_hours} h old`,
            rows: list.names,
          },
        ],
  );
  const ofData = datasets.map(({ id, state, retrieved_at, rows }) => ({
    id,
    state,
    age: retrieved_at === null ? 'Never loaded' : when(retrieved_at, site),
    rows,
  }));
  const all = [...ofLists, ...ofData];
  return fold({
    id: 'freshness',
    title: 'Data freshness',
    note: counted(all.map(({ state }) => ({ status: state === 'none' ? 'not_loaded' : state }))),
    body: dataTable({
      caption: 'Age of stored data',
      hidesCaption: true,
      columns: ['Data', 'Status', 'Updated', number('Rows')],
      rows: all.map(({ id, state, age, rows }) => [
        nameOf(id),
        pill(state, state === 'none' ? { label: 'Not loaded' } : {}),
        age,
        rows.toLocaleString('en'),
      ]),
    }),
  });
}

function byOperation({ availability }: Shown): Html {
  const rows = availability?.by_endpoint.toSorted((a, b) => a.pct - b.pct || b.n - a.n) ?? [];
  const worst = availability?.minimum_pct;
  return fold({
    id: 'operations',
    title: 'Availability by operation',
    note:
      worst == null
        ? 'not counted yet'
        : worst === 100
          ? 'all 100 %'
          : `lowest ${worst} %, ${availability?.worst_endpoint}`,
    body: dataTable({
      caption: `Last ${availability?.window_days ?? 90} days, the lowest ${OPERATIONS_SHOWN} of ${rows.length}. ${availability?.definition ?? ''}`,
      columns: ['Operation', number('Available'), number('Calls')],
      rows: rows
        .slice(0, OPERATIONS_SHOWN)
        .map(({ operation_id, pct, n }) => [html`<code>${operation_id}</code>`, `${pct} %`, n.toLocaleString('en')]),
      empty: 'Not counted yet.',
    }),
  });
}

const CONTINUITY: Readonly<Record<Shown['log']['continuity'], string>> = {
  witness: 'A witness',
  data_directory: 'The saved checkpoint in the data directory',
  not_checked: 'Nothing: no independent copy',
  contradicted: 'A witness that knows a different log',
};

const BACKENDS: Readonly<Record<NonNullable<Shown['payments']['backend']>, string>> = {
  facilitator: 'A facilitator',
  chain: 'This service, on the chain',
};

function facts({ components: parts, log, payments, storage, audit_trail, wallet }: Shown, site: Site): Html {
  const audited = (ok: boolean | null, at: string | null) =>
    ok === null || at === null
      ? 'Not run yet'
      : html`${pill(ok ? 'ok' : 'failed', ok ? { label: 'No errors' } : {})} ${when(at, site)}`;
  const count = (value: number | null) => (value === null ? 'Not counted yet' : value.toLocaleString('en'));
  const hasMoney = parts.some(({ id }) => id === 'payment');
  const money = html`<section><h3>Payments</h3>${keyValues([
    ['Settled by', payments.backend === null ? 'Not configured' : BACKENDS[payments.backend]],
    ['Awaiting confirmation', count(payments.unknown_settlements)],
    ['Refunds due', count(payments.refunds_due)],
    ['Wallet audit', audited(wallet.audit_ok, wallet.audit_at)],
  ])}</section>`;
  return fold({
    id: 'facts',
    title: hasMoney ? 'Log, payments and storage' : 'Log and storage',
    note: `${log.tree_size.toLocaleString('en')} log entries`,
    body: html`<div class="fact-columns"><section><h3>Public log</h3>${keyValues([
      ['Entries', log.tree_size.toLocaleString('en')],
      ['Root hash', shortId(log.root_hash)],
      ['Witnesses', pill(log.witnesses)],
      ['Checked at start against', CONTINUITY[log.continuity]],
      ['Last audit', audited(log.last_audit?.ok ?? null, log.last_audit?.at ?? null)],
    ])}</section>${hasMoney ? money : NOTHING}<section><h3>Storage and audit trail</h3>${keyValues([
      ['Engine', storage.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
      ['Durable', durableText(storage)],
      [
        'Audit trail anchored',
        audit_trail.last_anchor_at === null ? 'Not yet' : when(audit_trail.last_anchor_at, site),
      ],
      ['Audit trail lines lost', audit_trail.lines_lost],
    ])}</section></div>`,
  });
}

function durableText({ durable, synchronous, risks }: Shown['storage']): string {
  return durable ? `Yes, synchronous ${synchronous}` : `No: ${risks.map(asPhrase).join(', ')}`;
}

function versions({ versions: shown, version, build_id, started_at }: Shown, site: Site): Html {
  const own = [
    ['Version', html`${version}`],
    ['Build', html`<code>${build_id}</code>`],
    ['Started', when(started_at, site)],
  ] as const;
  const others = Object.entries(shown).map(
    ([name, given]) => [nameOf(name), html`${[given].flat().join(', ')}`] as const,
  );
  return fold({
    id: 'versions',
    title: 'Versions',
    note: version,
    body: html`<dl class="inline-pairs">${[...own, ...others].map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`,
  });
}
