import { html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { card, hash, heading, keyValues, notice, type Tone } from '#web/components.ts';
import { page } from '#web/layout.ts';
import type { TopUpState } from './topup-state.ts';

interface ReturnPage {
  readonly topup_id: string;
  readonly tier: string;
  readonly price_eur: number;
  readonly status: TopUpState;
  readonly livemode: boolean | null;
}

const STATUS_TEXT: Readonly<Record<TopUpState, string>> = {
  created: 'The checkout has not been opened yet.',
  open: 'Waiting for your payment. This page updates automatically.',
  credited: 'Paid. The wallet has been credited.',
  expired: 'The checkout expired before payment. Nothing was charged.',
  failed: 'The payment failed. Nothing was credited.',
  review: 'The payment does not match this top-up. We are reviewing it; nothing has been credited.',
};
const REFRESH_S = 3;

const TONES: Readonly<Record<TopUpState, Tone>> = {
  created: 'neutral',
  open: 'info',
  credited: 'good',
  expired: 'warn',
  failed: 'bad',
  review: 'warn',
};

export function returnHtml({ topup_id, tier, price_eur, status, livemode }: ReturnPage, site: Site): string {
  const title = `Top-up: ${status}`;
  const body = html`${heading(title)}${notice(TONES[status], STATUS_TEXT[status])}${card({
    body: keyValues([
      ['Tier', tier],
      ['Price', `€${price_eur.toFixed(2)}`],
      ['Top-up', hash(topup_id)],
      ...(livemode === false ? [['Mode', 'Test, no real money'] as const] : []),
    ]),
  })}`;
  const refresh = status === 'open' ? { refreshSeconds: REFRESH_S } : {};
  return page(
    { title, path: `/wallet/topups/${topup_id}`, section: 'dashboard', isPrivate: true, body, ...refresh },
    site,
  );
}

export function returnMarkdown({ topup_id, tier, price_eur, status }: ReturnPage): string {
  return `# Top-up: ${status}\n\n${STATUS_TEXT[status]}\n\n${tier}, €${price_eur.toFixed(2)}, \`${topup_id}\`\n`;
}
