import type { z } from 'zod';
import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { stackedBars } from '#web/chart.ts';
import { button, dataTable, emptyState, heading, segmented } from '#web/components.ts';
import { agentName, dashboardPage, markdownOf } from '../frame.ts';
import type { CabinetSpend } from '../shapes.ts';
import { groupName, placeOf } from './names.ts';
import { dayLabel, euros, RANGES } from './overview-page.ts';
import type { SpendGroup } from './spending.ts';

type Spend = z.output<typeof CabinetSpend>;

const PATH = '/dashboard/spend';
const GROUPS: Readonly<Record<SpendGroup, string>> = { kind: 'Kind', agent: 'Agent', capability: 'Capability' };

export const spendDocument = {
  markdown: markdownOf('Spend'),
  html(output: Spend, site: Site): string {
    const { agent_id, days, group_by, whats, total_eur } = output;
    const address = (more: Readonly<Record<string, string | number>>) =>
      placeOf(PATH, { agent_id, days: days.length, group_by, ...more });
    const ranges = segmented(
      'Range',
      RANGES.map((count) => ({
        label: `${count} days`,
        href: address({ days: count }),
        isCurrent: count === days.length,
      })),
    );
    const groups = segmented(
      'Group by',
      Object.entries(GROUPS).map(([group, label]) => ({
        label,
        href: address({ group_by: group }),
        isCurrent: group === group_by,
      })),
    );
    const csv = whats.length === 0 ? [] : [button('Download CSV', { href: address({ csv: 'yes' }), kind: 'plain' })];
    const lead = `${eur(total_eur)} in the last ${days.length === 1 ? 'day' : `${days.length} days`}`;
    const body = html`${heading('Spend', lead, csv)}<div class="filters">${ranges}<div class="group-by"><span class="muted">Group by</span>${groups}</div></div>${
      whats.length === 0
        ? emptyState(
            'No spending in this period',
            'Paid calls, tasks and order fees appear here, per day.',
            button('See prices', { href: '/pricing', kind: 'plain' }),
          )
        : html`${chartOf(output)}${totals(output)}`
    }`;
    return dashboardPage(output, { title: 'Spend', path: PATH, query: address({}).slice(PATH.length), body }, site);
  },
};

function nameOf({ group_by, agents }: Spend, what: string): string {
  if (group_by !== 'agent') return groupName(what);
  return agents.find(({ agent_id }) => agent_id === what)?.untrusted_name ?? what;
}

function chartOf(output: Spend): Html {
  const { days, whats, from, to } = output;
  const oldestFirst = days.toReversed();
  const drawn = stackedBars({
    title: `Spending per day, ${dayLabel(from)} to ${dayLabel(to)}`,
    labels: oldestFirst.map(({ day }) => dayLabel(day)),
    series: whats.map((what, index) => ({
      label: nameOf(output, what),
      values: oldestFirst.map(({ amounts_eur }) => Number(amounts_eur[index])),
    })),
    format: euros,
  });
  return html`<div class="card spend-chart"><div class="card-body">${drawn}</div></div>`;
}

/** The ledger entries behind a total. */
function ledgerOf({ agent_id, group_by, from, to }: Spend, what: string): string {
  const isCapability = group_by === 'capability' && what.includes('.');
  return placeOf('/dashboard/ledger', {
    agent_id: group_by === 'agent' ? what : agent_id,
    kind: isCapability ? 'capability' : group_by === 'agent' ? null : what,
    capability: isCapability ? what : null,
    from,
    to,
  });
}

function totals(output: Spend): Html {
  const { agents, group_by, whats, counts, totals_eur, total_eur } = output;
  const sum = Number(total_eur);
  const rows = whats.map((what, index) => {
    const share = sum === 0 ? 0 : Math.round((Number(totals_eur[index]) / sum) * 100);
    return [
      group_by === 'agent' ? agentName(agents, what) : nameOf(output, what),
      (counts[index] ?? 0).toLocaleString('en-GB'),
      html`<a href="${ledgerOf(output, what)}">${eur(totals_eur[index] ?? '0')}</a>`,
      html`<span class="share">${share} %<svg class="share-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="series-1" width="${share}" height="8"/></svg></span>`,
    ];
  });
  return dataTable({
    caption: `Total by ${GROUPS[group_by].toLowerCase()}`,
    hidesCaption: true,
    columns: [
      GROUPS[group_by],
      { label: 'Charges', align: 'number' },
      { label: 'Total', align: 'number' },
      { label: 'Share', align: 'number' },
    ],
    rows,
  });
}
