import { z } from 'zod';
import { defineCapability, unitsOf } from '../capability.ts';
import { bm25, contentWords, sentencesOf } from './words.ts';

const input = z.strictObject({
  question: z.string().min(3).max(1_000),
  docs: z
    .array(z.strictObject({ id: z.string().min(1).max(200), text: z.string().min(1).max(200_000) }))
    .min(1)
    .max(50)
    .refine((docs) => new Set(docs.map(({ id }) => id)).size === docs.length, 'Must have unique ids.')
    .refine(
      (docs) => docs.reduce((sum, { text }) => sum + text.length, 0) <= 400_000,
      'Must have at most 400000 characters in total.',
    ),
});
const output = z.strictObject({
  answer: z.string().nullable(),
  citations: z.array(z.strictObject({ doc_id: z.string(), start: z.int(), end: z.int(), quote: z.string() })),
  abstained: z.boolean(),
});
type Input = z.output<typeof input>;
type Citation = z.output<typeof output>['citations'][number];
const ABSTAINED = { answer: null, citations: [], abstained: true };

const MAX_PASSAGES = 3;
const MAX_RANKED = 10_000;
/** A passage that is much weaker than the best one only distracts. */
const WORTH_QUOTING = 0.6;

function bestPassages({ question, docs }: Input) {
  const all = docs.flatMap(({ id, text }) =>
    sentencesOf(text).map(({ start, end }) => ({ doc_id: id, start, end, quote: text.slice(start, end) })),
  );
  const passages = all.slice(0, MAX_RANKED);
  const scores = bm25(
    contentWords(question),
    passages.map(({ quote }) => contentWords(quote)),
  );
  const ranked = passages.map((passage, index) => ({ passage, score: scores[index] ?? 0 }));
  const best = ranked.toSorted((a, b) => b.score - a.score).slice(0, MAX_PASSAGES);
  const floor = (best[0]?.score ?? 0) * WORTH_QUOTING;
  const citations = best.filter(({ score }) => score > 0 && score >= floor).map(({ passage }) => passage);
  if (citations.length === 0) return ABSTAINED;
  return { answer: citations.map(({ quote }) => quote).join(' '), citations, abstained: false };
}

const Cited = z.object({
  answer: z.string().nullable(),
  citations: z.array(z.object({ doc_id: z.string(), quote: z.string() })).max(1_000),
});

export const textAnswer = defineCapability({
  id: 'text.answer',
  title: 'Answer from documents',
  what: 'Embedded: quotes the passages that best match the question. With a model: returns an answer with citations. A quote that is not in its document is dropped, and an answer without a valid quote is withheld.',
  input,
  output,
  unit: 'tokens',
  units: ({ docs }) =>
    unitsOf(
      docs.reduce((sum, { text }) => sum + text.length, 0),
      4,
    ),
  embedded: { isSelfContained: true, run: bestPassages },
  provider: {
    does: 'text',
    ask: ({ question, docs }) => ({
      does: 'text',
      instructions:
        'Answer the question from the documents alone. Cite for each statement the id of the document and a quote, copied from it letter by letter. Answer null when they do not say it.',
      prompt: JSON.stringify({ question, docs }),
      schema: {
        type: 'object',
        properties: {
          answer: { type: ['string', 'null'] },
          citations: {
            type: 'array',
            items: {
              type: 'object',
              properties: { doc_id: { type: 'string' }, quote: { type: 'string' } },
              required: ['doc_id', 'quote'],
              additionalProperties: false,
            },
          },
        },
        required: ['answer', 'citations'],
        additionalProperties: false,
      },
    }),
    read({ docs }, answer) {
      const { answer: text, citations } = Cited.parse(answer);
      const held = citations.flatMap(({ doc_id, quote }): Citation[] => {
        const start = quote === '' ? -1 : (docs.find(({ id }) => id === doc_id)?.text.indexOf(quote) ?? -1);
        return start < 0 ? [] : [{ doc_id, start, end: start + quote.length, quote }];
      });
      return text === null || held.length === 0 ? ABSTAINED : { answer: text, citations: held, abstained: false };
    },
  },
  example: {
    input: {
      question: 'When does the warranty end?',
      docs: [{ id: 'offer', text: 'The warranty ends after two years.' }],
    },
    output: {
      answer: 'The warranty ends after two years.',
      citations: [{ doc_id: 'offer', start: 0, end: 34, quote: 'The warranty ends after two years.' }],
      abstained: false,
    },
  },
});
