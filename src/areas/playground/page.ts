import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { fetchOf, paidTypescriptOf, shellQuoted } from '#web/call-code.ts';
import { badge, card, code, codeTabs, heading, linkTo, notice, tabs } from '#web/components.ts';
import { field, type FieldSchema } from '#web/form-field.ts';
import { asPhrase } from '#web/labels.ts';
import { page } from '#web/layout.ts';
import { shortId } from '#web/short-id.ts';
import { visible } from '#web/untrusted.ts';
import type { PlaygroundAnswer } from './answer.ts';
import { filledFields, mainFields, stopExample } from './defaults.ts';
import { jsonTree } from './json-tree.ts';
import { bodyText } from './request.ts';
import { resultHtml } from './result-page.ts';
import { statusPill, summaryHtml } from './summary.ts';

type Outcome = NonNullable<PlaygroundAnswer['outcome']>;
type FieldView = PlaygroundAnswer['chosen']['fields'][number];
type Fault = { readonly pointer: string; readonly detail: string };
/** What is wrong with each field, by its name. */
type Faults = ReadonlyMap<string, string>;

/** Written over several lines. */
const LONG = new Set(['text']);

const GROUPS: readonly { readonly title: string; readonly operations: Readonly<Record<string, string>> }[] = [
  { title: 'Coordination', operations: { look: 'Look', claim: 'Claim', release: 'Release', mark: 'Mark' } },
  { title: 'Proof', operations: { attest_seal: 'Seal', attest_verify: 'Verify' } },
  { title: 'Checks', operations: { check: 'Check', spend_fuse: 'Spend fuse', eu_vat_check: 'EU VAT check' } },
  { title: 'Briefs', operations: { brief_lint: 'Lint' } },
];

export function playgroundHtml(view: PlaygroundAnswer, site: Site): string {
  if (view.outcome?.receipt !== undefined) return resultHtml(view, view.outcome, site);
  const { chosen, outcome } = view;
  const faults = faultsOf(outcome);
  const body = html`${heading('Playground', 'Real calls against this installation.')}
${operationMenu(view)}
<div class="play">${card({ title: labelOfOperation(chosen.operation), aside: price(chosen), body: html`<p>${chosen.summary}.</p>${form(view, faults, site)}<details class="about-call"><summary>About this call</summary><p>${chosen.description}</p></details>` })}
<div class="play-side">${outcome === null ? card({ title: 'Response', body: html`<p class="empty-line">The response appears here.</p>` }) : outcomeCard(view, outcome, faults)}
${card({ title: 'Equivalent request', body: equivalents(view, site) })}</div></div>`;
  const path = `/playground?operation=${chosen.operation}`;
  return page({ title: 'Playground', path, section: 'explore', body }, site);
}

function labelOfOperation(operation: string): string {
  return GROUPS.map(({ operations }) => operations[operation]).find((label) => label !== undefined) ?? operation;
}

function operationMenu({ operations, chosen }: PlaygroundAnswer): Html {
  const known = new Set(GROUPS.flatMap((group) => Object.keys(group.operations)));
  const others = operations
    .filter(({ operation }) => !known.has(operation))
    .map(({ operation }) => [operation, operation]);
  const groups = [...GROUPS, { title: 'Other', operations: Object.fromEntries(others) as Record<string, string> }];
  const link = ({ operation, summary, price_usdc: usdc }: PlaygroundAnswer['operations'][number], label: string) =>
    html`<li><a href="/playground?operation=${operation}"${operation === chosen.operation ? html` aria-current="true"` : NOTHING} title="${summary}">${label}${usdc === null ? NOTHING : html` <span class="price">${usdc}</span>`}</a></li>`;
  const shown = groups.flatMap(({ title, operations: labels }) => {
    const links = operations.flatMap((row) => {
      const label = labels[row.operation];
      return label === undefined ? [] : [link(row, label)];
    });
    return links.length === 0 ? [] : [html`<div><p>${title}</p><ul class="choices">${links}</ul></div>`];
  });
  return html`<nav class="play-menu" aria-label="Operations">${shown}</nav>`;
}

/** What has a fee that is not paid with the call. */
const INVOICED = new Set(['attest_seal']);

function price({ operation, price_usdc: usdc }: PlaygroundAnswer['chosen']): Html {
  if (INVOICED.has(operation)) return badge('Invoiced', 'info');
  return usdc === null ? badge('Free', 'good') : badge(`${usdc} USDC`, 'info');
}

/** A fault within a field, such as `#/claim/statement`, belongs to the field. */
function faultsOf(outcome: Outcome | null): Faults {
  const errors = (outcome?.answer as { errors?: readonly Fault[] } | null | undefined)?.errors ?? [];
  const byField = errors.map(({ pointer, detail }): [string, string] => {
    const [name = '', ...inner] = pointer.replace(/^#\/?/, '').split('/');
    return [name, inner.length === 0 ? detail : `${inner.join('/')}: ${detail}`];
  });
  const names = [...new Set(byField.map(([name]) => name))];
  return new Map(
    names.map((name) => [
      name,
      byField
        .filter(([of]) => of === name)
        .map(([, text]) => text)
        .join(' '),
    ]),
  );
}

function form({ chosen, values }: PlaygroundAnswer, faults: Faults, { sandbox }: Site): Html {
  const { operation, fields, price_usdc: usdc } = chosen;
  const [order, filled] = [mainFields(operation), filledFields(operation)];
  // A field that must be looked at comes out of its closed list.
  const isMain = ({ name, required }: FieldView) =>
    required || order.includes(name) || faults.has(name) || (values[name] !== undefined && !filled.includes(name));
  const place = ({ name }: FieldView) => (order.includes(name) ? order.indexOf(name) : order.length);
  const main = fields.filter(isMain).toSorted((a, b) => place(a) - place(b));
  const examples = fields.filter((one) => !isMain(one) && filled.includes(one.name));
  const others = fields.filter((one) => !isMain(one) && !filled.includes(one.name));
  const show = (list: readonly FieldView[]) =>
    html`<div class="play-fields">${list.map((one) => fieldHtml(operation, one, values[one.name], faults.get(one.name)))}</div>`;
  const closed = (list: readonly FieldView[], summary: string) =>
    list.length === 0
      ? NOTHING
      : html`<details class="more-fields"><summary>${summary}</summary>${show(list)}</details>`;
  return html`<form method="post" action="/playground#outcome" novalidate><input type="hidden" name="operation" value="${operation}">${show(main)}
${closed(examples, `${examples.length} more declarations, filled with an example`)}${closed(others, `${others.length} optional ${others.length === 1 ? 'field' : 'fields'}`)}
<p class="actions">${usdc === null ? html`<button class="button button-primary">Send request</button>` : paidButtons(usdc, sandbox)}${stopLink(operation)}</p></form>`;
}

/** Test money pays at once; where it is real, the browser has no wallet. */
function paidButtons(usdc: string, sandbox: boolean): Html {
  const challenge = html`<button class="button button-${sandbox ? 'plain' : 'primary'}">See the 402 challenge</button>`;
  if (!sandbox) return challenge;
  return html`<button class="button button-primary" formaction="/playground/pay#outcome">Pay ${usdc} test USDC and run</button>${challenge}`;
}

function stopLink(operation: string): Html {
  const href = stopExample(operation);
  return href === undefined ? NOTHING : html`<a href="${href}">Load an example that ends in STOP</a>`;
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  key: 'Work key',
  ttl: 'Time to live (s)',
  p_success: 'Chance of success',
  p_basis: 'Basis of the chance',
};

function labelOfField(name: string): string {
  return FIELD_LABELS[name] ?? asPhrase(name).replace(/ usd$/, ' (USD)');
}

/** The rest is in the documentation of the call. */
function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** What a description such as `done: delivered. paid: …` says of every value; undefined where it leaves one out. */
function meaningsOf({ enum: values = [], description = '' }: FieldSchema): Record<string, string> | undefined {
  const found = values.flatMap((value) => {
    const [, text] = new RegExp(`(?:^|[.] )${RegExp.escape(String(value))}: ([^.]+)[.]`).exec(description) ?? [];
    return text === undefined ? [] : [[value, text] as const];
  });
  return values.length > 0 && found.length === values.length ? Object.fromEntries(found) : undefined;
}

/** Examples are placeholders, and defaults are said: what is sent is what was typed. */
function fieldHtml(operation: string, given: FieldView, value: string | undefined, error: string | undefined): Html {
  const { name, required } = given;
  const { default: preset, maxLength, ...schema } = given.schema as FieldSchema;
  if (operation === 'claim' && name === 'mode') return modeField(schema, value);
  const [example] = (schema.examples ?? []) as readonly string[];
  const isJson = schema.type === 'object' && example !== undefined;
  const meanings = meaningsOf(schema);
  const said = [
    meanings === undefined ? firstSentence(schema.description ?? '') : '',
    isJson ? `Example: ${example}` : '',
    preset === undefined ? '' : `Default: ${String(preset)}.`,
  ];
  return field({
    name,
    label: labelOfField(name),
    schema: {
      ...schema,
      ...(LONG.has(name) && maxLength !== undefined && { maxLength }),
      description: said.filter((part) => part !== '').join(' '),
    },
    ...(meanings !== undefined && { meanings }),
    isRequired: required,
    ...(value !== undefined && { value }),
    ...(error !== undefined && { error }),
  });
}

function modeField({ enum: modes = [], description = '' }: FieldSchema, value = 'exclusive'): Html {
  const choices = modes.map(
    (mode) =>
      html`<label><input type="radio" name="mode" value="${mode}"${mode === value ? html` checked` : NOTHING}> ${mode}</label>`,
  );
  return html`<fieldset class="field mode-field" aria-describedby="mode-hint"><legend>Mode</legend><div class="mode-choices">${choices}</div><p class="hint" id="mode-hint">${description} The API default is shared. This form starts with exclusive, which keeps others out.</p></fieldset>`;
}

function outcomeCard(view: PlaygroundAnswer, outcome: Outcome, faults: Faults): Html {
  const { status, headers, answer, paid_from: payer } = outcome;
  const known = new Set(view.chosen.fields.map(({ name }) => name));
  const links = [...faults].map(([name, message]) => ({
    message: known.has(name) ? `${labelOfField(name)}: ${message}` : message,
    href: known.has(name) ? `#${name === 'mode' ? 'mode-hint' : `field-${name}`}` : '#outcome',
  }));
  const raw = visible(JSON.stringify(answer, null, 2) ?? 'null');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const paid = payer === null ? NOTHING : notice('good', html`<p>Paid with test money from ${shortId(payer)}</p>`);
  const panels = tabs(
    'response',
    [
      { label: 'Summary', body: html`${paid}${summaryHtml(view, links)}` },
      {
        label: 'JSON',
        body: html`<div class="json-tree" tabindex="0" role="region" aria-label="Response as JSON">${jsonTree(answer)}</div><details class="raw-json"><summary>Raw JSON</summary>${code(raw, 'Raw JSON')}</details>`,
      },
      lines.length === 0
        ? { label: 'Headers', body: NOTHING, missing: 'Only paid calls set further headers.' }
        : { label: 'Headers', body: code(lines.join('\n'), 'Headers') },
    ],
    'Response',
  );
  return html`<section class="card" id="outcome" tabindex="-1" data-focus aria-label="Response"><div class="card-head"><h2>Response</h2>${statusPill(status)}</div><div class="card-body">${panels}</div></section>`;
}

function equivalents({ chosen, values, request }: PlaygroundAnswer, site: Site): Html {
  const { operation, fields, price_usdc: usdc } = chosen;
  const url = site.baseUrl();
  const input = bodyText(values, fields);
  const tabbed = codeTabs('request', {
    curl: request.curl,
    ts:
      usdc === null
        ? fetchOf(request.url, request.body === null ? {} : { body: request.body })
        : paidTypescriptOf(operation, input, url, usdc),
    ...(request.mcp !== null && { mcp: request.mcp }),
    cli:
      usdc === null
        ? `./avouch call ${operation} --json ${shellQuoted(input)} --url ${url}`
        : `./avouch pay ${shellQuoted(request.url)} --max ${usdc}`,
  });
  return usdc === null ? tabbed : html`${tabbed}<p class="hint">${paidNote(usdc)}</p>`;
}

function paidNote(usdc: string): Html {
  return html`curl gets 402 with the price first, ${usdc} USDC. Pay it, then send the call again: ${linkTo('/docs/payments#how-to-pay', 'how to pay')}. TypeScript and CLI do both.`;
}
