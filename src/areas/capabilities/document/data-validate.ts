import { z } from 'zod';
import { defineCapability, Unworkable } from '../capability.ts';
import { exactlyOne } from './given-file.ts';

const ROWS_PER_UNIT = 1_000;
/** More rows than a CSV of this length can have. */
const BYTES_PER_ROW = 2;

const fault = z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string() });
const column = z.strictObject({ name: z.string(), type: z.string(), nulls: z.int(), distinct: z.int() });

export const dataValidate = defineCapability({
  id: 'data.validate',
  title: 'Validate data',
  what: 'Checks JSON, or the rows of a CSV file, against a JSON Schema (2020-12). It does not check format, and patterns use RE2: no lookaround, no backreferences. For a CSV file it also reports types, gaps and duplicates.',
  input: z
    .strictObject({
      data: z.unknown().optional().meta({ description: 'Any JSON value.' }),
      csv: z.string().min(1).max(10_000_000).optional(),
      schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
    })
    .refine(exactlyOne('data', 'csv'), 'Give either data or csv.')
    .refine(({ data, schema }) => data === undefined || schema !== undefined, 'Give a schema together with data.'),
  output: z.strictObject({
    valid: z.boolean(),
    errors: z.array(fault).meta({ description: 'The first hundred errors.' }),
    profile: z
      .strictObject({ rows: z.int(), duplicate_rows: z.int(), columns: z.array(column) })
      .nullable()
      .meta({ description: 'Only for CSV input.' }),
  }),
  unit: '1k rows',
  units: ({ data, csv }, output) => {
    const most = csv === undefined ? (Array.isArray(data) ? data.length : 1) : csv.length / BYTES_PER_ROW;
    return Math.max(1, Math.ceil((output?.profile?.rows ?? most) / ROWS_PER_UNIT));
  },
  embedded: {
    async run(task, tools) {
      const checked = await tools.heavy('validation', task);
      if (!(checked instanceof Unworkable)) return checked;
      return checked.at(checked.code === 'schema_invalid' ? 'schema' : null);
    },
  },
  provider: null,
  example: {
    input: { data: { amount: '12' }, schema: { properties: { amount: { type: 'number' } } } },
    output: {
      valid: false,
      errors: [{ pointer: '/amount', code: 'type', detail: 'must be number' }],
      profile: null,
    },
  },
});
