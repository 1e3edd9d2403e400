import { type Html, html, NOTHING } from '#kernel/html.ts';
import { jsonSchemaOf } from '#kernel/openapi.ts';
import { type Operation, type Site, timeoutSecondsOf } from '#kernel/operation.ts';
import type { FieldError, Refusal } from '#kernel/problem.ts';
import { paidTypescriptOf, shellQuoted, toolCallOf } from './call-code.ts';
import { button, card, code, codeTabs, heading, keyValues, linkTo, notice } from './components.ts';
import { field, type FieldSchema } from './form-field.ts';
import { page } from './layout.ts';
import { paidName } from './paid-name.ts';
import { visible } from './untrusted.ts';

/** A call that must be paid for, as a person sees it. */
export interface UnpaidCall {
  readonly operation: Operation;
  readonly refusal: Refusal;
  /** The parameters as they were sent. */
  readonly values: Readonly<Record<string, string>>;
  /** What is wrong with them: the price is also given for a call that would be refused. */
  readonly errors: readonly FieldError[];
}

interface Challenge {
  readonly error?: string;
  readonly accepts?: readonly { readonly network: string; readonly asset: string; readonly payTo: string }[];
}

export function paymentHtml(call: UnpaidCall, site: Site): string {
  const { operation, refusal, errors } = call;
  const { usdc = '0' } = operation.price ?? {};
  const name = paidName(operation);
  const challenge = (refusal.details.members ?? {}) as Challenge;
  const isFirstAsk = challenge.error === 'Payment required';
  const lead = html`${worth(Number(usdc))}. Charged only with a 200. Nothing has been charged.`;
  const body = html`<div class="paid-call">${heading(`${name} costs ${amount(usdc)}`, lead)}<p class="problem-code">402 · <a href="/problems/payment_required">payment_required</a></p>
${isFirstAsk ? NOTHING : notice('bad', refusal.details.detail)}
${errors.length > 0 ? wrongParameters(call) : askedCard(call, site, amount(usdc))}
${card({
  title: site.sandbox ? 'For your agent' : 'Pay from your agent',
  body: html`${codeTabs('pay', snippets(call, site))}<p>You get a verdict, a signed receipt and proof of payment. ${linkTo('/docs/payments', 'How x402 works')}</p>`,
})}
<details><summary>Technical details</summary>${technical(operation, challenge)}${code(visible(JSON.stringify(refusal.details.members ?? {}, null, 2)), 'Challenge')}</details></div>`;
  return page(
    { title: `${name}: ${amount(usdc)}`, path: operation.path, body, isPrivate: true, hasForms: false },
    site,
  );
}

function amount(usdc: string): string {
  return `${Number(usdc).toFixed(3)} USDC`;
}

function worth(usd: number): string {
  if (usd < 0.01) return 'Less than a cent';
  const cents = Math.round(usd * 100);
  return usd < 1 ? `About ${cents} US ${cents === 1 ? 'cent' : 'cents'}` : `About ${usd.toFixed(2)} US dollars`;
}

function askedCard({ operation, values }: UnpaidCall, site: Site, price: string): Html {
  const asked = Object.entries(values).map(([name, value]) => [name, html`<code>${visible(value)}</code>`] as const);
  const [example] = operation.examples;
  const inputs = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const pay = html`<form method="post" action="/playground/pay"><input type="hidden" name="operation" value="${operation.operationId}"><input type="hidden" name="verify" value="yes">${inputs}${button(`Pay ${price.replace('USDC', 'test USDC')} and see the result`)}</form>`;
  return card({
    title: 'You asked',
    body: html`<p>${operation.summary}.</p>${asked.length === 0 ? NOTHING : keyValues(asked)}${site.sandbox ? pay : NOTHING}${
      example === undefined
        ? NOTHING
        : html`<details><summary>See an example result</summary>${code(visible(JSON.stringify((example.output as { result?: unknown }).result ?? example.output, null, 2)), 'Example result')}</details>`
    }`,
  });
}

/** Said first: nobody should pay for a call that is refused. */
function wrongParameters({ operation, values, errors }: UnpaidCall): Html {
  const nameOf = ({ pointer }: FieldError) => pointer.slice(2).split('/', 1)[0] ?? '';
  const { properties = {}, required = [] } = schemaOf(operation);
  const known = [...new Set([...required, ...errors.map(nameOf), ...Object.keys(values)])].filter(
    (name) => name in properties,
  );
  const fields = known.map((name) => {
    const error = errors.find((one) => nameOf(one) === name)?.detail;
    const { default: _default, ...schema } = properties[name] as FieldSchema;
    return field({
      name,
      label: labelOf(name),
      schema,
      isRequired: required.includes(name),
      value: values[name] ?? '',
      ...(error !== undefined && { error }),
    });
  });
  const general = errors.filter((error) => !known.includes(nameOf(error)));
  const reasons = [...errors.filter((error) => !general.includes(error)), ...general].map(
    (error) =>
      html`<li>${nameOf(error) === '' ? NOTHING : html`<code>${visible(nameOf(error))}</code> `}${error.detail}</li>`,
  );
  return html`${notice('bad', html`<p><strong>This call would be refused</strong>, paid or not:</p><ul>${reasons}</ul>`)}${card(
    {
      title: 'Fix the request',
      body: html`<form method="get" action="${operation.path}" class="stacked-form" novalidate>${fields}${button('Update the request')}</form>`,
    },
  )}`;
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\b(?:vat|uk|eu|usd|kvk|lei)\b/g, (word) => word.toUpperCase());
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

const schemas = new WeakMap<Operation, Schema>();

/** Made once: a JSON Schema takes longer than the rest of a page. */
function schemaOf(operation: Operation): Schema {
  const schema: Schema = schemas.get(operation) ?? jsonSchemaOf(operation.input, 'input');
  schemas.set(operation, schema);
  return schema;
}

function snippets({ operation, values }: UnpaidCall, site: Site) {
  const { operationId, path, price } = operation;
  const { usdc = '0' } = price ?? {};
  const baseUrl = site.baseUrl();
  const query = new URLSearchParams(values).toString();
  const url = `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
  const mcp = toolCallOf(operation, values, { baseUrl, tool: site.rowTool?.(operationId) });
  return {
    curl: `# 402 with the challenge. Sign it, then repeat the call with PAYMENT-SIGNATURE.\ncurl -i ${shellQuoted(url)}`,
    ts: paidTypescriptOf(operationId, visible(JSON.stringify(values)), baseUrl, usdc),
    ...(mcp !== undefined && { mcp: visible(mcp) }),
    cli: `./avouch pay ${shellQuoted(url)} --max ${usdc}`,
  };
}

function technical(operation: Operation, { accepts = [] }: Challenge): Html {
  const [terms] = accepts;
  if (terms === undefined || operation.price === null) return NOTHING;
  return keyValues([
    ['Network', html`<code>${terms.network}</code>`],
    ['Token', html`<code class="hash">${terms.asset}</code>`],
    ['Pay to', html`<code class="hash">${terms.payTo}</code>`],
    ['A signed payment is valid for', `${timeoutSecondsOf(operation.price)} s`],
  ]);
}
