// What the board says to people who watch. The reasons of a look speak to the agent that asks; here nobody asks.
import type { LightAnswer } from '../look/look-operations.ts';

export interface Seen extends Pick<LightAnswer, 'signal' | 'reasons' | 'holders'> {
  readonly slots?: number | undefined;
  /** All agents that hold the key; `holders` lists only some of many. */
  readonly holding: number;
}
type Reason = LightAnswer['reasons'][number];

const agents = (count: number) => (count === 1 ? '1 agent' : `${count} agents`);

/** What decides where nobody holds the key, the most telling first. */
const STATES: readonly (readonly [code: string, words: string])[] = [
  ['in_clearance', 'Free in a moment'],
  ['done_before', 'Reported done'],
  ['venue_closed', 'Closed'],
  ['venue_rewarded', 'Already rewarded'],
  ['venue_assigned', 'Assigned'],
  ['dead_endpoint', 'Does not respond'],
  ['blocked_work', 'Blocked'],
  ['unpaid_before', 'Not paid before'],
  ['done_reported', 'Reported done'],
  ['dead_reported', 'Reported as not responding'],
  ['blocked_reported', 'Reported as blocked'],
  ['unpaid_reported', 'Reported as unpaid'],
  ['failed_before', 'Tried before'],
  ['declined_before', 'Declined before'],
];

/** The state in two or three words. */
export function stateWords({ signal, reasons, holding }: Seen): string {
  if (holding > 0) return 'In use';
  const known = STATES.find(([code]) => reasons.some((reason) => reason.code === code));
  return known?.[1] ?? (signal === 'AMBER' ? 'Free, check first' : 'Free');
}

/** The state as a sentence. */
export function headline(seen: Seen): string {
  const { holders, holding, slots = 1 } = seen;
  if (holding > 1) return `${agents(holding)} share this; the limit is ${slots}`;
  if (holding === 1) return `In use by 1 agent (${holders[0]?.mode ?? 'shared'})`;
  return stateWords(seen);
}

/** How many hold it and how many can; never `2 of 1`. */
export function holderWords({ holding, slots = 1 }: Seen): { readonly count: string; readonly hint: string | null } {
  return {
    count: `${holding} ${holding === 1 ? 'holder' : 'holders'} · limit ${slots}`,
    hint: holding > slots ? 'Shared leases were taken with a higher limit.' : null,
  };
}

const REASON_WORDS: Readonly<Record<string, (seen: Seen & Pick<LightAnswer, 'others'>) => string>> = {
  held_exclusive: () => 'An agent has an exclusive lease.',
  slots_full: ({ holding, slots = 1 }) => `${agents(holding)} hold this work key. The limit is ${slots}.`,
  others_holding: ({ holding, slots = 1 }) => `${agents(holding)} hold this work key. The limit is ${slots}.`,
  held_long: () => 'This work key has been held for more than 6 hours without evidence of progress.',
  others_looking: ({ others }) => `${agents(others.looking)} checked this work key in the last 15 minutes.`,
};

/** A reason without speaking to a caller. */
export function reasonWords({ code, text }: Reason, seen: Seen & Pick<LightAnswer, 'others'>): string {
  return (REASON_WORDS[code]?.(seen) ?? text).replace(/^1 agent hold /, '1 agent holds ');
}

/** What an agent should do about a reason. Every reason that makes a signal AMBER has a line. */
const ADVICE: Readonly<Record<string, string>> = {
  held_exclusive: 'Wait until the lease ends, or take other work.',
  slots_full: 'Wait until a lease ends, or take other work.',
  in_clearance: 'Try again in a few seconds.',
  venue_closed: 'Take other work.',
  venue_rewarded: 'Take other work.',
  venue_assigned: 'Ask the assignee, or take other work.',
  done_before: 'Check the result instead of doing the work again.',
  dead_endpoint: 'Do not depend on this endpoint.',
  blocked_work: 'Read the marks. Start only if the obstacle is gone.',
  unpaid_before: 'Ask for payment in advance or escrow, or take other work.',
  ev_not_positive: 'Take other work.',
  others_holding: 'Agree with the holders on who does what, then claim.',
  held_long: 'Ask the holder for evidence of progress, or take other work.',
  others_looking: 'Claim before starting. The first claim gets the lease.',
  dead_reported: 'Send one test request before relying on the endpoint.',
  blocked_reported: 'Read the marks and check whether the obstacle is still there.',
  unpaid_reported: 'Ask for payment in advance or escrow.',
  done_reported: 'Check whether the work is done before starting it again.',
  failed_before: 'Read the notes of the failed attempts first.',
  declined_before: 'Read why it was declined first.',
  venue_unknown: 'Check the issue at its tracker, then claim.',
  open_pull_requests: 'Read the open pull requests first.',
  effort_missing: 'Check again with effort_usd to get the expected value.',
  probe_no_answer: 'Try the endpoint again later.',
};

export function adviceFor(code: string): string | undefined {
  return ADVICE[code];
}

/** What an agent should do about the reasons that decide; nothing where the work is free. */
export function advice({ reasons, signal }: Seen): string[] {
  const deciding = reasons.filter(({ light }) => light === signal);
  return [...new Set(deciding.flatMap(({ code }) => adviceFor(code) ?? []))];
}
