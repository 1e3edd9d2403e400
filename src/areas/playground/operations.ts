import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { jsonSchemaOf } from '#kernel/openapi.ts';
import { defineOperation, type Operation } from '#kernel/operation.ts';
import { PlaygroundSchema, type PlaygroundAnswer, playgroundHtml } from './page.ts';
import { noSandboxBuyer } from './problems.ts';

/** Longer than any field of the operations on show. */
const MAX_CHARACTERS = 20_000;
const BODY_BYTES = 131_072;

/** Members that callers send in query or body, and not only as headers; `format` chooses the form of this page itself. */
function formFields({ input, headerOnly = {} }: Operation): string[] {
  const hidden = Object.values(headerOnly);
  return Object.keys(input.shape).filter((name) => name !== 'format' && !hidden.includes(name));
}

/** The rows of a playground for these operations: its form, its runner, and in the sandbox its cash desk. */
export function playgroundRows(tried: readonly Operation[]) {
  const [first = ''] = tried.map(({ operationId }) => operationId);
  const fields = [...new Set(tried.flatMap(formFields))].map((name) => {
    const text = z.string().max(MAX_CHARACTERS).optional();
    return [name, text.meta({ description: `As the chosen operation takes ${name}; blank: not sent` })];
  });
  const input = z.strictObject({
    operation: z
      .enum(tried.map(({ operationId }) => operationId))
      .default(first)
      .meta({ description: 'What is tried' }),
    ...(Object.fromEntries(fields) as Record<string, z.ZodOptional<z.ZodString>>),
  });
  const shared = {
    tag: 'discovery',
    access: 'none',
    price: null,
    cache: 'no-store',
    input,
    output: PlaygroundSchema,
    pages: { html: playgroundHtml, markdown: (output: PlaygroundAnswer) => documentMarkdown(output, 'Playground') },
  } as const;
  const examples = [{ name: 'form', input: {}, output: exampleOf(tried[0] as Operation) }];
  const post = {
    ...shared,
    method: 'post',
    takesForm: true,
    effects: true,
    bodyLimitBytes: BODY_BYTES,
    examples,
  } as const;
  return {
    show: defineOperation({
      ...shared,
      operationId: 'playground',
      method: 'get',
      path: '/playground',
      effects: false,
      rate: 'crossing-read',
      summary: 'Forms for trying operations, made from their schemas',
      description: 'Shows the form of one operation and the request that it makes; further members fill its fields.',
      problems: [],
      examples,
    }),
    run: defineOperation({
      ...post,
      operationId: 'playground_run',
      path: '/playground',
      rate: 'crossing-write',
      summary: 'Make the call of a form',
      description:
        'Runs the chosen operation with the fields that are filled in, in the name of the caller, and shows request and answer. A refusal of the operation is an outcome, not a refusal of this call. A paid operation answers its price.',
      problems: [],
    }),
    pay: defineOperation({
      ...post,
      operationId: 'playground_pay',
      path: '/playground/pay',
      sandboxOnly: true,
      rate: 'tasks',
      summary: 'Make the call of a form and pay for it with test money',
      description: 'The account of the sandbox pays. Only in the sandbox.',
      problems: [noSandboxBuyer],
    }),
  };
}

type Fields = PlaygroundAnswer['chosen']['fields'];
const fieldsByRow = new WeakMap<Operation, Fields>();

/** The fields of the form, made once: a JSON Schema takes longer than the rest of a call. */
export function fieldsOf(operation: Operation): Fields {
  const fields = fieldsByRow.get(operation) ?? makeFields(operation);
  fieldsByRow.set(operation, fields);
  return fields;
}

function makeFields(operation: Operation): Fields {
  const { properties = {}, required = [] } = jsonSchemaOf(operation.input, 'input') as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  const example = exampleValues(operation);
  return formFields(operation).map((name) => {
    const given = example[name];
    const schema = { ...properties[name], ...(given !== undefined && { examples: [given] }) };
    return { name, required: required.includes(name), schema };
  });
}

/** What the row gives as an example, as text of fields. */
export function exampleValues(operation: Operation): Record<string, string> {
  const given = Object.entries((operation.examples[0]?.input ?? {}) as Record<string, unknown>);
  const names = formFields(operation);
  const texts = given.map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  return Object.fromEntries(texts.filter(([name]) => names.includes(name)));
}

function exampleOf(operation: Operation): PlaygroundAnswer {
  const { operationId, summary, description, path } = operation;
  const url = `https://avouch.example${path}`;
  return {
    operations: [{ operation: operationId, summary, price_usdc: null }],
    chosen: { operation: operationId, summary, description, price_usdc: null, fields: [] },
    values: {},
    request: { method: 'GET', url, body: null, curl: `curl '${url}'`, mcp: null },
    outcome: null,
  };
}
