import { z } from 'zod';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { badge, card, code, heading, notice } from '#web/components.ts';
import { field, type FieldSchema } from '#web/form-field.ts';
import { page } from '#web/layout.ts';
import { resultHtml } from './result-page.ts';
import { UNTRUSTED_NOTE, visible } from '#web/untrusted.ts';

const Listed = z.strictObject({ operation: z.string(), summary: z.string(), price_usdc: z.string().nullable() });

export const PlaygroundSchema = z
  .strictObject({
    operations: z.array(Listed),
    chosen: z
      .strictObject({
        operation: z.string(),
        summary: z.string(),
        description: z.string(),
        price_usdc: z.string().nullable(),
        fields: z.array(
          z.strictObject({ name: z.string(), required: z.boolean(), schema: z.record(z.string(), z.unknown()) }),
        ),
      })
      .meta({ description: 'The operation in the form. Its fields come from the input schema.' }),
    values: z.record(z.string(), z.string()).meta({ description: 'Field values.' }),
    request: z.strictObject({
      method: z.enum(['GET', 'POST']),
      url: z.string(),
      body: z.string().nullable(),
      curl: z.string(),
      mcp: z.string().nullable().meta({ description: 'The equivalent tool call. Null if there is no tool.' }),
    }),
    outcome: z
      .strictObject({
        status: z.int(),
        headers: z.record(z.string(), z.string()),
        answer: z.unknown(),
        paid_from: z.string().nullable().meta({ description: 'The sandbox account that paid.' }),
        receipt: z
          .looseObject({
            valid: z.boolean(),
            checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean().nullable() })),
          })
          .nullable()
          .optional()
          .meta({ description: 'Whether the receipt is valid, if you asked for it. Null without a receipt.' }),
      })
      .nullable()
      .meta({ description: 'The response of the call. Null before the call.' }),
  })
  .meta({ id: 'Playground' });

export type PlaygroundAnswer = z.output<typeof PlaygroundSchema>;

type Outcome = NonNullable<PlaygroundAnswer['outcome']>;
/** Written over several lines. */
const LONG = new Set(['text']);

type FieldView = PlaygroundAnswer['chosen']['fields'][number];
type Fault = { readonly pointer: string; readonly detail: string };

export function playgroundHtml(view: PlaygroundAnswer, site: Site): string {
  if (view.outcome?.receipt !== undefined) return resultHtml(view, view.outcome, site);
  const { operations, chosen, outcome, request } = view;
  const choices = operations.map(({ operation, summary, price_usdc: usdc }) => {
    const current = operation === chosen.operation ? html` aria-current="true"` : NOTHING;
    return html`<li><a href="/playground?operation=${operation}"${current} title="${summary}">${operation}${usdc === null ? NOTHING : html` ${badge('paid')}`}</a></li>`;
  });
  const body = html`${heading('Playground', 'Try any operation. This is a real call.')}
<nav aria-label="Operations"><ul class="choices">${choices}</ul></nav>
<div class="grid grid-top">${card({ title: chosen.operation, aside: price(chosen), body: html`<p>${chosen.summary}.</p><p class="muted">${chosen.description}</p>${form(view, site)}` })}
<div>${outcome === null ? NOTHING : outcomeCard(outcome)}
${card({
  title: 'Equivalent request',
  body: html`${code(request.curl, 'curl')}${request.mcp === null ? html`<p class="muted">There is no MCP tool for this. Call it over HTTP.</p>` : code(request.mcp, 'MCP')}`,
})}</div></div>`;
  return page(
    { title: 'Playground', path: `/playground?operation=${chosen.operation}`, section: 'explore', body },
    site,
  );
}

function price({ price_usdc: usdc }: PlaygroundAnswer['chosen']): Html {
  return usdc === null ? badge('free', 'good') : badge(`${usdc} USDC`, 'info');
}

function form({ chosen, values, outcome }: PlaygroundAnswer, { sandbox }: Site): Html {
  const faults = (outcome?.answer as { errors?: readonly Fault[] } | null | undefined)?.errors ?? [];
  const errorOf = (name: string) => faults.find(({ pointer }) => pointer === `#/${name}`)?.detail;
  const first = chosen.fields.filter(({ required }) => required);
  const others = chosen.fields.filter(({ required }) => !required);
  const isOpen =
    first.length === 0 || others.some(({ name }) => values[name] !== undefined || errorOf(name) !== undefined);
  const show = (fields: typeof others) =>
    fields.map((given) => fieldOf(given, values[given.name], errorOf(given.name)));
  const testPrice = sandbox ? chosen.price_usdc : null;
  return html`<form method="post" action="/playground" novalidate><input type="hidden" name="operation" value="${chosen.operation}">${show(first)}
${others.length === 0 ? NOTHING : html`<details class="more-fields"${isOpen ? html` open` : NOTHING}><summary>${others.length} optional fields</summary>${show(others)}</details>`}
<p class="actions"><button class="button button-primary">${chosen.price_usdc === null ? 'Send' : 'See the price challenge'}</button>${
    testPrice === null
      ? NOTHING
      : html`<button class="button button-plain" formaction="/playground/pay">Pay ${testPrice} test USDC and run</button>`
  }</p></form>`;
}

function fieldOf({ name, required, schema }: FieldView, value: string | undefined, error: string | undefined): Html {
  const { default: _default, maxLength: _longest, ...short } = schema as FieldSchema;
  const [example] = (short.examples ?? []) as readonly string[];
  const isJson = short.type === 'object' && example !== undefined;
  const description = isJson ? `${short.description} Example: ${example}` : short.description;
  const shown = LONG.has(name)
    ? (schema as FieldSchema)
    : { ...short, ...(description !== undefined && { description }) };
  return field({
    name,
    schema: shown,
    isRequired: required,
    ...(value !== undefined && { value }),
    ...(error !== undefined && { error }),
  });
}

function outcomeCard({ status, headers, answer, paid_from: payer }: Outcome): Html {
  const tone = status < 300 ? 'good' : status === 402 ? 'info' : status < 500 ? 'warn' : 'bad';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return card({
    title: 'Response',
    id: 'outcome',
    aside: badge(String(status), tone),
    body: html`${payer === null ? NOTHING : notice('good', html`<p>Paid with test money from <code class="hash">${payer}</code>.</p>`)}
${status === 402 ? notice('info', 'This is the x402 payment challenge. Nothing was charged.') : NOTHING}
${code(visible(JSON.stringify(answer, null, 2)), 'Response')}${lines.length === 0 ? NOTHING : html`<details><summary>Headers</summary>${code(lines.join('\n'), 'Headers')}</details>`}
<p class="muted">${UNTRUSTED_NOTE}</p>`,
  });
}
