// Values that fit a JSON Schema, and those at and just beyond its limits.
import fc from '#properties';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Values that the schema accepts; rules that JSON Schema cannot say may still refuse them. */
export function valueOf(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valueOf(resolved(schema, root), root);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valueOf(choice, root)));
  if (schema.allOf !== undefined) return valueOf(Object.assign({}, ...schema.allOf) as Schema, root);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const make = typeof type === 'string' ? VALUES[type] : undefined;
  return make === undefined ? fc.jsonValue({ maxDepth: 2 }) : make(schema, root);
}

/** The schema that a reference stands for. */
export function resolved({ $ref, ...schema }: Schema, root: Schema): Schema {
  return $ref === undefined ? schema : (root.$defs?.[$ref.replace('#/$defs/', '')] ?? {});
}

const VALUES: Readonly<Record<string, (schema: Schema, root: Schema) => fc.Arbitrary<unknown>>> = {
  string: textOf,
  integer: (schema) => fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 }),
  number: (schema) => fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: ({ items = {}, minItems = 0, maxItems = 8 }, root) =>
    fc.array(valueOf(items, root), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 8) }),
  object: ({ properties = {}, required = [] }, root) =>
    fc.record(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valueOf(part, root)])), {
      requiredKeys: [...required],
    }),
};

/** Made only where a schema asks for one: some take a second to set up. */
const FORMATS: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  'date-time': () => fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  uri: () => fc.domain().map((domain) => `https://${domain}/a?b=c`),
  email: () => fc.emailAddress(),
  uuid: () => fc.uuid(),
};

function textOf({ pattern, format, minLength = 0, maxLength = 4_096 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const formatted = FORMATS[format ?? ''];
  if (formatted !== undefined) return formatted();
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) });
}

/** The values at and just beyond the limits of a schema. */
export function bounds(schema: Schema): fc.Arbitrary<unknown>[] {
  const { minimum, maximum, minLength, maxLength } = schema;
  const numbers = [minimum, maximum].filter((bound) => bound !== undefined);
  const lengths = [minLength, maxLength].filter((bound) => bound !== undefined);
  const values = [
    ...numbers.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5]),
    ...lengths.flatMap((bound) => [bound - 1, bound, bound + 1].map((length) => 'x'.repeat(Math.max(0, length)))),
    ...lengths.map((bound) => '\u{1f600}'.repeat(bound)),
  ];
  return values.length === 0 ? [] : [fc.constantFrom(...values)];
}
