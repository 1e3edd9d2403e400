import type { Refused } from './refusal.ts';
import type { InputSchema } from './tool-table.ts';

type Errors = NonNullable<Refused['errors']>;
type Field = InputSchema['properties'][string];

const IS: Readonly<Record<Field['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
};

/** Unknown, missing and mistyped fields of what a model sent; ranges and forms are left to the service. */
export function inputErrors({ properties, required }: InputSchema, input: unknown): Errors {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ field: '', detail: 'Must be an object.' }];
  }
  const missing = required.filter((field) => (input as Record<string, unknown>)[field] === undefined);
  const wrong = Object.entries(input).flatMap(([field, value]) => {
    const detail = fieldError(Object.hasOwn(properties, field) ? properties[field] : undefined, value);
    return detail === undefined ? [] : [{ field, detail }];
  });
  return [...missing.map((field) => ({ field, detail: 'Required.' })), ...wrong];
}

function fieldError(schema: Field | undefined, value: unknown): string | undefined {
  if (schema === undefined) return 'Not a field of this tool.';
  if (value === undefined) return undefined;
  if (!IS[schema.type](value)) return `Must be of type ${schema.type}.`;
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    return `Must be one of ${schema.enum.join(', ')}.`;
  }
  return undefined;
}
