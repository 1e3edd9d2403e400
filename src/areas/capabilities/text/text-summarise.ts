import { z } from 'zod';
import { defineCapability, Unworkable, unitsOf } from '../capability.ts';

const span = z.strictObject({ start: z.int(), end: z.int() });

export const textSummarise = defineCapability({
  id: 'text.summarise',
  title: 'Summarise a text',
  what: 'Embedded: returns the most central sentences word for word, with their positions. With a model: a summary in new words.',
  input: z.strictObject({ text: z.string().min(1).max(200_000), max_sentences: z.int().min(1).max(20).default(3) }),
  output: z.strictObject({ summary: z.string(), spans: z.array(span), extractive: z.boolean() }),
  unit: 'tokens',
  units: ({ text }) => unitsOf(text.length, 4),
  embedded: {
    async run({ text, max_sentences: sentences }, tools) {
      const spans = await tools.heavy('summary', { text, sentences });
      if (spans instanceof Unworkable) return spans;
      const summary = spans.map(({ start, end }) => text.slice(start, end)).join(' ');
      return { summary, spans: [...spans], extractive: true };
    },
  },
  provider: {
    does: 'text',
    ask: ({ text, max_sentences: sentences }) => ({
      does: 'text',
      instructions: `Summarise the text in at most ${sentences} sentences, in its own language. Add nothing that it does not say. Answer with the summary alone.`,
      prompt: text,
    }),
    read: (_, answer) => ({ summary: String(answer).trim(), spans: [], extractive: false }),
  },
  example: {
    input: { text: 'The pump failed. It was replaced the same day. Lunch was soup.', max_sentences: 1 },
    output: { summary: 'The pump failed.', spans: [{ start: 0, end: 16 }], extractive: true },
  },
});
