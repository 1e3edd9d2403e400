import { z } from 'zod';
import { defineCapability, unitsOf } from '../capability.ts';

const language = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/, 'Must be a language tag, for example nl or en-GB.');
const Translated = z.object({ text: z.string(), from: z.string().max(35) });

export const textTranslate = defineCapability({
  id: 'text.translate',
  title: 'Translate a text',
  what: 'Translates with a model. There is no embedded mode.',
  input: z.strictObject({ text: z.string().min(1).max(100_000), to: language, from: language.optional() }),
  output: z.strictObject({ text: z.string(), from: z.string() }),
  unit: 'tokens',
  units: ({ text }) => unitsOf(text.length, 4),
  embedded: null,
  provider: {
    does: 'text',
    ask: ({ text, to, from }) => ({
      does: 'text',
      instructions: `Translate the text${from === undefined ? '' : ` from ${from}`} to ${to}. Keep names, numbers and line breaks. Give the language of the text in from.`,
      prompt: text,
      schema: {
        type: 'object',
        properties: { text: { type: 'string' }, from: { type: 'string' } },
        required: ['text', 'from'],
        additionalProperties: false,
      },
    }),
    read({ from }, answer) {
      const translated = Translated.parse(answer);
      return { text: translated.text, from: from ?? translated.from };
    },
  },
  example: { input: { text: 'Goedemorgen', to: 'en' }, output: { text: 'Good morning', from: 'nl' } },
});
