import { HOUR_MS } from '#kernel/clock.ts';
import { CLEARANCE_WORDS } from '../lease/clearance.ts';
import { freeAtMs, isExclusive, isInClearance, isLive, type Lease } from '../lease/lease.ts';
import type { LightAnswer } from './look-operations.ts';
import { type MarkScore, markScores, type WeighedMark } from '../mark/mark-score.ts';
import { expectedValue, type Odds } from './expected-value.ts';

export type Signal = LightAnswer['signal'];

/** Why nothing is known of work from the place that offers it. */
export type NoVenue = 'not_read' | 'no_such_issue' | 'no_answer' | 'not_asked';

const NO_VENUE_WORDS: Readonly<Record<NoVenue, string>> = {
  not_read: 'Avouch does not check this work at its issue tracker. Check it there yourself.',
  no_such_issue: 'The issue tracker shows no such issue: it is private, moved or deleted, or never was.',
  no_answer: 'The issue tracker could not be read. Check the issue there yourself.',
  not_asked: 'The issue tracker was not asked. Check this work key to ask it.',
};

/** Everything that a light depends on. */
export interface LightFacts {
  readonly nowMs: number;
  /** The name of the caller, who is not counted among the others. */
  readonly agent: string | undefined;
  readonly slots: number;
  readonly isPublicVenue: boolean;
  /** The rows of the key, those past their expiry included. */
  readonly leases: readonly Lease[];
  /** How long others in the line have the key for themselves. */
  readonly turnsMs: number;
  /** Names that looked in the last fifteen minutes. */
  readonly lookers: readonly string[];
  /** Those that have not faded. */
  readonly marks: readonly WeighedMark[];
  readonly venue: LightAnswer['venue'];
  /** Why `venue` is null. */
  readonly noVenue: NoVenue;
  readonly probe: LightAnswer['probe'];
  readonly rewardMicro: number | undefined;
  readonly effortMicro: number | undefined;
  /** The probability by the caller's own count, in millionths. */
  readonly successPpm: number | undefined;
}

export type JudgedLight = Pick<LightAnswer, 'signal' | 'reasons' | 'others' | 'expected_value'> & {
  /** Until a claim can be granted at the latest if nobody refreshes; 0 where it would be granted now. */
  readonly waitMs: number;
};

/** What the rules look at: the facts, counted. */
interface Counted extends LightFacts {
  readonly othersLive: readonly Lease[];
  readonly holding: number;
  readonly looking: number;
  readonly scoreOf: (kind: ScoredKind) => MarkScore;
  readonly expected: LightAnswer['expected_value'];
}

interface Rule {
  readonly code: string;
  readonly light: Signal;
  /** The rule in words. */
  readonly when: string;
  /** What is left of the chance to earn by the work while the rule holds; the crowd decides where it is not said. */
  readonly odds?: Odds;
  readonly holds: (facts: Counted) => boolean;
  readonly text: (facts: Counted) => string;
}

export const SCORED_KINDS = ['done', 'paid', 'failed', 'unpaid', 'dead', 'blocked', 'declined'] as const;
type ScoredKind = (typeof SCORED_KINDS)[number];

const NO_MARKS: MarkScore = { score: 0, marks: 0 };
export const STALE_HOLD_MS = 6 * HOUR_MS;
const RED_SCORE = 0.6;
const REPORTED_SCORE = 0.2;
const TRIED_SCORE = 0.3;

/** Every rule that holds is a reason. Codes are stable; texts are ours and hold nothing that others wrote. */
const RULES: readonly Rule[] = [
  {
    code: 'held_exclusive',
    light: 'RED',
    when: 'another agent holds the work key in mode exclusive or once',
    holds: ({ othersLive }) => othersLive.some(({ mode }) => isExclusive(mode)),
    text: () => 'Another agent has an exclusive lease.',
  },
  {
    code: 'slots_full',
    light: 'RED',
    when: 'as many other agents hold the work key as slots allows',
    holds: ({ holding, slots }) => holding >= slots,
    text: ({ holding, slots }) => `${agents(holding)} this work key. The limit is ${slots}.`,
  },
  {
    code: 'in_clearance',
    light: 'RED',
    when: 'an exclusive or once lease expired less than 15 seconds ago, or another agent in the queue has priority',
    holds: ({ leases, turnsMs, nowMs }) => turnsMs > 0 || leases.some((lease) => isInClearance(lease, nowMs)),
    text: ({ turnsMs }) => CLEARANCE_WORDS[turnsMs > 0 ? 'queue' : 'grace_period'],
  },
  {
    code: 'venue_closed',
    light: 'RED',
    odds: 'none',
    when: 'the issue tracker or marketplace says that the work is closed or expired',
    holds: ({ venue }) => venue !== null && venue.state !== 'open',
    text: () => 'The work is no longer open at its issue tracker or marketplace.',
  },
  {
    code: 'venue_rewarded',
    light: 'RED',
    odds: 'none',
    when: 'the issue tracker or marketplace says that the reward was paid',
    holds: ({ venue }) => venue?.already_rewarded === true,
    text: () => 'The reward was already paid.',
  },
  {
    code: 'venue_assigned',
    light: 'RED',
    odds: 'unknown',
    when: 'the issue tracker or marketplace says that somebody is assigned',
    holds: ({ venue }) => (venue?.assignees ?? 0) > 0,
    text: ({ venue }) =>
      `${venue?.assignees === 1 ? '1 person is' : `${venue?.assignees} people are`} assigned to the work.`,
  },
  { ...scoreRule('done_before', 'RED', ['done', 'paid'], RED_SCORE, 'that the work was done'), odds: 'none' },
  { ...scoreRule('dead_endpoint', 'RED', ['dead'], RED_SCORE, 'that the endpoint does not respond'), odds: 'none' },
  {
    ...scoreRule('blocked_work', 'RED', ['blocked'], RED_SCORE, 'that the work cannot be done as described'),
    odds: 'none',
  },
  scoreRule('unpaid_before', 'RED', ['unpaid'], RED_SCORE, 'that delivered work was not paid'),
  {
    code: 'ev_not_positive',
    light: 'RED',
    when: 'reward_usd and effort_usd give an expected value of zero or less',
    holds: ({ expected }) => expected !== null && expected.usd <= 0,
    text: ({ expected }) => `The expected value is ${expected?.usd} USD.`,
  },
  {
    code: 'others_holding',
    light: 'AMBER',
    when: 'other agents hold the work key and slots are left',
    holds: ({ holding, slots }) => holding > 0 && holding < slots,
    text: ({ holding, slots }) => `${agents(holding)} this work key. The limit is ${slots}.`,
  },
  {
    code: 'held_long',
    light: 'AMBER',
    when: 'public work has been held for more than 6 hours without evidence of progress',
    holds: isHeldLong,
    text: () => 'Another agent has held this work key for more than 6 hours without showing progress.',
  },
  {
    code: 'others_looking',
    light: 'AMBER',
    when: 'other agents checked the work key in the last 15 minutes',
    holds: ({ looking }) => looking > 0,
    text: ({ looking }) =>
      `${looking} other ${looking === 1 ? 'agent' : 'agents'} checked this work key in the last 15 minutes.`,
  },
  scoreRule('dead_reported', 'AMBER', ['dead'], REPORTED_SCORE, 'that the endpoint does not respond'),
  scoreRule('blocked_reported', 'AMBER', ['blocked'], REPORTED_SCORE, 'that the work cannot be done as described'),
  scoreRule('unpaid_reported', 'AMBER', ['unpaid'], REPORTED_SCORE, 'that delivered work was not paid'),
  scoreRule('done_reported', 'AMBER', ['done', 'paid'], REPORTED_SCORE, 'that the work was done'),
  scoreRule('failed_before', 'AMBER', ['failed'], TRIED_SCORE, 'that an attempt failed'),
  scoreRule('declined_before', 'AMBER', ['declined'], TRIED_SCORE, 'that an agent declined it'),
  {
    code: 'venue_unknown',
    light: 'AMBER',
    when: 'the work is public and nothing is known of it from its issue tracker',
    holds: ({ isPublicVenue, venue }) => isPublicVenue && venue === null,
    text: ({ noVenue }) => NO_VENUE_WORDS[noVenue],
  },
  {
    code: 'open_pull_requests',
    light: 'AMBER',
    when: 'the issue tracker shows open pull requests',
    holds: ({ venue }) => (venue?.open_prs ?? 0) > 0,
    text: ({ venue }) =>
      `${venue?.open_prs} open pull ${venue?.open_prs === 1 ? 'request' : 'requests'} for this work.`,
  },
  {
    code: 'effort_missing',
    light: 'AMBER',
    when: 'reward_usd is given without effort_usd',
    holds: ({ rewardMicro, effortMicro }) => rewardMicro !== undefined && effortMicro === undefined,
    text: () => 'Add effort_usd to compute the expected value.',
  },
  {
    code: 'probe_no_answer',
    light: 'AMBER',
    when: 'the endpoint did not respond to the probe',
    holds: ({ probe }) => probe?.state === 'failed',
    text: () => 'The endpoint did not respond to one request.',
  },
];

/** The rules that decide on the chance; none of them looks at the expected value. */
const ODDS = RULES.filter(({ odds }) => odds !== undefined);

const NOTHING_FOUND = { code: 'nothing_found', light: 'GREEN', text: 'No conflicts found.' } as const;

/** Every reason with the signal that it gives and its rule in words. */
export const LIGHT_REASONS = [
  ...RULES.map(({ code, light, when }) => ({ code, signal: light, when })),
  { code: NOTHING_FOUND.code, signal: NOTHING_FOUND.light, when: 'none of the rules above applies' },
];

/** The light of a key. Pure: the same facts give the same bytes. */
export function lightOf(facts: LightFacts): JudgedLight {
  const counted = count(facts);
  const found = RULES.filter((rule) => rule.holds(counted));
  const reasons = found.map(({ code, light, text }) => ({ code, light, text: text(counted) }));
  const signal = reasons.some(({ light }) => light === 'RED') ? 'RED' : reasons.length > 0 ? 'AMBER' : 'GREEN';
  return {
    signal,
    reasons: reasons.length > 0 ? reasons : [NOTHING_FOUND],
    others: { holding: counted.holding, looking: counted.looking },
    expected_value: counted.expected,
    waitMs: waitMsOf(counted),
  };
}

function count(facts: LightFacts): Counted {
  const { agent, leases, lookers, marks, nowMs } = facts;
  const othersLive = leases.filter((lease) => isLive(lease, nowMs) && lease.agent !== agent);
  const holding = new Set(othersLive.map((lease) => lease.agent)).size;
  const looking = lookers.filter((name) => name !== agent).length;
  const scores = markScores(marks);
  const scoreOf = (kind: ScoredKind) => scores.get(kind) ?? NO_MARKS;
  const counted = { ...facts, othersLive, holding, looking, scoreOf, expected: null };
  const against = ODDS.flatMap(({ code, odds, holds }) =>
    odds !== undefined && holds(counted) ? [{ code, odds }] : [],
  );
  const expected = expectedValue({
    ...counted,
    unpaid: scoreOf('unpaid').score,
    against: against.find(({ odds }) => odds === 'none') ?? against[0],
  });
  return { ...counted, expected };
}

/** The largest of the scores, not their product: several kinds must not pass the ceiling of one. */
function scoreRule(code: string, light: Signal, kinds: readonly ScoredKind[], least: number, says: string): Rule {
  return {
    code,
    light,
    when: `marks of kind ${kinds.join(' or ')} score ${least} or more: they say ${says}`,
    holds: ({ scoreOf }) => kinds.some((kind) => scoreOf(kind).score >= least),
    text: ({ scoreOf }) => {
      const marks = kinds.reduce((sum, kind) => sum + scoreOf(kind).marks, 0);
      return `${marks === 1 ? '1 mark says' : `${marks} marks say`} ${says}.`;
    },
  };
}

/** Squatting is shown where the public waits: six hours in which neither a mark nor a refresh brought evidence. */
function isHeldLong({ isPublicVenue, othersLive, marks, nowMs }: Counted): boolean {
  const sinceMs = nowMs - STALE_HOLD_MS;
  if (!isPublicVenue || marks.some(({ mark }) => mark.evidence !== null && mark.atMs >= sinceMs)) return false;
  return othersLive.some((lease) => lease.sinceMs < sinceMs && (lease.evidenceAtMs ?? 0) < sinceMs);
}

/** As a shared claim with these slots would be told; the caller's own lease is no reason to wait. */
function waitMsOf({ othersLive, holding, slots, leases, turnsMs, nowMs }: Counted): number {
  if (othersLive.some(({ mode }) => isExclusive(mode))) return latest(othersLive) - nowMs;
  const lapsed = leases.filter((lease) => isInClearance(lease, nowMs));
  if (lapsed.length > 0) return latest(lapsed) - nowMs;
  if (turnsMs > 0 || holding < slots) return turnsMs;
  const ends = othersLive.map((lease) => lease.expiresAtMs).toSorted((a, b) => a - b);
  return (ends[holding - slots] as number) - nowMs;
}

function latest(leases: readonly Lease[]): number {
  return Math.max(...leases.map(freeAtMs));
}

function agents(many: number): string {
  return many === 1 ? '1 other agent holds' : `${many} other agents hold`;
}
