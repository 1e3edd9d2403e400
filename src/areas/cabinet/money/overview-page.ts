import { lazily } from '#kernel/lazily.ts';
import type { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur, eurSigned } from '#web/amounts.ts';
import { sparkline, stackedBars, stepLine } from '#web/chart.ts';
import {
  button,
  card,
  confirmLink,
  dialogLink,
  emptyState,
  heading,
  linkTo,
  notice,
  pill,
  segmented,
  stats,
  steps,
  type Tone,
} from '#web/components.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { MOST_COUNTED } from '../activity/calls.ts';
import { agentName, dashboardPage, hidden, markdownOf, postForm } from '../frame.ts';
import type { CabinetOverview } from '../shapes.ts';
import type { Alert } from './alerts.ts';
import { eventName, groupName, placeOf, reference } from './names.ts';

type Overview = z.output<typeof CabinetOverview>;

export interface OverviewView {
  readonly toast: Html;
}

const PATH = '/dashboard';
const LEDGER = '/dashboard/ledger';
const ALERTS_SHOWN = 3;
export const RANGES = [7, 30, 90] as const;

export const overviewDocument = {
  markdown: markdownOf('Dashboard'),
  html(output: Overview, site: Site, { toast }: OverviewView = { toast: NOTHING }): string {
    const { agents, agent_id, spending } = output;
    const days = spending.days.length;
    const query = placeOf('', { agent_id, days: days === 30 ? null : days });
    const actions = [
      button('Top up', { href: placeOf('/dashboard/topup', { agent_id }) }),
      dialogLink('New agent', '/dashboard/keys?confirm=new_agent', 'plain'),
    ];
    const accepted = agents.filter(({ owner_verified }) => owner_verified);
    const parts = html`${figures(output)}<div class="overview">${spendCard(output)}${balanceCard(output)}${agentsCard(output, site)}${recentCard(output, site)}</div>`;
    const body = html`${toast}${heading('Overview', undefined, actions)}${alertList(output)}${waiting(output, site)}${
      accepted.length === 0 && agents.length === 0 ? firstSteps() : parts
    }`;
    return dashboardPage(output, { title: 'Overview', path: PATH, query, body }, site);
  },
};

const ALERT_TONES: Readonly<Record<Alert['kind'], Tone>> = {
  low_balance: 'warn',
  no_key: 'warn',
  task_waits: 'warn',
  frozen: 'bad',
  topup_in_review: 'warn',
  key_unused: 'info',
  ledger_halted: 'bad',
  suspended: 'bad',
  not_yet_yours: 'warn',
};
const URGENCY: readonly Tone[] = ['bad', 'warn', 'info'];

/** Where to do something about it, and the words for that. */
function remedy({ kind, agent_id }: Alert): Html {
  switch (kind) {
    case 'low_balance':
      return linkTo(placeOf('/dashboard/topup', { agent_id }), 'Top up');
    case 'task_waits':
      return linkTo(placeOf('/dashboard/tasks', { show: 'needs_you', agent_id }), 'Answer');
    case 'key_unused':
    case 'no_key':
      return linkTo(placeOf('/dashboard/keys', { agent_id }), 'View keys');
    case 'ledger_halted':
      return linkTo('/system/status', 'View status');
    case 'suspended':
      return linkTo('/api/rules-of-engagement', 'View the usage rules');
    default:
      return linkTo(placeOf('/dashboard/topup', { agent_id }), 'View top-ups');
  }
}

/** The worst first. Agents that wait for an answer have a card below. */
function alertList({ agents, alerts }: Overview): Html {
  const listed = alerts
    .filter(({ kind }) => kind !== 'not_yet_yours')
    .toSorted((a, b) => URGENCY.indexOf(ALERT_TONES[a.kind]) - URGENCY.indexOf(ALERT_TONES[b.kind]));
  const line = (alert: Alert) => {
    const { kind, agent_id, text } = alert;
    const who = agent_id === null ? NOTHING : html`<strong>${agentName(agents, agent_id)}</strong>: `;
    return notice(ALERT_TONES[kind], html`<p>${who}${text} ${remedy(alert)}</p>`);
  };
  const rest = listed.slice(ALERTS_SHOWN);
  const more =
    rest.length === 0
      ? NOTHING
      : html`<details class="more-alerts"><summary>${rest.length === 1 ? '1 more alert' : `${rest.length} more alerts`}</summary>${rest.map(line)}</details>`;
  return listed.length === 0
    ? NOTHING
    : html`<div class="alerts">${listed.slice(0, ALERTS_SHOWN).map(line)}${more}</div>`;
}

/** Agents that somebody registered with the address of this account. */
function waiting({ agents, csrf }: Overview, site: Site): Html[] {
  return agents
    .filter(({ owner_verified }) => !owner_verified)
    .map(({ agent_id, untrusted_name, created_at }) => {
      const accept = postForm(
        '/dashboard/agents',
        csrf,
        html`${hidden('agent_id', agent_id)}${hidden('answer', 'accept')}${button('Yes, it is mine', { kind: 'plain' })}`,
      );
      const refuse = confirmLink('Not mine…', placeOf('/dashboard/keys', { confirm: 'refuse', agent_id }));
      return card({
        title: 'Is this your agent?',
        aside: pill('pending', { tone: 'warn' }),
        body: html`<p>Someone registered <bdi>“${untrusted_name}”</bdi> ${shortId(agent_id)} with your email address ${when(created_at, site)}. You cannot top it up before you accept it.</p><div class="actions">${accept}${refuse}</div>`,
      });
    });
}

function figures({ agent_id, total_available_eur, total_held_eur, spending, calls_24h }: Overview): Html {
  const { from, to, total_eur, days } = spending;
  const values = days.toReversed().map((day) => Number(day.total_eur));
  const isEmpty = values.every((value) => value === 0);
  return stats([
    { label: 'Available', value: eur(total_available_eur), href: placeOf(LEDGER, { agent_id }) },
    {
      label: 'On hold',
      value: eur(total_held_eur),
      href: placeOf(LEDGER, { agent_id }),
      note: 'Reserved for running calls; returned if they fail.',
    },
    {
      label: `Spent, ${days.length} days`,
      value: eur(total_eur),
      href: placeOf(LEDGER, { agent_id, from, to }),
      note: isEmpty ? '' : sparkline(values, `Spending per day, ${days.length} days`),
    },
    {
      label: 'Calls, 24 h',
      value: countText(calls_24h.total, calls_24h.at_least),
      href: placeOf('/dashboard/calls', { agent_id }),
      note:
        calls_24h.failed === 0
          ? '0 failed'
          : linkTo(
              placeOf('/dashboard/calls', { agent_id, status: 'failed' }),
              `${countText(calls_24h.failed, calls_24h.at_least && calls_24h.failed >= MOST_COUNTED)} failed`,
            ),
    },
  ]);
}

/** `10,000+` where the count was ended. */
function countText(count: number, isMore: boolean): string {
  return `${count.toLocaleString('en-GB')}${isMore ? '+' : ''}`;
}

export function dayLabel(day: string): string {
  return dayNames().format(Date.parse(`${day}T00:00:00Z`));
}

const dayNames = lazily(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }));
export const euros = (value: number) => eur(value.toFixed(6));

function spendCard({ agent_id, spending }: Overview): Html {
  const { days, whats } = spending;
  const oldestFirst = days.toReversed();
  const ranges = segmented(
    'Range',
    RANGES.map((count) => ({
      label: `${count} days`,
      href: placeOf(PATH, { agent_id, days: count }),
      isCurrent: count === days.length,
    })),
  );
  const drawn = stackedBars({
    title: `Spending per day, last ${days.length} days`,
    labels: oldestFirst.map(({ day }) => dayLabel(day)),
    series: whats.map((what, index) => ({
      label: groupName(what),
      values: oldestFirst.map(({ amounts_eur }) => Number(amounts_eur[index])),
    })),
    format: euros,
  });
  const body =
    whats.length === 0 ? emptyState(`No spending in ${days.length} days`, 'Paid calls appear here, per day.') : drawn;
  const more =
    whats.length === 0
      ? NOTHING
      : html`<p class="card-more">${linkTo(placeOf('/dashboard/spend', { agent_id, days: days.length }), 'Spend in detail')}</p>`;
  return area('spend', card({ title: 'Spend', aside: ranges, body: html`${body}${more}` }));
}

function balanceCard({ balance }: Overview): Html {
  const drawn = stepLine({
    title: `Balance, last ${balance.length} days`,
    points: balance.map(({ day, balance_eur }) => ({ label: dayLabel(day), value: Number(balance_eur) })),
    format: euros,
  });
  const body =
    drawn === NOTHING
      ? emptyState(
          'No balance yet',
          'Top up an agent to let it pay for calls.',
          button('Top up', { href: '/dashboard/topup', kind: 'plain' }),
        )
      : drawn;
  return area(
    'balance',
    card({ title: 'Balance', aside: html`<span class="muted">Available and on hold</span>`, body }),
  );
}

function recentCard({ recent }: Overview, site: Site): Html {
  const line = ({ seq, at, agent_id, kind, capability, ref, amount_eur }: Overview['recent'][number]) =>
    html`<li><span class="muted">${when(at, site)}</span><span class="recent-what">${eventName(kind, capability)} ${
      ref === null ? NOTHING : reference(ref, { agentId: agent_id, at })
    }</span><a class="num" href="${placeOf(LEDGER, { agent_id, before_seq: seq + 1 })}">${eurSigned(amount_eur)}</a></li>`;
  const body =
    recent.length === 0
      ? emptyState(
          'Nothing charged or credited yet',
          html`Top-ups and paid calls appear here. ${linkTo('/dashboard/calls', 'See all calls')}`,
        )
      : html`<ul class="recent">${recent.map(line)}</ul>`;
  return area('recent', card({ title: 'Recent activity', aside: linkTo(LEDGER, 'Ledger'), body }));
}

function agentsCard({ agents, agent_id: chosen }: Overview, site: Site): Html {
  const shown = agents.filter(
    ({ owner_verified, agent_id }) => owner_verified && (chosen === null || agent_id === chosen),
  );
  const line = ({
    agent_id,
    untrusted_name,
    status,
    frozen,
    available_eur,
    live_keys,
    last_used_at,
  }: Overview['agents'][number]) =>
    html`<li><a class="agent-name" href="${placeOf(PATH, { agent_id })}"><bdi>${untrusted_name}</bdi></a>${
      frozen ? pill('frozen', { tone: 'bad', label: 'Frozen' }) : pill(status)
    }<a class="num" href="${placeOf(LEDGER, { agent_id })}">${eur(available_eur)}</a><a href="${placeOf('/dashboard/keys', { agent_id })}">${
      live_keys === 1 ? '1 key' : `${live_keys} keys`
    }</a><span class="muted">${last_used_at === null ? 'never used' : html`used ${when(last_used_at, site)}`}</span></li>`;
  const body =
    shown.length === 0
      ? html`<p class="empty-line">No accepted agents.</p>`
      : html`<ul class="agents">${shown.map(line)}</ul>`;
  return area('agents', card({ title: 'Agents', aside: linkTo('/dashboard/keys', 'Agents & keys'), body }));
}

function area(name: string, body: Html): Html {
  return html`<div class="overview-${name}">${body}</div>`;
}

/** For an account that has no agents. */
function firstSteps(): Html {
  const list = steps(
    [
      { label: 'Create an agent', state: 'current' },
      { label: 'Save its key', state: 'todo' },
      { label: 'Make the first call', state: 'todo' },
      { label: 'Top up', state: 'todo' },
    ],
    'First steps',
  );
  const body = html`${list}<p>An agent is what calls the API and pays. It takes two minutes.</p>${button('Create your first agent', { href: '/start' })}`;
  return card({ title: 'No agents yet', body });
}
