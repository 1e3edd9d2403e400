import type { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import {
  badge,
  button,
  card,
  chart,
  dataTable,
  emptyState,
  grid,
  hash,
  heading,
  linkTo,
  notice,
  pager,
  stats,
  timeElement,
  type Tone,
} from '#web/components.ts';
import { agentChoices, agentName, dashboardPage, hidden, postForm, select } from '../frame.ts';
import type * as shapes from '../shapes.ts';

type Of<S extends z.ZodType> = z.output<S>;

const markdownOf = (title: string) => (output: { readonly csrf: string }) => {
  const { csrf: _, ...rest } = output;
  return documentMarkdown(rest, title);
};

const TONES: Readonly<Record<string, Tone>> = {
  low_balance: 'warn',
  frozen: 'bad',
  topup_in_review: 'warn',
  key_unused: 'info',
  ledger_halted: 'bad',
  suspended: 'bad',
  not_yet_yours: 'warn',
};

export const overviewDocument = {
  markdown: markdownOf('Dashboard'),
  html(output: Of<typeof shapes.CabinetOverview>, site: Site): string {
    const { agents, alerts, total_available_eur, csrf } = output;
    const answers = (agentId: string, answer: 'accept' | 'refuse', label: string, kind: 'plain' | 'danger') =>
      postForm(
        '/dashboard/agents',
        csrf,
        html`${hidden('agent_id', agentId)}${hidden('answer', answer)}${button(label, { kind })}`,
      );
    const waiting = agents
      .filter((agent) => !agent.owner_verified)
      .map((agent) =>
        card({
          title: 'Is this your agent?',
          aside: badge('pending', 'warn'),
          body: html`<p>Name, chosen by the person who registered it: <bdi>${agent.untrusted_name}</bdi></p><p>${hash(agent.agent_id)}, registered ${timeElement(agent.created_at)}</p>
<div class="actions">${answers(agent.agent_id, 'accept', 'Yes, it is mine', 'plain')}${answers(agent.agent_id, 'refuse', 'Not mine', 'danger')}</div>`,
        }),
      );
    const cards = agents
      .filter((agent) => agent.owner_verified)
      .map((agent) =>
        card({
          title: agent.untrusted_name,
          aside: agent.frozen
            ? badge('frozen', 'bad')
            : badge(agent.status, agent.status === 'active' ? 'good' : 'bad'),
          body: html`${stats([
            { label: 'Available', value: agent.available_eur, note: 'EUR' },
            { label: 'On hold', value: agent.held_eur, note: 'EUR' },
            { label: 'Balance', value: agent.posted_eur, note: 'EUR' },
          ])}<p>${hash(agent.agent_id)}</p><p class="actions">${linkTo(`/dashboard/ledger?agent_id=${agent.agent_id}`, 'Ledger')} ${linkTo(
            `/dashboard/calls?agent_id=${agent.agent_id}`,
            'Calls',
          )} ${linkTo('/dashboard/keys', agent.live_keys === 1 ? '1 active key' : `${agent.live_keys} active keys`)}</p>`,
        }),
      );
    const warnings = alerts.map(({ kind, agent_id, text, href }) =>
      notice(
        TONES[kind] ?? 'info',
        html`<p>${agent_id === null ? NOTHING : html`<strong>${kind === 'not_yet_yours' ? hash(agent_id) : agentName(agents, agent_id)}</strong>: `}${text} ${linkTo(href.replace('/cabinet', '/dashboard'), 'View')}</p>`,
      ),
    );
    const lead = html`€${total_available_eur} available across ${agents.length === 1 ? '1 agent' : html`${agents.length} agents`}`;
    const body = html`${heading('Dashboard', lead, [button('Top up', { href: '/dashboard/topup' })])}${warnings}${grid([...waiting, ...cards])}`;
    return dashboardPage(output, { title: 'Dashboard', path: '/dashboard', body }, site);
  },
};

export const ledgerDocument = {
  markdown: markdownOf('Ledger'),
  html(output: Of<typeof shapes.CabinetLedger>, site: Site): string {
    const { agents, agent_id, kinds, kind, items, next_before_seq } = output;
    const kept = `agent_id=${agent_id ?? ''}${kind === null ? '' : `&kind=${kind}`}`;
    const filter = html`<form method="get" action="/dashboard/ledger" class="inline-form filter">${select(
      'agent_id',
      'Agent',
      agentChoices(agents),
      agent_id,
    )}${select('kind', 'Kind', [{ value: '', label: 'All' }, ...kinds.map((one) => ({ value: one, label: one }))], kind)}${button(
      'Show',
      { kind: 'plain' },
    )}</form>`;
    const rows = items.map((item) => [
      timeElement(item.at),
      item.kind,
      item.amount_eur,
      item.balance_after_eur,
      html`<bdi>${item.ref ?? ''}</bdi>`,
      hash(item.hash),
    ]);
    const columns = [
      'Time',
      'Kind',
      { label: 'EUR', align: 'number' },
      { label: 'Balance', align: 'number' },
      'Reference',
      'Hash',
    ];
    const list = dataTable({
      caption: 'Ledger entries, newest first',
      columns: columns as never,
      rows,
      empty: 'No entries yet.',
    });
    const next = next_before_seq === null ? undefined : `/dashboard/ledger?${kept}&before_seq=${next_before_seq}`;
    const actions =
      agent_id === null ? [] : [button('CSV', { href: `/dashboard/ledger?${kept}&limit=1000&csv=yes`, kind: 'plain' })];
    const lead =
      'Every ledger entry with the balance after it. Each hash covers the previous one. The latest is sealed daily.';
    const body = html`${heading('Ledger', lead, actions)}${filter}${list}${next === undefined ? NOTHING : pager({ next })}`;
    return dashboardPage(
      output,
      { title: 'Ledger', path: '/dashboard/ledger', query: agent_id === null ? '' : `?${kept}`, body },
      site,
    );
  },
};

const SERIES_SHOWN = 6;

export const spendDocument = {
  markdown: markdownOf('Spend'),
  html(output: Of<typeof shapes.CabinetSpend>, site: Site): string {
    const { agents, agent_id, whats, days, totals_eur, total_eur, from, to } = output;
    const filter = html`<form method="get" action="/dashboard/spend" class="inline-form filter">${select(
      'agent_id',
      'Agent',
      [{ value: '', label: 'All agents' }, ...agentChoices(agents)],
      agent_id ?? '',
    )}${select(
      'days',
      'Days',
      [7, 30, 90].map((count) => ({ value: String(count), label: String(count) })),
      String(days.length),
    )}${button('Show', { kind: 'plain' })}</form>`;
    const oldestFirst = days.toReversed();
    const drawn = chart({
      title: `Spending from ${from} to ${to}`,
      unit: 'EUR per day',
      times: oldestFirst.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1_000),
      series: whats.slice(0, SERIES_SHOWN).map((label, index) => ({
        label,
        values: oldestFirst.map(({ amounts_eur }) => Number(amounts_eur[index])),
      })),
    });
    const numbers = [...whats, 'Total'].map((label) => ({ label, align: 'number' as const }));
    const rows = days
      .filter(({ total_eur: sum }) => sum !== '0.00')
      .map(({ day, amounts_eur, total_eur: sum }) => [day, ...amounts_eur, sum]);
    const list = dataTable({
      caption: 'EUR per day. Days without spending are left out.',
      columns: ['Day', ...numbers],
      rows: rows.length === 0 ? [] : [...rows, ['Total', ...totals_eur, total_eur]],
    });
    const body = html`${heading('Spend', `€${total_eur} from ${from} to ${to}`)}${filter}${
      whats.length === 0
        ? emptyState('No spending in this period', 'Paid calls appear here, per day and capability.')
        : html`${drawn}${list}`
    }`;
    const query = agent_id === null ? '' : `?agent_id=${agent_id}&days=${days.length}`;
    return dashboardPage(output, { title: 'Spend', path: '/dashboard/spend', query, body }, site);
  },
};

const TOPUP_TONES: Readonly<Record<string, Tone>> = {
  created: 'neutral',
  open: 'info',
  credited: 'good',
  expired: 'neutral',
  failed: 'bad',
  review: 'warn',
};
const REFRESH_S = 4;

export const topUpsDocument = {
  markdown: markdownOf('Top up'),
  html(output: Of<typeof shapes.CabinetTopUps>, site: Site): string {
    const { agents, tiers, topups, started, csrf } = output;
    const wallets = agents.map(({ agent_id, untrusted_name, available_eur }) => ({
      value: agent_id,
      label: `${untrusted_name} (…${agent_id.slice(-6)}), €${available_eur}`,
    }));
    const choices = tiers.map(({ tier, price_eur, estimated_calls }) => ({
      value: tier,
      label: `${tier}: €${price_eur.toFixed(2)}, ${estimated_calls}`,
    }));
    const start = postForm(
      '/dashboard/topup',
      csrf,
      html`${select('agent_id', 'Agent', wallets)}${select('tier', 'Tier', choices)}${button('Continue to payment')}`,
      'stacked',
    );
    const rows = topups.map((one) => [
      hash(one.topup_id),
      agentName(agents, one.agent_id),
      `€${one.price_eur.toFixed(2)}`,
      html`${badge(one.status, TOPUP_TONES[one.status] ?? 'neutral')}${one.review === null ? NOTHING : html` ${one.review}`}`,
      timeElement(one.created_at),
      one.checkout_url === null ? NOTHING : linkTo(one.checkout_url, 'Pay by card'),
    ]);
    const hasPending = topups.some(({ status }) => status === 'open');
    const list = dataTable({
      caption: 'Top-ups, newest first',
      columns: ['Top-up', 'Agent', 'Price', 'State', 'Started', 'Payment'],
      rows,
      empty: 'No top-ups yet.',
    });
    const pollAttributes = hasPending
      ? html` hx-get="/dashboard/topup" hx-trigger="every ${REFRESH_S}s" hx-select="#topups" hx-swap="outerHTML"`
      : NOTHING;
    const body = html`${heading('Top up', 'The credit equals the price. Card payments appear here within 30 seconds.')}
${started === null ? NOTHING : startedNotice(started)}
${agents.length === 0 ? emptyState('No agents', 'Register an agent with this email address first, and accept it on the dashboard.') : card({ title: 'New top-up', body: start })}
<div id="topups"${pollAttributes}>${card({
      title: 'Recent top-ups',
      aside: hasPending ? html`<span class="muted">Updates automatically</span>` : NOTHING,
      body: html`${list}${hasPending ? html`<p>${linkTo('/dashboard/topup', 'Refresh')}</p>` : NOTHING}`,
    })}</div>`;
    return dashboardPage(output, { title: 'Top up', path: '/dashboard/topup', scripts: ['htmx.js'], body }, site);
  },
};

/** No redirect: the processor is another site, to which a form may not lead. */
function startedNotice({ checkout_url, price_eur }: NonNullable<Of<typeof shapes.CabinetTopUps>['started']>): Html {
  if (checkout_url === null) return NOTHING;
  return notice(
    'info',
    html`<p>Your checkout for €${price_eur.toFixed(2)} is open. ${linkTo(checkout_url, 'Continue to card payment')}</p><p>${linkTo(
      '/dashboard/topup',
      'Track it here',
    )}</p>`,
  );
}
