import { documentMarkdown } from '#kernel/document.ts';
import { type Html, html, NOTHING } from '#kernel/html.ts';
import type { Site } from '#kernel/operation.ts';
import { eur } from '#web/amounts.ts';
import { badge, card, code, dataTable, heading, keyValues } from '#web/components.ts';
import { machineReadable } from '#web/document.ts';
import { page } from '#web/layout.ts';
import { fullId } from '#web/short-id.ts';

interface Field {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** A schema as its document has it; members that a page does not know are in its JSON. */
interface ShownSchema {
  readonly schema_id: string;
  readonly title?: string;
  readonly fee_eurocents?: number;
  readonly sealable_by?: string;
  readonly promise?: string;
  readonly not_promised?: string;
  readonly schema_digest: string;
  readonly claim?: { readonly properties?: Readonly<Record<string, Field>>; readonly required?: readonly string[] };
  readonly checks?: readonly { readonly order: number; readonly code: string; readonly rule: string }[];
  readonly examples?: readonly { readonly claim: unknown; readonly verdict: string; readonly code: string | null }[];
}

interface SchemaList {
  readonly schemas: readonly ShownSchema[];
}

const TITLE = 'Seal schemas';
const PATH = '/api/attest/schemas';
const LEAD =
  'A schema says what a seal can contain, how it is checked, what it costs and what it proves. The rules of a schema never change.';

export const schemasPages = {
  html: (list: object, site: Site) =>
    page({ title: TITLE, path: PATH, section: 'docs', body: body(list as SchemaList) }, site),
  markdown: (list: object) => documentMarkdown(list, TITLE),
};

function body({ schemas }: SchemaList): Html {
  const overview = dataTable({
    caption: 'Schemas',
    hidesCaption: true,
    columns: ['Schema', 'What it seals', 'Fee', 'Who can seal'],
    rows: schemas.map((schema) => [
      html`<a href="#${schema.schema_id}"><code>${schema.schema_id}</code></a>`,
      schema.title ?? '',
      feeOf(schema),
      sealerOf(schema),
    ]),
  });
  return html`${heading(TITLE, LEAD)}${card({ title: 'All schemas', body: overview })}${schemas.map(schemaCard)}${machineReadable(PATH)}`;
}

function feeOf({ fee_eurocents: cents = 0 }: ShownSchema): string {
  return cents === 0 ? 'Free' : eur((cents / 100).toFixed(2));
}

function sealerOf({ sealable_by: sealer }: ShownSchema): string {
  return sealer === 'anyone' ? 'Anyone' : 'Only Avouch';
}

function schemaCard(schema: ShownSchema): Html {
  const { schema_id: id, title = id, promise = '', not_promised: not = '', schema_digest: digest } = schema;
  return card({
    id,
    title,
    aside: html`<code>${id}</code>`,
    body: html`${keyValues([
      ['What it proves', promise],
      ['What it does not prove', not.charAt(0).toUpperCase() + not.slice(1)],
      ['Fee', feeOf(schema)],
      ['Who can seal', sealerOf(schema)],
      ['Digest of the rules', fullId(digest)],
    ])}${fields(schema)}${checks(schema)}${examples(schema)}`,
  });
}

function fields({ claim = {} }: ShownSchema): Html {
  const { properties = {}, required = [] } = claim;
  return dataTable({
    caption: 'Fields of the claim',
    columns: ['Field', 'Values', 'Meaning'],
    rows: Object.entries(properties).map(([name, field]) => [
      html`<code>${name}</code>${required.includes(name) ? html` ${badge('required', 'info')}` : NOTHING}`,
      valuesOf(field),
      field.description ?? '',
    ]),
  });
}

function valuesOf({ type, enum: values, minLength, maxLength, maxItems }: Field): string {
  if (values !== undefined) return `one of ${values.join(', ')}`;
  const length = maxLength === undefined ? '' : `, ${minLength ?? 0} to ${maxLength} characters`;
  return `${type ?? 'any value'}${length}${maxItems === undefined ? '' : `, at most ${maxItems} items`}`;
}

function checks({ checks: list = [] }: ShownSchema): Html {
  return dataTable({
    caption: 'Checks, in this order. The first that fails gives the code of the rejection.',
    columns: ['Check', 'Code', 'Rule'],
    rows: list.map(({ order, code: name, rule }) => [String(order), html`<code>${name}</code>`, rule]),
  });
}

function examples({ examples: list = [] }: ShownSchema): Html {
  if (list.length === 0) return NOTHING;
  const items = list.map(
    ({ claim, verdict, code: reason }) =>
      html`<p>${badge(verdict === 'ACCEPT' ? 'Accepted' : 'Rejected', verdict === 'ACCEPT' ? 'good' : 'bad')} ${reason === null ? NOTHING : html`<code>${reason}</code>`}</p>${code(JSON.stringify(claim, null, 2), 'Claim')}`,
  );
  return html`<details><summary>Examples</summary>${items}</details>`;
}
