import { html } from '#kernel/html.ts';

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
export function checkoutHtml(page: CheckoutPage): string {
  const { session_id, product, amount_eur, status, payment_status, return_url, actions } = page;
  const buttons = actions.map(
    ({ action, label }) =>
      html`<form method="post" action="/sandbox/checkout/${session_id}/${action}"><button>${label}</button></form>`,
  );
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Sandbox checkout</title></head>
<body><main><h1>Sandbox checkout</h1><p><strong>No real card, no real money.</strong></p>
<p>${product}: ${amount_eur} EUR</p><p>Session ${status}, payment ${payment_status}</p>
${buttons}
<p><a href="${return_url}">Back to the wallet</a></p></main></body>
</html>
`.text;
}

export function checkoutMarkdown(page: CheckoutPage): string {
  const { session_id, product, amount_eur, status, payment_status, return_url, actions } = page;
  const list = actions.map(({ action, label }) => `- ${label}: POST /sandbox/checkout/${session_id}/${action}`);
  const about = `${product}: ${amount_eur} EUR\n\nSession ${status}, payment ${payment_status}`;
  return `# Sandbox checkout\n\nNo real card, no real money.\n\n${about}\n\n${list.join('\n')}\n\nBack: ${return_url}\n`;
}
