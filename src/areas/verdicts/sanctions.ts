import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { RegisterAnswer } from '#platform/registers/outcome.ts';
import type { Screening } from '#platform/registers/sanctions-list.ts';
import { type Judged, origin, raisedFlags, seenOf, timeToMs, verdictMembers, type VerdictQuestion } from './verdict.ts';

const SANCTIONS_FLAGS = ['LIST_OLDER_THAN_48H', 'WEAK_ALIAS_MATCH', 'SHORT_QUERY', 'SCRIPT_NOT_READ'] as const;
const NOTICE =
  'Possible match only: stop and verify with date of birth or identity number. No candidate is not a clearance. Only the Official Journal of the EU is authentic.';
/** Who publishes the list, as its terms of reuse ask. */
const ATTRIBUTION = 'European Commission, DG FISMA';

const Hit = z.strictObject({
  entity_id: z.string(),
  listed_name: z.string().meta({ description: 'The name on the list that matches.' }),
  programme: z.string().nullable(),
  country: z.string().nullable(),
  subject_type: z.enum(['person', 'enterprise']).nullable(),
  score: z.number(),
  why: z
    .strictObject({
      words: z.array(z.strictObject({ listed: z.string(), how: z.string(), similarity: z.number() })),
      unmatched_listed: z.array(z.string()),
      unmatched_query: z.int(),
    })
    .meta({
      description:
        'Words of the listed name that match and how, those that do not, and how many of yours do not match.',
    }),
});

export const SanctionsResult = z.strictObject({
  status: z.enum(['NO_CANDIDATES', 'CANDIDATES', 'WEAK_CANDIDATES_ONLY']),
  hit_count: z.int().meta({ description: 'Number of entities before hits is cut at 25.' }),
  hits: z.array(Hit).max(25),
  weak_hits: z.array(Hit).max(25).meta({ description: 'Found only through weak aliases. Not counted.' }),
  list_generated: z.iso.date().meta({ description: "The list's date of issue." }),
  list_loaded_at: timeToMs.meta({ description: 'When Avouch loaded the list that was searched.' }),
  list_age_hours: z.int(),
  threshold: z.number(),
  matcher_version: z.string(),
  flags: z.array(z.enum(SANCTIONS_FLAGS)),
  notice: z.literal(NOTICE),
  ...verdictMembers,
  attribution: z.literal(ATTRIBUTION),
});

const MAX_SHOWN = 25;
const OLD_LIST_HOURS = 48;
const VERIFY: VerdictQuestion = {
  code: 'VERIFY_CANDIDATES',
  section: null,
  text: "Compare each candidate's date of birth, identity number and country with the Official Journal.",
};
const SCREEN_IN_LATIN: VerdictQuestion = {
  code: 'SCRIPT_NOT_READ',
  section: null,
  text: 'The matcher cannot read some letters of this name well enough, so missing candidates say nothing. Screen the name in Latin letters too.',
};

/** Of the name that was asked nothing is repeated. */
export function judgeSanctions(
  name: string,
  answer: RegisterAnswer<Screening>,
  judged: Judged,
): z.output<typeof SanctionsResult> {
  const { candidates, hasUnreadLetters, listGenerated, listAgeHours, threshold, matcherVersion } = answer.value;
  const hits = candidates.filter(({ isWeak }) => !isWeak);
  const weak = candidates.filter(({ isWeak }) => isWeak);
  const isWeakOnly = hits.length === 0 && weak.length > 0;
  return {
    status: hits.length > 0 ? 'CANDIDATES' : isWeakOnly ? 'WEAK_CANDIDATES_ONLY' : 'NO_CANDIDATES',
    hit_count: hits.length,
    hits: hits.slice(0, MAX_SHOWN).map(hitOf),
    weak_hits: weak.slice(0, MAX_SHOWN).map(hitOf),
    list_generated: listGenerated,
    list_loaded_at: isoTime(answer.observedAtMs),
    list_age_hours: listAgeHours,
    threshold,
    matcher_version: matcherVersion,
    flags: raisedFlags({
      LIST_OLDER_THAN_48H: listAgeHours > OLD_LIST_HOURS,
      WEAK_ALIAS_MATCH: weak.length > 0,
      SHORT_QUERY: name.trim().split(/\s+/).length === 1,
      SCRIPT_NOT_READ: hasUnreadLetters,
    }),
    notice: NOTICE,
    open_questions: [...(candidates.length > 0 ? [VERIFY] : []), ...(hasUnreadLetters ? [SCREEN_IN_LATIN] : [])],
    ...origin([seenOf('eu_fsf', answer)], judged),
    attribution: ATTRIBUTION,
  };
}

function hitOf(candidate: Screening['candidates'][number]): z.output<typeof Hit> {
  const { entity, listedName, score, words, unmatchedListed, unmatchedQuery } = candidate;
  return {
    entity_id: entity.id,
    listed_name: listedName,
    programme: entity.programme,
    country: entity.country,
    subject_type: entity.subjectType,
    score: rounded(score),
    why: {
      words: words.map(({ listed, how, similarity }) => ({ listed, how, similarity: rounded(similarity) })),
      unmatched_listed: [...unmatchedListed],
      unmatched_query: unmatchedQuery.length,
    },
  };
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
