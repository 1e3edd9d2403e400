import { html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, heading, keyValues, light, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';

interface CheckoutPage {
  readonly session_id: string;
  readonly product: string;
  readonly amount_eur: string;
  readonly status: string;
  readonly payment_status: string;
  readonly return_url: string;
  readonly actions: readonly { readonly action: string; readonly label: string }[];
}

/** Works without script: each button is a form. */
export function checkoutHtml(shown: CheckoutPage, site: Site): string {
  const { session_id, product, amount_eur, status, payment_status, return_url, actions } = shown;
  const buttons = actions.map(
    ({ action, label }, index) =>
      html`<form method="post" action="/sandbox/checkout/${session_id}/${action}">${button(label, index === 0 ? {} : { kind: 'plain' })}</form>`,
  );
  const body = html`${heading('Sandbox checkout', 'No real card, no real money.')}${card({
    title: product,
    body: html`${keyValues([
      ['Amount', `€${amount_eur}`],
      ['Session', light(status, status === 'open' ? 'info' : 'neutral')],
      ['Payment', light(payment_status, payment_status === 'paid' ? 'good' : 'neutral')],
    ])}<div class="actions">${buttons}</div>`,
  })}<p>${linkTo(return_url, 'Back to the top-up')}</p>`;
  return page({ title: 'Sandbox checkout', path: `/sandbox/checkout/${session_id}`, body, isPrivate: true }, site);
}

export function checkoutMarkdown(shown: CheckoutPage): string {
  const { session_id, product, amount_eur, status, payment_status, return_url, actions } = shown;
  const list = actions.map(({ action, label }) => `- ${label}: POST /sandbox/checkout/${session_id}/${action}`);
  const about = `${product}: €${amount_eur}\n\nSession ${status}, payment ${payment_status}`;
  return `# Sandbox checkout\n\nNo real card, no real money.\n\n${about}\n\n${list.join('\n')}\n\nBack: ${return_url}\n`;
}
