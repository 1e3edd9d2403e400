import { z } from 'zod';
import { timeField } from './fields.ts';
import type { CallIdentity } from './identity.ts';
import { jsonSchemaOf } from './openapi.ts';
import type { InputSchema } from './operation.ts';
import type { Refusal } from './problem.ts';

/** What a tool learns of its call beside the decoded input. */
export interface ToolCall {
  readonly requestId: string;
  /** Daily-keyed tag of the caller's address. */
  readonly addressTag: string;
  /** As sent in X-Agent-Key; nothing of it is believed yet. */
  readonly agentKey: string | undefined;
  /** Who signed the request; absent where nobody did. */
  readonly identity?: CallIdentity;
  /** Another header as it was sent. */
  readonly header: (name: string) => string | undefined;
  /** Aborted when the caller has left or the time of the call is over. */
  readonly signal: AbortSignal;
}

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: false;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool<N extends string = string, I extends InputSchema = InputSchema, O extends z.ZodType = z.ZodType> {
  readonly name: N;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly annotations: Annotations;
  /** One of the optional fields must be given. */
  readonly needsOne?: true;
  /** Its fields are listed by their names alone. */
  readonly brief?: true;
}

type Given<T> = Promise<T | Refusal> | T | Refusal;

/** What answers a tool: the fields of its output, or a refusal. */
export type ToolWork<T extends Tool> = (input: z.output<T['input']>, call: ToolCall) => Given<z.output<T['output']>>;

/** One entry of tools/list. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Annotations;
}

/** One whose answer no schema holds. */
export type OpenListedTool = Omit<ListedTool, 'outputSchema'>;

/** A tool for hosts of MCP, in their own form: its refusals are results, which a model can act on. */
export interface HostTool {
  readonly listed: OpenListedTool;
  /** Set where the key of a platform says who acts, and not that of an agent. */
  readonly access?: 'platform';
  /** Whether a suspended caller may not make this call. */
  readonly isBarred: (args: ToolArguments, call: ToolCall) => Promise<boolean>;
  readonly run: (args: ToolArguments, call: ToolCall) => Promise<HostResult>;
}

/** A table of such tools, and what a model is told of them. */
export interface HostTools {
  readonly instructions: string;
  readonly tools: () => readonly HostTool[];
}

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface HostResult {
  readonly result: Readonly<Record<string, unknown>>;
  /** Why the service refused, where it did. */
  readonly refusal?: Refusal | undefined;
  /** For the program that asks: a model is not shown it. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ObjectSchema {
  readonly [key: string]: unknown;
  readonly type: 'object';
}

/** Longer ones are cut by clients. */
export const MAX_DESCRIPTION_LENGTH = 300;
const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** A tool that reads only, may be repeated and asks nobody outside, unless its row says otherwise. */
export function defineTool<const N extends string, I extends InputSchema, O extends z.ZodType>(
  row: Omit<Tool<N, I, O>, 'annotations'> & { readonly hints?: Partial<Annotations> },
): Tool<N, I, O> {
  const { hints, ...rest } = row;
  return { ...rest, annotations: { ...HINTS, ...hints } };
}

/** Model providers refuse anyOf, oneOf and allOf at the root: "at least one of" is said by minProperties. */
export function listedTool(tool: Tool): ListedTool {
  const { name, title, description, annotations, needsOne, brief } = tool;
  const { properties: fields, ...rest } = jsonSchemaOf(tool.input, 'input');
  const inputSchema = {
    ...rest,
    properties: brief === true ? undescribed(fields as Fields) : fields,
    ...(needsOne === true && { minProperties: 1 }),
  };
  const { required: _required, properties, ...root } = jsonSchemaOf(tool.output, 'output');
  const outputSchema = { ...root, properties: shortened(properties) };
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: inputSchema as unknown as ObjectSchema,
    outputSchema: outputSchema as unknown as ObjectSchema,
  };
}

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function undescribed(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { description: _description, ...field }]) => [name, field]),
  );
}

/** What a reader of answers can do without: every word of a list is paid for by whoever reads it. */
const LEFT_OUT = new Set([
  ...['required', 'additionalProperties', 'propertyNames', 'pattern', 'format', 'description'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems'],
]);

function shortened(schema: unknown, isMap = true): unknown {
  if (Array.isArray(schema)) return schema.map((item) => shortened(item, false));
  if (typeof schema !== 'object' || schema === null) return schema;
  const hasValues = 'enum' in schema || 'const' in schema;
  const kept = Object.entries(schema).filter(([key]) => isMap || !(LEFT_OUT.has(key) || (hasValues && key === 'type')));
  const short = kept.map(([key, value]) => [key, shortened(value, !isMap && key === 'properties')] as const);
  const [[key, forms] = []] = short;
  const isPlain =
    short.length === 1 && key === 'anyOf' && (forms as object[]).every((form) => String(Object.keys(form)) === 'type');
  return isPlain ? { type: (forms as { type: string }[]).map(({ type }) => type) } : Object.fromEntries(short);
}

/** The rule behind minProperties, for the decoder. */
export function oneOfThem<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject(shape).refine((input) => Object.values(input).some((value) => value !== undefined), {
    message: `Give at least one of ${Object.keys(shape).join(', ')}.`,
    params: { code: 'missing' },
    when: ({ value }) => typeof value === 'object' && value !== null,
  });
}

/** What every answer carries that is not a pure function of published text. */
export const stamp = {
  as_of: timeField.meta({ description: 'When this was the case.' }),
  sandbox: z.literal(true).optional(),
};
export const sha256Field = z.string().regex(/^[0-9a-f]{64}$/);
export const attestationField = z.string().regex(/^ATT-[A-Z2-7]{52}$/);
