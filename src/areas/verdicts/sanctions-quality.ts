import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { Answer, defineOperation } from '#kernel/operation.ts';
import type { MeasuredList, SanctionsRegister } from '#platform/registers/sanctions-list.ts';
import { PUBLISHED_QUALITY } from '#platform/quality/published.ts';
import { type Quality, SanctionsQuality } from './sanctions-quality-answer.ts';
import { sanctionsQualityPages } from './sanctions-quality-page.ts';

const { measured_on, sets, figures } = PUBLISHED_QUALITY.names;

/** Of this matcher, whatever list is in use. */
const FROZEN: Quality['frozen'] = {
  measured_on,
  list: { source: figures.list.source, names: figures.list.names, sha256: figures.list.sha256 },
  pairs: figures.pairs,
  mangled: { queries: figures.mangled.queries, recall: figures.mangled.recall },
  false_hits: Object.entries(figures.false_hits).map(([set, { queries, false_hits }]) => ({
    set,
    queries,
    false_hits,
  })),
  sets,
};

const METHOD =
  "Measured on the list in use, again for each new list. Recall: listed names with one change that people make (letters wrong, missing, doubled or swapped, words in another order, joined, split, left out or as initials, other spellings, other legal forms), or transliterated into Cyrillic or Arabic by rule. A name counts as found if the entity is among the hits. False hits: common names of people by region and script, as the share with any hit, even if a listed person has exactly that name. All names are different. A generator whose seed is the start of the list's hash makes them, and they are screened at the threshold shown. The kinds of change are those that the matcher was built for, so real names may do worse. Small sets say little.";

const [EU_LIST, SANDBOX_LIST] = [
  'EU consolidated financial sanctions list',
  'Invented sandbox list: it says nothing about the real one',
];

/** What does not depend on a list. */
interface MatcherFacts {
  readonly version: string;
  readonly pairThreshold: number;
  readonly screenThreshold: number;
}

export interface QualityDeps {
  /** Null is switched off. */
  readonly sanctions: Pick<SanctionsRegister, 'quality'> | null;
  readonly matcher: MatcherFacts;
  readonly sandbox: boolean;
}

/** An answer without figures is soon another one. */
const NOT_YET = { maxAgeSeconds: 5 };

/** What is known now of the list in use: nothing is waited for. */
export function sanctionsQuality({ sanctions, matcher, sandbox }: QualityDeps) {
  const measured = sanctions?.quality() ?? null;
  const about = {
    matcher_version: matcher.version,
    pair_threshold: matcher.pairThreshold,
    screen_threshold: matcher.screenThreshold,
    list: measured && shownList(measured, sandbox),
  };
  const quality = measured?.quality ?? (sanctions === null ? 'switched_off' : 'no_list');
  if (typeof quality === 'string') return new Answer<Quality>(200, notMeasured(about, quality), NOT_YET);
  const { recall, falseHits, measuredAtMs } = quality;
  return {
    status: 'measured' as const,
    reason: null,
    ...about,
    measured_at: isoTime(measuredAtMs),
    recall: [...recall],
    false_hits: falseHits.map(({ set, queries, falseHits: value }) => ({ set, queries, false_hits: value })),
    method: METHOD,
    frozen: FROZEN,
  };
}

type About = Pick<Quality, 'matcher_version' | 'pair_threshold' | 'screen_threshold' | 'list'>;

function notMeasured(about: About, reason: NonNullable<Quality['reason']>): Quality {
  return {
    status: 'not_measured',
    reason,
    ...about,
    measured_at: null,
    recall: [],
    false_hits: [],
    method: METHOD,
    frozen: FROZEN,
  };
}

function shownList({ list, loadedAtMs }: MeasuredList, sandbox: boolean): Quality['list'] {
  const { generated, entities, names, sha256 } = list;
  return {
    source: sandbox ? SANDBOX_LIST : EU_LIST,
    list_generated: generated,
    list_loaded_at: isoTime(loadedAtMs),
    entities,
    names,
    sha256,
  };
}

const EXAMPLE_ABOUT: About = {
  matcher_version: '5',
  pair_threshold: 0.7,
  screen_threshold: 0.8,
  list: {
    source: SANDBOX_LIST,
    list_generated: '2026-11-15',
    list_loaded_at: '2026-11-15T10:00:00.000Z',
    entities: 8,
    names: 16,
    sha256: 'c6e2cf9c140743078cb153ff77606795036f764e1419983c5105337b1d16dddb',
  },
};

const EXAMPLE: Quality = {
  status: 'measured',
  reason: null,
  ...EXAMPLE_ABOUT,
  measured_at: '2026-11-15T10:01:02.000Z',
  recall: [
    { set: 'mangled', entities: 8, queries: 1000, recall: 0.994 },
    { set: 'cyrillic', entities: 3, queries: 3, recall: 1 },
    { set: 'arabic', entities: 1, queries: 16, recall: 1 },
  ],
  false_hits: [
    { set: 'us', queries: 1000, false_hits: 0 },
    { set: 'global_latin', queries: 1000, false_hits: 0 },
    { set: 'arabic', queries: 1000, false_hits: 0 },
    { set: 'cyrillic', queries: 1000, false_hits: 0 },
    { set: 'greek', queries: 64, false_hits: 0 },
    { set: 'hebrew', queries: 64, false_hits: 0 },
    { set: 'han', queries: 477, false_hits: 0 },
    { set: 'hangul', queries: 144, false_hits: 0 },
  ],
  method: METHOD,
  frozen: FROZEN,
};

export const sanctionsQualityPage = defineOperation({
  tag: 'verdicts',
  operationId: 'sanctions_quality',
  method: 'get',
  path: '/v1/sanctions/quality',
  summary: 'Get the quality of sanctions screening',
  description:
    'Measured recall and false hits of the list that is in use now, with its date and hash. They are measured in the background after each new list. Until then the response is not_measured and says why.',
  effects: false,
  access: 'none',
  price: null,
  rate: 'none',
  problems: [],
  input: z.strictObject({}),
  output: SanctionsQuality,
  cache: { maxAgeSeconds: 60 },
  pages: sanctionsQualityPages,
  examples: [
    { name: 'measured', input: {}, output: EXAMPLE },
    { name: 'not measured yet', input: {}, output: notMeasured(EXAMPLE_ABOUT, 'measuring') },
  ],
});
