import { z } from 'zod';
import { documentMarkdown } from '#kernel/document.ts';
import { jsonSchemaOf } from '#kernel/openapi.ts';
import { defineOperation, type Operation } from '#kernel/operation.ts';
import { type PlaygroundAnswer, PlaygroundSchema } from './answer.ts';
import { playgroundHtml } from './page.ts';
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
export function playgroundRows(tried: readonly Operation[], paid: readonly Operation[] = []) {
  const input = inputFor(tried);
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
      summary: 'Playground',
      description: 'Shows a form for one operation and the resulting request. Further parameters fill in its fields.',
      problems: [],
      examples,
    }),
    run: defineOperation({
      ...post,
      operationId: 'playground_run',
      path: '/playground',
      rate: 'crossing-write',
      summary: 'Run a playground call',
      description:
        'Runs the chosen operation with the given fields and shows request and response. This is a real call, made as you. An error from the operation is part of the result, not an error of this call. A paid operation returns its price.',
      problems: [],
    }),
    pay: defineOperation({
      ...post,
      operationId: 'playground_pay',
      services: 'all',
      path: '/playground/pay',
      sandboxOnly: true,
      rate: 'tasks',
      input: z.strictObject({
        ...inputFor([...new Set([...tried, ...paid])]).shape,
        verify: z
          .literal('yes')
          .optional()
          .meta({ description: 'Also verifies the receipt of the response; the page then shows the result alone.' }),
      }),
      summary: 'Run a playground call and pay with test money',
      description: 'The sandbox account pays. Any paid operation can be bought. Only in the sandbox.',
      problems: [noSandboxBuyer],
    }),
  };
}

/** The choice of an operation, with the fields of all. */
function inputFor(rows: readonly Operation[]) {
  const ids = rows.map(({ operationId }) => operationId);
  const [first = ''] = ids;
  const fields = [...new Set(rows.flatMap(formFields))].map((name) => {
    const text = z.string().max(MAX_CHARACTERS).optional();
    return [name, text.meta({ description: `The ${name} field of the chosen operation. Leave it blank to omit it.` })];
  });
  return z.strictObject({
    // Not a list of values: an installation of free services offers fewer than the row knows.
    operation: z
      .string()
      .max(80)
      .refine((id) => ids.includes(id), {
        message: 'Must be an operation that the playground lists.',
        params: { code: 'not_allowed' },
      })
      .default(first)
      .meta({ description: 'The operation to try.' }),
    ...(Object.fromEntries(fields) as Record<string, z.ZodOptional<z.ZodString>>),
  });
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
