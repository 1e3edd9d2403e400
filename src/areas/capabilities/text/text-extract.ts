import { z } from 'zod';
import { defineCapability, Unworkable, unitsOf } from '../capability.ts';
import { ENTITIES } from './finders.ts';

const NAMES = ['date', 'money', 'iban', 'vat', 'kvk', 'mpn', 'url'] as const;
const entity = z.enum(NAMES);
const input = z.strictObject({
  text: z.string().min(1).max(200_000),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'JSON Schema (2020-12) of the data to extract. Requires a provider.' }),
  entities: z.array(entity).min(1).max(NAMES.length).optional(),
});
const output = z.strictObject({
  data: z.record(z.string(), z.unknown()),
  spans: z.array(z.strictObject({ start: z.int(), end: z.int(), entity })),
  missing: z.array(z.string()),
});
type Input = z.output<typeof input>;

function found({ text, entities = [...NAMES] }: Input) {
  const spans: z.output<typeof output>['spans'] = [];
  const data: Record<string, string[]> = {};
  for (const name of new Set(entities)) {
    const all = ENTITIES[name](text);
    if (all.length > 0) data[name] = [...new Set(all.map(({ value }) => value))];
    spans.push(...all.map(({ start, end }) => ({ start, end, entity: name })));
  }
  const missing = [...new Set(entities)].filter((name) => data[name] === undefined);
  return { data, spans: spans.toSorted((a, b) => a.start - b.start), missing };
}

function schemaFor({ schema, entities = [...NAMES] }: Input): Record<string, unknown> {
  if (schema !== undefined) return schema;
  const list = { type: 'array', items: { type: 'string' } };
  const properties = Object.fromEntries([...new Set(entities)].map((name) => [name, list]));
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export const textExtract = defineCapability({
  id: 'text.extract',
  title: 'Extract data from a text',
  what: 'Embedded: finds dates, amounts, account, VAT, company and part numbers, and addresses, with their positions. With a model: extracts what a JSON Schema describes. A response that does not match the schema is not charged.',
  input,
  output,
  unit: 'tokens',
  units: ({ text }) => unitsOf(text.length, 4),
  embedded: { isSelfContained: true, takes: ({ schema }) => schema === undefined, run: found },
  provider: {
    does: 'text',
    ask: (given) => ({
      does: 'text',
      instructions:
        'Extract from the text what the schema describes. Take only what the text says; leave out what it does not.',
      prompt: given.text,
      schema: schemaFor(given),
    }),
    async read(given, answer, { tools }) {
      const schema = schemaFor(given);
      const checked = await tools.heavy('validation', { data: answer, schema });
      if (checked instanceof Unworkable) return checked.at(checked.kind === 'input' ? 'schema' : null);
      const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
      if (!checked.valid || !isObject) {
        return new Unworkable('work', 'provider_failed', 'The response of the model does not match the schema.');
      }
      const data = answer as Record<string, unknown>;
      const wanted = Object.keys((schema['properties'] as object | undefined) ?? {});
      return { data, spans: [], missing: wanted.filter((name) => isEmpty(data[name])) };
    },
  },
  example: {
    input: { text: 'Invoice of 15-11-2026, total EUR 121,00.', entities: ['date', 'money', 'iban'] },
    output: {
      data: { date: ['2026-11-15'], money: ['121.00 EUR'] },
      spans: [
        { start: 11, end: 21, entity: 'date' },
        { start: 29, end: 39, entity: 'money' },
      ],
      missing: ['iban'],
    },
  },
});

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
