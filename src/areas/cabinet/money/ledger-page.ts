import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { capabilityOf, type StatementLine } from '#platform/ledger/queries.ts';
import { eur, eurSigned } from '#web/amounts.ts';
import { button, dataTable, emptyState, heading, keyValues, linkTo } from '#web/components.ts';
import { fullId, shortId } from '#web/short-id.ts';
import { when, whenExact } from '#web/times.ts';
import { agentName, dashboardPage, hidden, markdownOf, otherPages, select } from '../frame.ts';
import type { CabinetLedger } from '../shapes.ts';
import { entryName, groupName, placeOf, reference } from './names.ts';

type Ledger = z.output<typeof CabinetLedger>;
type Item = Ledger['items'][number];

export interface LedgerView {
  readonly from: string;
  readonly to: string;
  readonly capability: string;
  readonly isFirstPage: boolean;
  /** What an entry has that its JSON has not. */
  readonly lines: readonly Pick<StatementLine, 'seq' | 'idem' | 'prevHash' | 'meta'>[];
  readonly sealedAt: ReadonlyMap<number, number>;
}

const PATH = '/dashboard/ledger';
const CSV_ROWS = 1_000;
const NO_VIEW: LedgerView = { from: '', to: '', capability: '', isFirstPage: true, lines: [], sealedAt: new Map() };

export const ledgerDocument = {
  markdown: markdownOf('Ledger'),
  html(output: Ledger, site: Site, view: LedgerView = NO_VIEW): string {
    const { agent_id, kind, items, next_before_seq } = output;
    const { from, to, capability } = view;
    const chosen = { kind, capability, from, to };
    // An empty agent_id asks for all of them also in JSON and CSV.
    const address = (more: Readonly<Record<string, string | number>>) =>
      `${PATH}?agent_id=${agent_id ?? ''}${placeOf('', { ...chosen, ...more }).replace('?', '&')}`;
    const rows = items.map((item) => row(item, output, view, site));
    const columns = [
      'When',
      'What',
      ...(isOfAll(output) ? ['Agent'] : []),
      { label: 'Amount', align: 'number' as const },
      { label: 'Balance', align: 'number' as const },
    ];
    const list = dataTable({ caption: 'Ledger entries, newest first', hidesCaption: true, columns, rows });
    const isFiltered = Object.values(chosen).some((value) => value !== null && value !== '');
    const empty = isFiltered
      ? emptyState('No entries match these filters', linkTo(placeOf(PATH, { agent_id }), 'Clear the filters'))
      : emptyState(
          'No entries yet',
          'Top-ups and charges appear here, each with the balance after it.',
          button('Top up', { href: placeOf('/dashboard/topup', { agent_id }) }),
        );
    const csv =
      items.length === 0
        ? []
        : [button('Download CSV', { href: address({ limit: CSV_ROWS, csv: 'yes' }), kind: 'plain' })];
    const lead = html`Every ledger entry, with the balance after it. Each hash covers the one before it, and the last is sealed daily. ${linkTo('/docs/wallet', 'How it works')}`;
    const next = next_before_seq === null ? undefined : address({ before_seq: next_before_seq });
    const pages = otherPages({ next, first: view.isFirstPage ? undefined : address({}) });
    const body = html`${heading('Ledger', lead, csv)}${filters(output, view)}${items.length === 0 ? empty : html`<div class="ledger card">${list}</div>`}${pages}`;
    const query = address({}).slice(PATH.length);
    return dashboardPage(output, { title: 'Ledger', path: PATH, query, body }, site);
  },
};

function isOfAll({ agent_id, agents }: Ledger): boolean {
  return agent_id === null && agents.length > 1;
}

function filters({ agent_id, kinds, kind }: Ledger, { from, to, capability }: LedgerView): Html {
  const kindChoices = [...new Set([...kinds, ...(kind === null ? [] : [kind])])].map((one) => ({
    value: one,
    label: groupName(one),
  }));
  const day = (name: string, label: string, value: string) =>
    html`<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${value}"></p>`;
  const only =
    capability === ''
      ? NOTHING
      : html`${hidden('capability', capability)}<p class="filter-only">Only ${groupName(capability)}. ${linkTo(placeOf(PATH, { agent_id, kind, from, to }), 'Show all')}</p>`;
  return html`<form method="get" action="${PATH}" class="filters" data-submit-on-change>${
    agent_id === null ? NOTHING : hidden('agent_id', agent_id)
  }${select('kind', 'Kind', [{ value: '', label: 'All kinds' }, ...kindChoices], kind ?? '')}${day('from', 'From', from)}${day(
    'to',
    'To',
    to,
  )}<noscript>${button('Apply', { kind: 'plain' })}</noscript>${only}</form>`;
}

function row(item: Item, output: Ledger, { lines, sealedAt }: LedgerView, site: Site) {
  const { seq, at, kind, ref, amount_eur, balance_after_eur, hash, tx_id, agent_id } = item;
  const line = lines.find((one) => one.seq === seq);
  const name = entryName(kind, line === undefined ? null : capabilityOf(line.meta));
  const about = ref === null || ref === tx_id ? NOTHING : html` ${reference(ref, { agentId: agent_id, at })}`;
  const sealed = sealedAt.get(seq);
  return {
    cells: [
      when(at, site),
      html`${name}${about}`,
      ...(isOfAll(output) ? [agentName(output.agents, agent_id)] : []),
      html`<span class="${amount_eur.startsWith('-') ? 'money-out' : 'money-in'}">${eurSigned(amount_eur)}</span>`,
      eur(balance_after_eur),
    ],
    details: keyValues([
      ['Time', whenExact(at)],
      ['Entry', html`${seq.toLocaleString('en-GB')} · ${fullId(tx_id)}`],
      ...(ref === null || ref === tx_id ? [] : [['Reference', fullId(ref)] as const]),
      ['Hash', fullId(hash)],
      ...(line === undefined
        ? []
        : ([
            ['Previous hash', shortId(line.prevHash)],
            ['Idempotency key', html`<code>${line.idem}</code>`],
          ] as const)),
      [
        'Seal',
        sealed === undefined
          ? 'Not sealed yet. The next daily seal covers it.'
          : html`Covered by the daily seal of ${whenExact(isoTime(sealed))}`,
      ],
    ]),
  };
}
