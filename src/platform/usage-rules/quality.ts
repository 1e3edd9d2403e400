import { PUBLISHED_QUALITY } from '#platform/quality/published.ts';

const { measured_on, sets, figures } = PUBLISHED_QUALITY.rules;
const { harmful, caught, harmless, refused } = figures;

/** How well the text filter does on texts that were written apart and before it was last changed. */
export const FILTER_QUALITY = {
  languages: ['en', 'nl', 'de', 'fr', 'es', 'pl'],
  frozen: { harmful, caught, harmless, refused, measured_on, sha256: sets[0]?.sha256 ?? '' },
  note: 'The texts are invented, and harmful and disguised ones are far more frequent than in real use. docs/quality.md explains how they were made and measured.',
} as const;
