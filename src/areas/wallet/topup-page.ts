import { html } from '#kernel/html.ts';
import type { TopUpState } from './topup-state.ts';

interface ReturnPage {
  readonly topup_id: string;
  readonly tier: string;
  readonly price_eur: number;
  readonly status: TopUpState;
  readonly livemode: boolean | null;
}

const SAID: Readonly<Record<TopUpState, string>> = {
  created: 'The checkout has not been opened.',
  open: 'The payment has not been seen yet. This page looks again by itself.',
  credited: 'Paid. The wallet has been credited.',
  expired: 'The checkout expired unpaid. Nothing was charged.',
  failed: 'The payment failed. Nothing was credited.',
  review: 'The payment does not fit what was ordered. A person will look at it; nothing has been credited.',
};
const REFRESH_S = 3;

export function returnHtml({ topup_id, tier, price_eur, status, livemode }: ReturnPage): string {
  const refresh = status === 'open' ? [html`<meta http-equiv="refresh" content="${REFRESH_S}">`] : [];
  const sandbox = livemode === false ? [html`<p>No real money.</p>`] : [];
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex">${refresh}<title>Top-up: ${status}</title></head>
<body><main><h1>Top-up: ${status}</h1><p>${SAID[status]}</p>
<p>${tier}, ${price_eur.toFixed(2)} EUR, <code>${topup_id}</code></p>${sandbox}</main></body>
</html>
`.text;
}

export function returnMarkdown({ topup_id, tier, price_eur, status }: ReturnPage): string {
  return `# Top-up: ${status}\n\n${SAID[status]}\n\n${tier}, ${price_eur.toFixed(2)} EUR, \`${topup_id}\`\n`;
}
