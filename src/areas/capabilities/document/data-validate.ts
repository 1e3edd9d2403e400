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
  what: 'Checks JSON, or the rows of a CSV, against a JSON Schema (2020-12; format is not checked, patterns are those of RE2: no looking around, no referring back), and tells of a CSV which types, gaps and duplicates it has.',
  input: z
    .strictObject({
      data: z.unknown().optional().meta({ description: 'Any JSON' }),
      csv: z.string().min(1).max(10_000_000).optional(),
      schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
    })
    .refine(exactlyOne('data', 'csv'), 'must have data or csv')
    .refine(({ data, schema }) => data === undefined || schema !== undefined, 'must have a schema beside data'),
  output: z.strictObject({
    valid: z.boolean(),
    errors: z.array(fault).meta({ description: 'The first hundred' }),
    profile: z
      .strictObject({ rows: z.int(), duplicate_rows: z.int(), columns: z.array(column) })
      .nullable()
      .meta({ description: 'Of a CSV' }),
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
