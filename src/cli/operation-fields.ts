import { jsonSchemaOf } from '#kernel/openapi.ts';
import { isNeededKey } from '#kernel/openapi-security.ts';
import type { Operation } from '#kernel/operation.ts';
import { decode } from '#kernel/query-decoder.ts';
import type { Env } from '#platform/config/env.ts';

type Schema = Readonly<Record<string, unknown>>;
type Input = Record<string, unknown>;

/** Each option with what was given for it in turn; undefined for one that stands without a value. */
type GivenOptions = Map<string, (string | undefined)[]>;

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

/** Takes arguments apart: words, and options whose names have the form of fields. */
export function optionsIn(args: readonly string[]): { readonly words: string[]; readonly options: GivenOptions } {
  const words: string[] = [];
  const options: GivenOptions = new Map();
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as string;
    const [, option, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (option === undefined) {
      words.push(argument);
      continue;
    }
    const name = option.replaceAll('-', '_');
    const isAlone = inline === undefined && args[at + 1]?.startsWith('--') !== false;
    if (inline === undefined && !isAlone) at += 1;
    options.set(name, [...(options.get(name) ?? []), isAlone ? undefined : (inline ?? args[at])]);
  }
  return { words, options };
}

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

/** The option of a field. */
export function optionOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true|false',
};

/** What a field takes, in words. */
export function typeOf(schema: Schema): string {
  const { enum: values, const: only, type, items } = schema;
  if (Array.isArray(values)) return values.join('|');
  if (typeof only === 'string') return only;
  const forms = formsOf(schema);
  if (forms.length > 1) return [...new Set(forms.map(typeOf))].join(' or ');
  return type === 'array'
    ? `${typeOf((items ?? {}) as Schema)}, can be repeated`
    : (TYPES[String(forms[0]?.['type'])] ?? 'JSON');
}

/** The forms that a value may have; null is one of none, since JSON alone can say it. */
function formsOf(schema: Schema): Schema[] {
  const { anyOf, type } = schema;
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).flatMap(formsOf);
  if (Array.isArray(type)) return type.flatMap((one) => formsOf({ ...schema, type: one as unknown }));
  return type === 'null' ? [] : [schema];
}

/** The input that options and a body in JSON make together, and everything that is wrong with it. */
export function inputOf(
  row: Operation,
  { options, body, env }: { readonly options: GivenOptions; readonly body: Readonly<Input>; readonly env: Env },
): { readonly input: Input; readonly faults: readonly string[] } {
  const fields = new Map(operationFields(row).map((field) => [field.name, field]));
  const input: Input = { ...body };
  /** One for each name. */
  const faults = new Map<string, string>();
  for (const [name, texts] of options) {
    const field = fields.get(name);
    const values = texts.map((text) => text ?? aloneValue(field?.schema ?? {}));
    if (field === undefined) faults.set(name, `${optionOf(name)} is no field of ${row.operationId}`);
    else if (values.every((text) => text !== undefined)) input[name] = valueOf(field.schema, values);
    else faults.set(name, `${optionOf(name)} needs a value`);
  }
  for (const { name, variable, isRequired } of fields.values()) {
    if (variable === undefined || faults.has(name)) continue;
    input[name] ??= env[variable];
    if (isRequired && input[name] === undefined)
      faults.set(name, `${optionOf(name)} is required, or ${variable} in the environment`);
  }
  const decoded = decode(row.input, JSON.parse(JSON.stringify(input)));
  for (const { pointer, detail } of decoded.ok ? [] : decoded.errors) {
    const [, name = '', ...deeper] = pointer.split('/');
    const place = name === '' ? 'the input' : [optionOf(name), ...deeper].join('/');
    if (!faults.has(name)) faults.set(name, `${place} ${detail}`);
  }
  return { input, faults: [...faults.values()] };
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
