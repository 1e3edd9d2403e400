import { jsonSchemaOf } from '#kernel/openapi.ts';
import { isNeededKey } from '#kernel/openapi-security.ts';
import type { Operation } from '#kernel/operation.ts';
import { decode } from '#kernel/query-decoder.ts';
import type { Env } from '#platform/config/env.ts';
import type { FieldProblem } from './line/field-problems.ts';
import type { Option } from './line/spec.ts';

type Schema = Readonly<Record<string, unknown>>;
type Input = Record<string, unknown>;

/** The fields that options name, each with what was given for it in turn. */
type GivenFields = ReadonlyMap<string, readonly string[]>;

export interface OperationField {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** The variable of the environment that has it where no option does. */
  readonly variable: string | undefined;
}

/** Secrets that need not stand on a command line, by their header. */
const VARIABLES: Readonly<Record<string, string>> = {
  'x-agent-key': 'AGENT_KEY',
  'x-amh-key': 'PLATFORM_KEY',
  'x-amh-control': 'CONTROL_TOKEN',
  'x-receipt-key': 'RECEIPT_KEY',
};
/** As the decoder of queries takes them. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Every field that a caller names, in the order of the row. */
export function operationFields(row: Operation): OperationField[] {
  const { input, headerOnly = {}, bytesField } = row;
  const headers = new Map(Object.entries(headerOnly).map(([header, name]) => [name, header]));
  return Object.entries(input.shape).flatMap(([name, type]) => {
    if (name === bytesField) return [];
    const header = headers.get(name) ?? '';
    const isRequired = isNeededKey(row, header) || !type.safeParse(undefined).success;
    return { name, schema: jsonSchemaOf(type, 'input'), isRequired, variable: VARIABLES[header] };
  });
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  string: '<text>',
  number: '<number>',
  integer: '<whole number>',
  boolean: '<true|false>',
};

/** The options that name the fields of an operation: their help, defaults and limits are those of its row. */
export function fieldOptions(row: Operation): Option[] {
  return operationFields(row).map(({ name, schema, isRequired, variable }) => {
    const { description, default: usual } = schema as { description?: string; default?: unknown };
    const choices = choicesOf(schema);
    const number = numberOf(schema);
    const alone = aloneValue(schema);
    const isRepeated = formsOf(schema).some(({ type }) => type === 'array');
    return {
      name: name.replaceAll('_', '-'),
      value: choices === undefined ? placeholderOf(schema, name) : `<${choices.join('|')}>`,
      help: [description ?? '', variable === undefined ? '' : `Or ${variable} in the environment.`].join(' ').trim(),
      ...(usual !== undefined && { fallback: typeof usual === 'string' ? usual : JSON.stringify(usual) }),
      ...(isRequired && { isRequired }),
      ...(isRepeated && { isRepeated }),
      ...(choices !== undefined && { choices }),
      ...(number !== undefined && { number }),
      ...(alone !== undefined && { alone }),
    };
  });
}

function choicesOf({ enum: values, const: only }: Schema): readonly string[] | undefined {
  if (Array.isArray(values) && values.every((one) => typeof one === 'string')) return values;
  return typeof only === 'string' ? [only] : undefined;
}

function numberOf(schema: Schema): Option['number'] {
  const [form, ...others] = formsOf(schema);
  if (others.length > 0 || !['integer', 'number'].includes(String(form?.['type']))) return undefined;
  const { type, minimum, maximum } = form as { type: string; minimum?: number; maximum?: number };
  const isBound = (limit: number | undefined) =>
    limit !== undefined && Number.isSafeInteger(limit) && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  return {
    ...(type === 'integer' && { isWhole: true }),
    ...(isBound(minimum) && { min: minimum as number }),
    ...(isBound(maximum) && { max: maximum as number }),
  };
}

function placeholderOf(schema: Schema, name = ''): string {
  if (name.endsWith('_usd')) return '<USD>';
  const forms = formsOf(schema).map((form) =>
    form['type'] === 'array'
      ? placeholderOf((form['items'] ?? {}) as Schema)
      : (PLACEHOLDERS[String(form['type'])] ?? '<JSON>'),
  );
  return [...new Set(forms)].join(' or ') || '<JSON>';
}

/** The forms that a value may have; null is one of none, since JSON alone can say it. */
function formsOf(schema: Schema): Schema[] {
  const { anyOf, type } = schema;
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).flatMap(formsOf);
  if (Array.isArray(type)) return type.flatMap((one) => formsOf({ ...schema, type: one as unknown }));
  return type === 'null' ? [] : [schema];
}

/** The input that fields and a body in JSON make together, and everything that is wrong with it. */
export function inputOf(
  row: Operation,
  { given, body, env }: { readonly given: GivenFields; readonly body: Readonly<Input>; readonly env: Env },
): { readonly input: Input; readonly faults: readonly FieldProblem[] } {
  const fields = operationFields(row);
  const input: Input = { ...body };
  const faults: FieldProblem[] = [];
  for (const { name, schema, variable, isRequired } of fields) {
    const texts = given.get(name);
    if (texts !== undefined) input[name] = valueOf(schema, texts);
    if (variable === undefined) continue;
    input[name] ??= env[variable];
    if (isRequired && input[name] === undefined)
      faults.push({ pointer: `#/${name}`, code: 'missing', detail: `or ${variable} in the environment` });
  }
  const decoded = decode(row.input, JSON.parse(JSON.stringify(input)));
  const told = new Set(faults.map(({ pointer }) => pointer));
  return {
    input,
    faults: [...faults, ...(decoded.ok ? [] : decoded.errors.filter(({ pointer }) => !told.has(pointer)))],
  };
}

/** What an option says that stands alone: yes, where that can be said. */
function aloneValue(schema: Schema): string | undefined {
  const { type, const: only, enum: values = [] } = schema;
  if (type === 'boolean') return 'true';
  return [only, ...(values as unknown[])].includes('yes') ? 'yes' : undefined;
}

/** The value that the texts of a field mean; what is not of its form stays as it is, and is refused by its schema. */
function valueOf(schema: Schema, texts: readonly string[]): unknown {
  const [text = ''] = texts;
  const forms = formsOf(schema);
  const list = forms.find(({ type }) => type === 'array');
  const isText = forms.some(({ type }) => type === 'string');
  if (list !== undefined) {
    const whole = texts.length === 1 ? spelledJson(text) : undefined;
    if (Array.isArray(whole)) return whole;
    if (texts.length > 1 || !isText) return texts.map((one) => valueOf((list['items'] ?? {}) as Schema, [one]));
  }
  if (texts.length > 1) return texts;
  const takes = (type: string) => forms.some((form) => form['type'] === type);
  if (takes('object') && text.startsWith('{')) return spelledJson(text) ?? text;
  if (isText) return text;
  if ((takes('integer') || takes('number')) && DECIMAL.test(text)) return Number(text);
  if (takes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  return forms.some(({ type }) => type === undefined) ? (spelledJson(text) ?? text) : text;
}

/** JSON whose numbers JSON.stringify writes with the digits that they have here; undefined for any other text. */
export function spelledJson(text: string): unknown {
  // The types of the language do not have it yet.
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (digits: string) => unknown };
  const keep = (_: string, value: unknown, { source }: { readonly source: string }) => {
    return typeof value === 'number' && String(value) !== source ? rawJSON(source) : value;
  };
  try {
    return JSON.parse(text, keep as (name: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}
