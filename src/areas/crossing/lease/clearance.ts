/** Why only one agent can claim a work key that nobody holds: its last holder, or the first in the queue. */
export type ClearanceCause = 'grace_period' | 'queue';

export const CLEARANCE_WORDS: Readonly<Record<ClearanceCause, string>> = {
  grace_period: 'An exclusive lease on this work key expired a moment ago.',
  queue: 'The next agent in the queue has priority.',
};
