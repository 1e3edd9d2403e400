import type { BriefOfKey, BriefsPort } from '#areas/briefs/port.ts';
import type { VenueAnswer, VenuePort } from '#areas/bounties/port.ts';
import { isoTime } from '#kernel/clock.ts';
import type { NoVenue } from './light.ts';
import type { LightAnswer } from './look-operations.ts';

/** What is known of a key where its work is offered, and the brief that names it; null where nothing is. */
interface Around extends Pick<LightAnswer, 'venue' | 'brief'> {
  /** Why `venue` is null. */
  readonly noVenue: NoVenue;
}

export type AroundKey = (key: string) => Promise<Around>;

interface AroundKeyOptions {
  /** What the venues say, live or as it is stored. */
  readonly factsOf: VenuePort['venueFacts'];
  readonly briefs: BriefsPort;
  readonly nowMs: () => number;
}

/** A key that only a brief names has the brief for its venue. */
export function aroundKey({ factsOf, briefs, nowMs }: AroundKeyOptions): AroundKey {
  return async (key) => {
    const [answer, brief] = await Promise.all([factsOf(key), briefs.briefOf(key)]);
    const isOfBrief = answer.kind === 'no_venue' && brief !== null;
    const facts = answer.kind === 'known' ? answer.facts : null;
    return {
      venue: isOfBrief ? briefAsVenue(brief, isoTime(nowMs())) : facts,
      brief: shownBrief(brief),
      noVenue: noVenueOf(answer),
    };
  };
}

const NO_VENUE: Readonly<Record<string, NoVenue>> = {
  NOT_FOUND: 'no_such_issue',
  NOT_CONFIGURED: 'not_read',
  NOT_ASKED: 'not_asked',
};

function noVenueOf(answer: VenueAnswer): NoVenue {
  if (answer.kind !== 'unavailable') return 'not_read';
  return NO_VENUE[answer.code] ?? 'no_answer';
}

function briefAsVenue({ state, rewardUsd }: BriefOfKey, factsAsOf: string): LightAnswer['venue'] {
  return {
    source: 'external',
    kind: 'brief',
    state,
    reward: rewardUsd === null ? null : { amount: rewardUsd, currency: 'USD', usd: rewardUsd, from: 'brief' },
    funding: rewardUsd === null ? 'none' : 'stated',
    open_prs: null,
    claiming_people: null,
    assignees: 0,
    already_rewarded: false,
    repo_rewarded_count: null,
    repo_rewarded_as_of: null,
    marketplace: null,
    facts_as_of: factsAsOf,
    facts_complete: true,
  };
}

function shownBrief(brief: BriefOfKey | null): LightAnswer['brief'] {
  if (brief === null) return null;
  const { brief: id, link, clarity, slots, state } = brief;
  return { brief: id, link, clarity, slots, state };
}
