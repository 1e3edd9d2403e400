import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { button, card, heading, keyValues, notice, steps, type Step } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { shortId } from '#web/short-id.ts';
import type { TopUpState } from './topup-state.ts';

interface ReturnPage {
  readonly topup_id: string;
  readonly tier: string;
  readonly price_eur: number;
  readonly status: TopUpState;
  readonly livemode: boolean | null;
  readonly available_eur?: string | undefined;
  readonly checkout_url?: string | null | undefined;
}

const STATUS_TEXT: Readonly<Record<TopUpState, string>> = {
  created: 'The checkout has not been opened yet.',
  open: 'Waiting for your payment. This page updates automatically.',
  credited: 'Paid. The wallet has been credited.',
  expired: 'The checkout expired before payment. Nothing was charged.',
  failed: 'The payment failed. Nothing was credited.',
  review: 'The payment does not match this top-up. We are reviewing it; nothing has been credited.',
};
const TITLES: Readonly<Record<TopUpState, string>> = {
  created: 'Top-up not started',
  open: 'Confirming your payment',
  credited: 'Money added',
  expired: 'Checkout expired',
  failed: 'Payment failed',
  review: 'Payment in review',
};
const STEPS = ['Checkout', 'Paid', 'Credited'] as const;
/** Steps that are done. */
const DONE: Readonly<Record<TopUpState, number>> = {
  created: 0,
  open: 1,
  credited: 3,
  expired: 0,
  failed: 1,
  review: 2,
};
const REFRESH_S = 2;

export function returnHtml(view: ReturnPage, site: Site): string {
  const { topup_id, tier, price_eur, status, livemode } = view;
  const price = eur(price_eur.toFixed(2));
  const isWaiting = status === 'open' || status === 'created';
  const title = TITLES[status];
  const body = html`<div class="narrow">${heading(title)}${steps(stepsOf(status), 'Top-up')}${card({
    body: html`${outcome(view, price)}${keyValues([
      ['Top-up', html`${price}, ${tier}`],
      ['Id', shortId(topup_id)],
      ...(livemode === false ? [['Mode', 'Test, no real money'] as const] : []),
    ])}<p class="actions">${actions(view)}</p>`,
  })}</div>`;
  return page(
    {
      title,
      path: `/wallet/topups/${topup_id}`,
      isPrivate: true,
      body,
      ...(isWaiting && { refreshSeconds: REFRESH_S }),
    },
    site,
  );
}

function stepsOf(status: TopUpState): Step[] {
  const done = DONE[status];
  return STEPS.map((label, index) => ({
    label,
    state: index < done ? 'done' : index === done ? 'current' : 'todo',
  }));
}

function outcome({ status, available_eur }: ReturnPage, price: string): Html {
  if (status !== 'credited') return notice(status === 'open' ? 'info' : 'warn', STATUS_TEXT[status]);
  const balance = available_eur === undefined ? NOTHING : html` <strong>${eur(available_eur)} available.</strong>`;
  return notice('good', html`<p>${price} was added to the wallet.${balance}</p>`);
}

function actions({ status, checkout_url }: ReturnPage): Html {
  const isOver = status === 'expired' || status === 'failed';
  const unpaid =
    checkout_url == null
      ? NOTHING
      : html`<a class="button button-plain" href="${checkout_url}" rel="noreferrer">Not paid yet? Continue to payment</a>`;
  if (isOver)
    return html`${button('Try again', { href: '/dashboard/topup' })} ${button('Back to dashboard', { href: '/dashboard', kind: 'plain' })}`;
  if (status === 'credited')
    return html`${button('Go to dashboard', { href: '/dashboard' })} ${button('Make a paid call', { href: '/docs/tasks', kind: 'plain' })}`;
  return html`${button('Back to dashboard', { href: '/dashboard', kind: 'plain' })} ${unpaid}`;
}

export function returnMarkdown({ topup_id, tier, price_eur, status }: ReturnPage): string {
  return `# Top-up: ${status}\n\n${STATUS_TEXT[status]}\n\n${tier}, €${price_eur.toFixed(2)}, \`${topup_id}\`\n`;
}
