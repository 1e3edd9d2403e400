import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur, usdc } from '#web/amounts.ts';
import { button, dataTable, heading, linkTo } from '#web/components.ts';
import { page } from '#web/layout.ts';
import type { PricingAnswer } from './pricing.ts';

export const pricingPages = {
  html: (pricing: PricingAnswer, site: Site) =>
    page({ title: 'Pricing', path: '/pricing', section: 'pricing', body: body(pricing, site) }, site),
  markdown: (pricing: PricingAnswer) => documentMarkdown(pricing, 'Pricing'),
};

const CHARGES: readonly (readonly [response: string, charge: string])[] = [
  [
    '200 with the result',
    'Charged once. A retry with the same payment or the same idempotency key is not charged again.',
  ],
  ['Any error (4xx or 5xx)', 'Not charged. A wallet hold is released.'],
  [
    'Settlement still pending',
    'Not known yet. Send the same payment again to get the result. It is charged at most once.',
  ],
  [
    'Money moved, no result',
    'A refund is due. It is sealed in the public log, and the status page counts it until it is paid.',
  ],
];

function body(pricing: PricingAnswer, { sandbox }: Site): Html {
  const lead = sandbox
    ? 'Most of Avouch is free. These are the real prices; in this sandbox you pay with test money.'
    : 'Most of Avouch is free. You pay for verdicts, seals and work, and only when you get a result.';
  return html`${heading('Pricing', lead)}
<div class="pricing">
${free(pricing)}
${perCall(pricing)}
${seals(pricing)}
${prepaid(pricing)}
<section id="charged"><h2>No result, no charge</h2>${dataTable({
    caption: 'When you are charged',
    hidesCaption: true,
    columns: ['Response', 'Charge'],
    rows: CHARGES,
  })}<p class="muted">The rules in full: ${linkTo('/docs/payments#when-you-are-charged', 'payments')} and ${linkTo('/docs/wallet#prices-holds-and-charges', 'wallet')}. For machines: ${linkTo('/economy/manifest', 'economy manifest')}.</p></section>
</div>`;
}

function free({ free: rows }: PricingAnswer): Html {
  return html`<section id="free"><h2>Free</h2><ul class="price-free">${rows.map(({ title, what, path }) => html`<li>${linkTo(path, title)}<span class="muted">${what}</span></li>`)}</ul></section>`;
}

function perCall({ per_call: calls }: PricingAnswer): Html {
  return html`<section id="per-call"><h2>Per call</h2><p>Paid in USDC on Base with x402. No account.</p>
<ul class="price-list">${calls.map(({ title, path, price_usdc: price, operation_id: id }) => html`<li>${linkTo(path, title)}<strong data-price="${id}">${usdc(price)}</strong></li>`)}</ul></section>`;
}

function seals({ seals: fees }: PricingAnswer): Html {
  return html`<section id="seals"><h2>Seals</h2><p>One fee for each seal, invoiced. A rejected seal costs nothing, and verifying is always free.</p>
<ul class="price-list">${fees.map(({ title, fee_eur: fee, schema_id: id }) => html`<li><span>${title}</span><strong data-price="${id}">${eur(fee)}</strong></li>`)}</ul></section>`;
}

function prepaid({ tiers, capabilities, calculation_eur: calculation, orders }: PricingAnswer): Html {
  const cards = tiers.map(
    ({ tier, price_eur: price, credit_eur: credit, calculations }) =>
      html`<li class="card"><p class="tier-name">${capitalised(tier)}</p><p class="tier-price" data-price="${tier}" data-calculations="${calculations}">${eur(price)}</p><p class="muted">${eur(credit)} credit, about ${calculations.toLocaleString('en')} bill-of-materials calculations</p></li>`,
  );
  return html`<section id="prepaid"><h2>Prepaid</h2><p>Top up an agent’s wallet by card. Credit equals price.</p>
<ul class="tiers">${cards}</ul>
<p>${button('Create an agent', { href: '/start' })}</p>
<h3>What the wallet pays for</h3>
<ul class="price-list"><li><span>Bill-of-materials calculation</span><strong data-price="calculation">${eur(calculation)}</strong></li>
${orders.examples.map(({ goods_eur: goods, fee_eur: fee }) => html`<li><span>Order of parts for ${eur(goods)}</span><strong>${eur(fee)}</strong></li>`)}</ul>
<p class="muted">An order costs ${String(orders.fee_pct)} % of the goods, at least ${eur(orders.minimum_eur)}, once the supplier confirms. You pay the supplier for the goods.</p>
${capabilityPrices(capabilities)}</section>`;
}

function capabilityPrices({
  count,
  markup_pct: markup,
  minimum_eur: minimum,
  embedded,
  with_model: withModel,
}: PricingAnswer['capabilities']): Html {
  return html`<h3>${count} capabilities</h3>
<p>You pay what the provider charges plus ${String(markup)} %, at least ${eur(minimum)} a call. ${embedded.count} of them run here without a provider, so a call costs the minimum.</p>
<ul class="price-list">${embedded.examples.map(({ title, price_eur: price }) => html`<li><span>${title}</span><strong>${eur(price)}</strong></li>`)}${withModel.map(({ provider_cost_eur: cost, price_eur: price }) => html`<li><span>Work that costs ${eur(cost)} at a model provider</span><strong>${eur(price)}</strong></li>`)}</ul>
<p class="muted">Every capability with its price: ${linkTo('/capabilities/manifest', 'capability manifest')}.</p>`;
}

function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
