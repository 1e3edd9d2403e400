import { z } from 'zod';
import { defineCapability, unitsOf } from '../capability.ts';
import { bm25, contentWords } from './words.ts';

const labelId = z.string().min(1).max(100);
const label = z.union([
  labelId,
  z.strictObject({
    id: labelId,
    terms: z.array(z.string().max(200)).max(200).default([]),
    examples: z.array(z.string().max(4_000)).max(50).default([]),
  }),
]);
type Label = z.output<typeof label>;
const input = z.strictObject({
  text: z.string().min(1).max(200_000),
  labels: z
    .array(label)
    .min(2)
    .max(50)
    .refine((labels) => new Set(labels.map(idOf)).size === labels.length, 'Must have unique labels.'),
});
const output = z.strictObject({
  label: z.string().nullable(),
  score: z.number(),
  abstained: z.boolean(),
  scores: z.record(z.string(), z.number()),
});

function idOf(one: Label): string {
  return typeof one === 'string' ? one : one.id;
}

function wordsOf(one: Label): string[] {
  if (typeof one === 'string') return contentWords(one);
  return [one.id, ...one.terms, ...one.examples].flatMap((text) => contentWords(text));
}

const rounded = (score: number) => Math.round(score * 10_000) / 10_000;

const Chosen = z.object({ label: z.string().nullable(), score: z.number().min(0).max(1) });

export const textClassify = defineCapability({
  id: 'text.classify',
  title: 'Classify a text',
  what: 'Embedded: chooses the label whose terms and examples share the most words with the text. It abstains on a tie or without a shared word. With a model: needs no terms or examples.',
  input,
  output,
  unit: 'tokens',
  units: ({ text }) => unitsOf(text.length, 4),
  embedded: {
    isSelfContained: true,
    run({ text, labels }) {
      const scores = bm25(contentWords(text), labels.map(wordsOf)).map(rounded);
      const best = Math.max(...scores);
      const abstained = best === 0 || scores.filter((score) => score === best).length > 1;
      return {
        label: abstained ? null : idOf(labels[scores.indexOf(best)] as Label),
        score: abstained ? 0 : best,
        abstained,
        scores: Object.fromEntries(labels.map((one, index) => [idOf(one), scores[index] as number])),
      };
    },
  },
  provider: {
    does: 'text',
    ask: ({ text, labels }) => ({
      does: 'text',
      instructions: `Choose the one label that fits the text, or null when none does, with a score from 0 to 1. Labels: ${JSON.stringify(labels)}`,
      prompt: text,
      schema: {
        type: 'object',
        properties: { label: { enum: [...labels.map(idOf), null] }, score: { type: 'number' } },
        required: ['label', 'score'],
        additionalProperties: false,
      },
    }),
    read({ labels }, answer) {
      const { label: chosen, score } = Chosen.parse(answer);
      // A label that was not offered is no answer.
      if (chosen === null || !labels.some((one) => idOf(one) === chosen)) {
        return { label: null, score: 0, abstained: true, scores: {} };
      }
      return { label: chosen, score, abstained: false, scores: Object.fromEntries([[chosen, score]]) };
    },
  },
  example: {
    input: {
      text: 'The parcel has not arrived yet.',
      labels: [
        { id: 'delivery', terms: ['parcel', 'arrived'] },
        { id: 'invoice', terms: ['vat', 'payment'] },
      ],
    },
    output: { label: 'delivery', score: 1.3863, abstained: false, scores: { delivery: 1.3863, invoice: 0 } },
  },
});
