import type { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { button, card, dataTable, emptyState, heading, linkTo, pill } from '#web/components.ts';
import { shortId } from '#web/short-id.ts';
import { when } from '#web/times.ts';
import { agentName, dashboardPage, markdownOf, postForm, select } from '../frame.ts';
import type { CabinetTopUps } from '../shapes.ts';
import { placeOf } from './names.ts';

type TopUps = z.output<typeof CabinetTopUps>;
type TopUp = TopUps['topups'][number];

export interface TopUpsView {
  /** The agent that was picked. */
  readonly agentId: string;
}

const PATH = '/dashboard/topup';
const REFRESH_S = 4;
const MIDDLE = 'team';

export const topUpsDocument = {
  markdown: markdownOf('Top up'),
  html(output: TopUps, site: Site, { agentId }: TopUpsView = { agentId: '' }): string {
    const { agents, topups, started } = output;
    const hasPending = topups.some(({ status }) => status === 'open');
    const query = placeOf('', { agent_id: agentId });
    const attributes = hasPending
      ? html` hx-get="${PATH}${query}" hx-trigger="every ${REFRESH_S}s" hx-select="#topups" hx-swap="outerHTML"`
      : NOTHING;
    const lead = 'The credit equals the price. You pay on the page of the card processor.';
    const none = emptyState(
      'No agents to top up',
      'Create an agent, or accept one that waits for your answer on the overview.',
      button('Overview', { href: '/dashboard', kind: 'plain' }),
    );
    const body = html`${heading('Top up', lead)}${started === null ? NOTHING : startedCard(started, agents)}
${agents.length === 0 ? none : choose(output, agentId)}
<div id="topups"${attributes}>${recent(output, agentId, site)}</div>`;
    const scripts = hasPending ? (['htmx.js'] as const) : [];
    return dashboardPage(output, { title: 'Top up', path: PATH, query, scripts, body }, site);
  },
};

function choose({ agents, tiers, csrf }: TopUps, agentId: string): Html {
  const wallets = agents.map(({ agent_id, untrusted_name, available_eur }) => ({
    value: agent_id,
    label: `${untrusted_name} · ${eur(available_eur)}`,
  }));
  const choices = tiers.map(
    ({ tier, price_eur, estimated_calls }) =>
      html`<label class="tier"><input type="radio" name="tier" value="${tier}"${tier === MIDDLE ? html` checked` : NOTHING}><span class="tier-price">${eur(price_eur.toFixed(2))} <small>${tier}</small></span><span class="muted">${estimated_calls}</span></label>`,
  );
  const form = postForm(
    PATH,
    csrf,
    html`${select('agent_id', 'Agent', wallets, agentId)}<fieldset class="tiers"><legend>Amount</legend>${choices}</fieldset><div class="topup-submit">${button('Continue to payment')}<p class="hint">You pay on the card processor's page. The credit arrives within 30 seconds.</p></div>`,
    'stacked',
  );
  return html`<section class="card topup-form"><div class="card-body">${form}</div></section>`;
}

/** No redirect: the processor is another site, to which a form may not lead. */
function startedCard({ checkout_url, price_eur, agent_id, topup_id }: TopUp, agents: TopUps['agents']): Html {
  if (checkout_url === null) return NOTHING;
  return card({
    title: `Pay ${eur(price_eur.toFixed(2))} for ${agents.find((one) => one.agent_id === agent_id)?.untrusted_name ?? 'your agent'}`,
    aside: pill('open', { tone: 'info', label: 'Open' }),
    body: html`<p>Top-up ${shortId(topup_id)} is open. Pay by card on the next page; this page then shows the credit.</p><p class="actions"><a class="button button-primary" href="${checkout_url}" data-focus>Continue to card payment</a>${linkTo(PATH, 'Pay later')}</p>`,
  });
}

function recent({ agents, topups }: TopUps, agentId: string, site: Site): Html {
  const shown = topups.filter(({ agent_id }) => agentId === '' || agent_id === agentId);
  const hasPending = shown.some(({ status }) => status === 'open');
  const list = dataTable({
    caption: 'Top-ups, newest first',
    hidesCaption: true,
    columns: [
      'State',
      { label: 'Amount', align: 'number' },
      'Agent',
      'Started',
      'Top-up',
      { label: 'Payment', kind: 'actions' },
    ],
    rows: shown.map((one) => [
      html`${pill(one.status, one.status === 'open' ? { tone: 'info', label: 'Open' } : {})}${one.review === null ? NOTHING : html` <span class="muted">${one.review}</span>`}`,
      eur(one.price_eur.toFixed(2)),
      agentName(agents, one.agent_id),
      when(one.created_at, site),
      shortId(one.topup_id, `/wallet/topups/${one.topup_id}`),
      one.checkout_url === null ? NOTHING : html`<a class="button button-plain" href="${one.checkout_url}">Pay</a>`,
    ]),
    empty: 'No top-ups yet.',
  });
  const aside = hasPending
    ? html`<span class="muted">Updates automatically · ${linkTo(PATH, 'Refresh')}</span>`
    : NOTHING;
  return card({ title: 'Recent top-ups', aside, body: list });
}
