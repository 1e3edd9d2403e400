import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { button, card, code, heading, keyValues, linkTo, notice, pill } from '#web/components.ts';
import { page } from '#web/layout.ts';
import { paidName } from '#web/paid-name.ts';
import { shortId } from '#web/short-id.ts';
import { visible } from '#web/untrusted.ts';

interface Bought {
  readonly chosen: { readonly operation: string; readonly summary: string; readonly price_usdc: string | null };
  readonly values: Readonly<Record<string, string>>;
  readonly request: { readonly url: string };
}

interface Outcome {
  readonly status: number;
  readonly answer?: unknown;
  readonly paid_from: string | null;
  readonly receipt?:
    | { readonly valid: boolean; readonly checks: readonly { readonly name: string; readonly ok: boolean | null }[] }
    | null
    | undefined;
}

const CHECKS: Readonly<Record<string, string>> = {
  signature: 'Signed with Ed25519',
  key_published: 'By a published key',
  result_sha256: 'Over exactly this result',
  request_sha256: 'For this request',
  sandbox: 'Marked as sandbox',
};

/** What was bought: the result, its receipt and nothing else. */
export function resultHtml({ chosen, values, request }: Bought, outcome: Outcome, site: Site): string {
  const name = paidName({ operationId: chosen.operation, summary: chosen.summary });
  const { status, answer } = outcome;
  const isBought = status === 200;
  const again = `${new URL(request.url).pathname}?${new URLSearchParams(values).toString()}`;
  const body = html`${heading(isBought ? `${name}: ${verdictOf(answer)}` : name)}
${isBought ? NOTHING : notice('bad', (answer as { detail?: string } | null)?.detail ?? 'The call was refused.')}
<div class="grid grid-top">${card({ title: 'Result', body: resultBody(answer) })}${receiptCard(outcome, chosen.price_usdc)}</div>
<p class="actions">${button('Get started', { href: '/start' })} ${button('Ask again', { href: again, kind: 'plain' })} ${button('Verify a receipt yourself', { href: '/verify', kind: 'plain' })}</p>`;
  return page({ title: name, path: '/playground', body, isPrivate: true, hasForms: false }, site);
}

function resultOf(answer: unknown): Readonly<Record<string, unknown>> {
  const { result = answer } = (answer ?? {}) as { result?: unknown };
  return typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
}

function verdictOf(answer: unknown): string {
  const { verdict, status, result } = resultOf(answer);
  const word = [verdict, status, result].find((one): one is string => typeof one === 'string') ?? 'Done';
  const words = word.replaceAll('_', ' ').toLowerCase();
  return visible(`${words.slice(0, 1).toUpperCase()}${words.slice(1)}`);
}

function resultBody(answer: unknown): Html {
  const shown = Object.entries(resultOf(answer)).flatMap(([name, value]) => {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isPlain && name !== 'sandbox' ? [[labelOf(name), visible(textOf(value))] as const] : [];
  });
  return html`${shown.length === 0 ? NOTHING : keyValues(shown)}<details><summary>Whole response</summary>${code(visible(JSON.stringify(answer, null, 2)), 'Response')}</details>`;
}

function textOf(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?Z$/.exec(String(value))?.[1];
  return time === undefined ? String(value) : `${time.replace('T', ' ')} UTC`;
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function receiptCard({ answer, receipt, paid_from: payer }: Outcome, price: string | null): Html {
  const { receipt: signed } = (answer ?? {}) as { receipt?: { receipt_id?: string } };
  if (receipt == null) return card({ title: 'Receipt', body: html`<p>No receipt, and nothing was charged.</p>` });
  const checks = receipt.checks
    .filter(({ ok }) => ok !== null)
    .map(
      ({ name, ok }) =>
        html`<li>${pill(ok ? 'ok' : 'failed', { label: ok ? 'Yes' : 'No' })} ${CHECKS[name] ?? name}</li>`,
    );
  return card({
    title: 'Receipt',
    aside: pill(receipt.valid ? 'valid' : 'invalid', { label: receipt.valid ? 'Receipt valid' : 'Receipt not valid' }),
    body: html`<ul class="receipt-checks">${checks}</ul>${keyValues([
      ...(price === null ? [] : [['Paid', `${price} test USDC`] as const]),
      ...(payer === null ? [] : [['From', shortId(payer)] as const]),
      ...(signed?.receipt_id === undefined ? [] : [['Receipt id', shortId(signed.receipt_id)] as const]),
    ])}<p class="muted">The receipt proves who answered what. It does not prove that the register is right. ${linkTo('/docs/receipts', 'About receipts')}</p>`,
  });
}
