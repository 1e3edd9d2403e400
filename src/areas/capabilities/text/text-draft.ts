import { z } from 'zod';
import { defineCapability, unitsOf } from '../capability.ts';

const input = z
  .strictObject({
    template: z.string().min(1).max(100_000).optional().meta({ description: 'Text with {{fields}}.' }),
    fields: z.record(z.string().max(100), z.string().max(20_000)).default({}),
    brief: z.string().min(3).max(20_000).optional().meta({ description: 'What to write. Requires a provider.' }),
    format: z.enum(['plain', 'markdown', 'email']).default('plain'),
  })
  .refine(({ template, brief }) => (template === undefined) !== (brief === undefined), 'Give template or brief.');

const PLACE = /\{\{\s*([\w.-]{1,100})\s*\}\}/g;

export const textDraft = defineCapability({
  id: 'text.draft',
  title: 'Draft a text',
  what: 'Embedded: fills in a template. Placeholders without a field stay and are listed. With a model: writes from a brief.',
  input,
  output: z.strictObject({ text: z.string(), unfilled: z.array(z.string()) }),
  unit: 'tokens',
  units: ({ template = '', brief = '' }) => unitsOf(template.length + brief.length, 4),
  embedded: {
    isSelfContained: true,
    takes: ({ template }) => template !== undefined,
    run({ template = '', fields }) {
      const unfilled = new Set<string>();
      const text = template.replace(PLACE, (place, name: string) => {
        if (Object.hasOwn(fields, name)) return fields[name] as string;
        unfilled.add(name);
        return place;
      });
      return { text, unfilled: [...unfilled] };
    },
  },
  provider: {
    does: 'text',
    ask: ({ template, brief, fields, format }) => ({
      does: 'text',
      instructions: `Write the text as ${format}. Use the fields given; invent no facts. Answer with the text alone.`,
      prompt: JSON.stringify({ brief: brief ?? `Fill this template: ${template}`, fields }),
    }),
    read: (_, answer) => ({ text: String(answer).trim(), unfilled: [] }),
  },
  example: {
    input: { template: 'Dear {{name}}, order {{order}} is ready.', fields: { name: 'Kim' } },
    output: { text: 'Dear Kim, order {{order}} is ready.', unfilled: ['order'] },
  },
});
