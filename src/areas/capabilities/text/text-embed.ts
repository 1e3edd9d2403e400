import { z } from 'zod';
import { defineCapability, Unworkable, unitsOf } from '../capability.ts';
import { contentWords } from './words.ts';

const DIMENSIONS = 512;

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Words and their trigrams hashed into signed places, brought to length 1: alike where the words are, not the meaning. */
function lexicalVector(text: string): number[] {
  const vector = new Float64Array(DIMENSIONS);
  const add = (feature: string, weight: number) => {
    const hash = fnv(feature);
    const place = hash % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + (hash & 0x80000000 ? -weight : weight);
  };
  for (const word of contentWords(text)) {
    add(word, 1);
    const edged = `<${word}>`;
    for (let at = 0; at + 3 <= edged.length; at += 1) add(edged.slice(at, at + 3), 0.3);
  }
  const length = Math.hypot(...vector) || 1;
  return Array.from(vector, (value) => Math.round((value / length) * 1e6) / 1e6);
}

const Vectors = z.array(z.array(z.number()).min(1).max(8_192));

export const textEmbed = defineCapability({
  id: 'text.embed',
  title: 'Embed texts',
  what: 'Embedded: lexhash-512, a vector of the words. It finds texts with the same words, not with the same meaning. With a model: the embeddings of that model.',
  input: z.strictObject({ texts: z.array(z.string().min(1).max(8_000)).min(1).max(256) }),
  output: z.strictObject({ model: z.string(), dims: z.int(), vectors: z.array(z.array(z.number())) }),
  unit: 'tokens',
  units: ({ texts }) =>
    unitsOf(
      texts.reduce((sum, text) => sum + text.length, 0),
      4,
    ),
  embedded: {
    isSelfContained: true,
    run: ({ texts }) => ({ model: 'lexhash-512', dims: DIMENSIONS, vectors: texts.map((text) => lexicalVector(text)) }),
  },
  provider: {
    does: 'embedding',
    ask: ({ texts }) => ({ does: 'embedding', texts }),
    read({ texts }, answer, { model }) {
      const vectors = Vectors.parse(answer);
      const dims = vectors[0]?.length ?? 0;
      if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dims)) {
        return new Unworkable('work', 'provider_failed', 'The model did not return the requested vectors.');
      }
      return { model, dims, vectors };
    },
  },
  example: {
    input: { texts: ['pump'] },
    output: { model: 'lexhash-512', dims: 512, vectors: [[0, 0.5, -0.5, 0.7071]] },
  },
});
