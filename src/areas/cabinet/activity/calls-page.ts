import type { z } from 'zod';
import { isoTime, utcDay } from '#kernel/clock.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { eurSigned } from '#web/amounts.ts';
import { button, emptyState, heading, linkTo, pill, segmented } from '#web/components.ts';
import { exactText } from '#web/times.ts';
import { agentName, dashboardPage, hidden, markdownOf, otherPages, select } from '../frame.ts';
import { entryName, placeOf, reference } from '../money/names.ts';
import type { CabinetCalls } from '../shapes.ts';
import type { CallRecord } from '../sql.ts';

type Calls = z.output<typeof CabinetCalls>;

export interface ShownCall extends Omit<CallRecord, 'n'> {
  /** The ledger entries that it caused. */
  readonly moved: readonly {
    readonly seq: number;
    readonly kind: string;
    readonly ref: string | null;
    readonly amountMicro: number;
  }[];
}

export interface CallsView {
  readonly calls: readonly ShownCall[];
  readonly operations: readonly string[];
  readonly isFailed: boolean;
  readonly operation: string;
  readonly isFirstPage: boolean;
  /** What an error means and what to do about it. */
  readonly problemOf: (code: string) => { readonly title: string; readonly help: string } | undefined;
}

const PATH = '/dashboard/calls';
const NO_VIEW: CallsView = {
  calls: [],
  operations: [],
  isFailed: false,
  operation: '',
  isFirstPage: true,
  problemOf: () => undefined,
};

export const callsDocument = {
  markdown: markdownOf('Calls'),
  html(output: Calls, site: Site, view: CallsView = NO_VIEW): string {
    const { agent_id, next_before } = output;
    const { calls, operation, isFailed, isFirstPage } = view;
    const chosen = { status: isFailed ? 'failed' : '', operation };
    const address = (more: Readonly<Record<string, string>>) =>
      `${PATH}?agent_id=${agent_id ?? ''}${placeOf('', { ...chosen, ...more }).replace('?', '&')}`;
    const states = segmented('Status', [
      { label: 'All', href: address({ status: '' }), isCurrent: !isFailed },
      { label: 'Failed', href: address({ status: 'failed' }), isCurrent: isFailed },
    ]);
    const next = next_before === null ? undefined : address({ before: next_before });
    const pages = otherPages({ next, first: isFirstPage ? undefined : address({}) });
    const lead = html`Last 30 days. We do not store bodies or keys. Charges are next to the call that caused them; top-ups are in the ${linkTo(placeOf('/dashboard/ledger', { agent_id }), 'ledger')}.`;
    const body = html`${heading('Calls', lead)}<div class="filters">${states}${operationFilter(output, view)}</div>${
      calls.length === 0 ? noCalls(view, agent_id) : callTable(output, view)
    }${pages}`;
    return dashboardPage(output, { title: 'Calls', path: PATH, query: address({}).slice(PATH.length), body }, site);
  },
};

function operationFilter({ agent_id }: Calls, { operations, operation, isFailed }: CallsView): Html {
  const choices = [...new Set([...operations, ...(operation === '' ? [] : [operation])])];
  if (choices.length === 0) return NOTHING;
  const kept = Object.entries({ agent_id: agent_id ?? '', status: isFailed ? 'failed' : '' })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => hidden(name, value));
  return html`<form method="get" action="${PATH}" class="filter-form" data-submit-on-change>${kept}${select(
    'operation',
    'Operation',
    [{ value: '', label: 'All operations' }, ...choices.map((one) => ({ value: one, label: one }))],
    operation,
  )}<noscript>${button('Apply', { kind: 'plain' })}</noscript></form>`;
}

function noCalls({ isFailed, operation, isFirstPage }: CallsView, agentId: string | null): Html {
  if (isFailed || operation !== '') {
    const clear = linkTo(placeOf(PATH, { agent_id: agentId }), 'Show all calls');
    return emptyState(isFailed ? 'No failed calls' : 'No such calls', clear);
  }
  if (!isFirstPage)
    return emptyState(
      'No calls before this time',
      linkTo(placeOf(PATH, { agent_id: agentId }), 'Show the newest calls'),
    );
  return emptyState(
    'No calls in the last 30 days',
    'Calls that an agent makes with its key appear here.',
    button('Read the quickstart', { href: '/docs/quickstart', kind: 'plain' }),
  );
}

/** Days in their own bodies of the table, each with its heading. */
function callTable(output: Calls, view: CallsView): Html {
  const isOfAll = output.agent_id === null && output.agents.length > 1;
  const columns = ['Time (UTC)', 'Operation', ...(isOfAll ? ['Agent'] : []), 'Status', 'Duration', 'Charge', 'Related'];
  const head = columns.map(
    (label) =>
      html`<th scope="col" role="columnheader"${NUMBERS.has(label) ? html` class="num"` : NOTHING}>${label}</th>`,
  );
  const days = [...Map.groupBy(view.calls, ({ atMs }) => utcDay(atMs))].map(
    ([day, list]) =>
      html`<tbody role="rowgroup"><tr role="row" class="day-row"><th scope="rowgroup" role="rowheader" colspan="${columns.length}">${dayHeading(day)}</th></tr>${list.map(
        (call) => callRow(call, output, { columns, view }),
      )}</tbody>`,
  );
  return html`<div class="table-scroll calls card" role="region" aria-label="Calls, newest first" tabindex="0"><table class="cards" role="table"><caption class="visually-hidden">Calls, newest first</caption><thead role="rowgroup"><tr role="row">${head}</tr></thead>${days}</table></div>`;
}

const NUMBERS = new Set(['Duration', 'Charge']);

function dayHeading(day: string): string {
  return exactText(Date.parse(`${day}T00:00:00Z`)).replace(/, .*/, '');
}

function callRow(
  { atMs, agentId, operation, status, code, ms, moved }: ShownCall,
  output: Calls,
  { columns, view }: { readonly columns: readonly string[]; readonly view: CallsView },
): Html {
  const at = isoTime(atMs);
  const values: Readonly<Record<string, Html | string>> = {
    'Time (UTC)': html`<time datetime="${at}" title="${at}">${at.slice(11, 19)}</time>`,
    Operation: html`<code>${operation}</code>`,
    Agent: agentName(output.agents, agentId),
    Status: pill(String(status), {
      tone: status < 400 ? 'good' : status < 500 ? 'warn' : 'bad',
      label: String(status),
    }),
    Duration: `${ms.toLocaleString('en-GB')} ms`,
    Charge:
      moved.length === 0
        ? ''
        : html`<a href="${placeOf('/dashboard/ledger', { agent_id: agentId, before_seq: Math.max(...moved.map(({ seq }) => seq)) + 1 })}">${eurSigned(formatEur(moved.reduce((sum, { amountMicro }) => sum + amountMicro, 0)))}</a>`,
    Related: html`${moved.map(({ kind, ref }) => (ref === null ? html`${entryName(kind)}` : reference(ref, { agentId, at })))}${
      code === null ? NOTHING : failure(code, view)
    }`,
  };
  const cells = columns.map((label, index) => {
    const kind = NUMBERS.has(label) ? html` class="num"` : NOTHING;
    if (index === 0) return html`<th scope="row" role="rowheader" data-label="${label}">${values[label] ?? ''}</th>`;
    return html`<td role="cell" data-label="${label}"${kind}>${values[label] ?? ''}</td>`;
  });
  return html`<tr role="row"${status >= 400 ? html` class="call-failed"` : NOTHING}>${cells}</tr>`;
}

/** Opens to what the error means and what to do. */
function failure(code: string, { problemOf }: CallsView): Html {
  const link = linkTo(`/problems/${code}`, code);
  const problem = problemOf(code);
  if (problem === undefined) return link;
  return html`<details class="failure"><summary><code>${code}</code></summary><p><strong>${problem.title}.</strong> ${problem.help}</p><p>${linkTo(`/problems/${code}`, `About ${code}`)}</p></details>`;
}
