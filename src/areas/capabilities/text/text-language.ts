import { z } from 'zod';
import { defineCapability, oneUnit } from '../capability.ts';

export const textLanguage = defineCapability({
  id: 'text.language',
  title: 'Detect the language',
  what: 'Detects the language of a text by its n-grams and returns the scores of other languages. reliable is true if the text was long and clear enough.',
  input: z.strictObject({ text: z.string().min(1).max(20_000) }),
  output: z.strictObject({
    language: z.string().nullable().meta({ description: 'ISO 639-1 code.' }),
    reliable: z.boolean(),
    scores: z.record(z.string(), z.number()),
  }),
  unit: 'call',
  units: oneUnit,
  embedded: { extra: 'documents', run: ({ text }, tools) => tools.heavy('language', { text }) },
  provider: null,
  example: {
    input: { text: 'De levering komt morgenochtend voor tien uur aan.' },
    output: { language: 'nl', reliable: true, scores: { nl: 0.8349415947181311, de: 0.6207701283547258 } },
  },
});
