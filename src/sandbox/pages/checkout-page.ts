import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { button, card, heading, keyValues, linkTo, pill } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { pathOf } from './way-back.ts';

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
  const labels = new Map(actions.map(({ action, label }) => [action, label]));
  const form = (action: string, submit: Html) =>
    html`<form method="post" action="/sandbox/checkout/${session_id}/${action}">${submit}</form>`;
  const others = actions.filter(({ action }) => action !== 'pay' && action !== 'cancel');
  const summary = labels.has('pay') ? 'Simulate a failure' : 'Simulate what happens next';
  const isOpen = status === 'open';
  const body = html`<div class="narrow">${heading('Sandbox checkout', 'Plays the card processor. No real card, no real money.')}${card(
    {
      title: product,
      body: html`<p class="checkout-amount">${eur(amount_eur)}</p>${
        isOpen
          ? NOTHING
          : keyValues([
              ['Checkout', pill(status)],
              ['Payment', pill(payment_status)],
            ])
      }<div class="checkout-actions">${labels.has('pay') ? form('pay', button(`Pay ${eur(amount_eur)}`)) : NOTHING}${
        labels.has('cancel') ? form('cancel', button('Cancel', { kind: 'plain' })) : NOTHING
      }${isOpen ? NOTHING : button('Back to the top-up', { href: pathOf(return_url) })}</div>${
        others.length === 0
          ? NOTHING
          : html`<details class="simulations"><summary>${summary}</summary><div class="actions">${others.map(({ action, label }) => form(action, button(label, { kind: 'plain' })))}</div></details>`
      }`,
    },
  )}${isOpen ? html`<p>${linkTo(pathOf(return_url), 'Back to the top-up')}</p>` : NOTHING}</div>`;
  return page({ title: 'Sandbox checkout', path: `/sandbox/checkout/${session_id}`, body, isPrivate: true }, site);
}

export function checkoutMarkdown(shown: CheckoutPage): string {
  const { session_id, product, amount_eur, status, payment_status, return_url, actions } = shown;
  const list = actions.map(({ action, label }) => `- ${label}: POST /sandbox/checkout/${session_id}/${action}`);
  const about = `${product}: €${amount_eur}\n\nSession ${status}, payment ${payment_status}`;
  return `# Sandbox checkout\n\nNo real card, no real money.\n\n${about}\n\n${list.join('\n')}\n\nBack: ${return_url}\n`;
}
