import { z } from 'zod';
import { defineOperation } from '#kernel/operation.ts';
import { documentPages } from '#web/document.ts';
import figures from './sanctions-quality.json' with { type: 'json' };

const share = z.number().min(0).max(1);

export const SanctionsQuality = z
  .strictObject({
    matcher_version: z.string(),
    pair_threshold: share,
    screen_threshold: share,
    list: z
      .strictObject({ source: z.string(), entities: z.int(), names: z.int(), sha256: z.string() })
      .meta({ description: 'The list that was screened against; the hash is over its entities and names' }),
    parts: z.array(
      z.strictObject({
        part: z.string().meta({ description: 'tuned: parameters were set on it; held_out: they were not' }),
        pairs: z.strictObject({ count: z.int(), precision: share, recall: share, f1: share }).nullable(),
        recall: z.array(z.strictObject({ set: z.string(), queries: z.int(), recall: share })),
        false_hits: z.array(z.strictObject({ set: z.string(), queries: z.int(), false_hits: share })),
      }),
    ),
    method: z.string(),
  })
  .meta({ id: 'SanctionsQuality' });

const METHOD =
  'Recall: listed names with one change that people make (letters wrong, missing, doubled or swapped, words in another order, joined, split, left out or as initials, other spellings, other legal forms), or written in Cyrillic or Arabic by rule; found means that the entity is among the hits. False hits: common names of people by region and script; the share with any hit, also where a listed person has that very name. Pairs: labelled pairs of names. All names are made by a seeded generator and screened at the threshold shown.';

/** What was measured of the matcher of this version, kept with the code. */
export function sanctionsQuality(): z.infer<typeof SanctionsQuality> {
  return { ...figures, method: METHOD };
}

export const sanctionsQualityPage = defineOperation({
  tag: 'verdicts',
  operationId: 'sanctions_quality',
  method: 'get',
  path: '/v1/sanctions/quality',
  summary: 'Measured recall and false hits of sanctions screening',
  description: 'Figures of the matcher in use, measured on public lists with names from a seeded generator.',
  effects: false,
  auth: 'none',
  price: null,
  rate: 'none',
  problems: [],
  input: z.strictObject({}),
  output: SanctionsQuality,
  cache: { maxAgeSeconds: 300 },
  pages: documentPages<object>(
    () => 'Sanctions screening, measured',
    () => '/v1/sanctions/quality',
    { section: 'protocols' },
  ),
  examples: [{ name: 'figures', input: {}, output: sanctionsQuality() }],
});
