import { signedBy } from '#kernel/identity.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { parseMicro } from '#kernel/money.ts';
import type { Call } from '#kernel/operation.ts';
import { softRuleOf } from '#platform/usage-rules/soft-rules.ts';
import { shownKey } from '../fields.ts';
import type { AroundKey } from './around-key.ts';
import type { KeyFacts } from './key-facts.ts';
import { isLive, type Lease } from '../lease/lease.ts';
import { lightOf } from './light.ts';
import type { RecentViewers } from './recent-viewers.ts';
import type { LightAnswer, LookInput } from './look-operations.ts';
import type { WeighedMark } from '../mark/mark-score.ts';
import type { KeyProbes } from './probes.ts';
import { retryInSeconds } from '../lease/wait-hint.ts';

export interface LooksOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly headAndKey: (
    key: string,
  ) => Promise<{ readonly rev: number; readonly atMs: number; readonly sameSince: number }>;
  readonly facts: KeyFacts;
  readonly lookers: RecentViewers;
  readonly probes: KeyProbes;
  readonly aroundKey: AroundKey;
}

/** Holders, and marks, that an answer lists. */
export const MAX_SHOWN = 20;

/** Answers looks from the rows as they are; takes no lease and makes no event. */
export class LookService {
  readonly #options: LooksOptions;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  async look(input: LookInput, call: Pick<Call, 'isPrefetch' | 'addressTag'>): Promise<LightAnswer> {
    const { clock, facts, lookers, probes, aroundKey } = this.#options;
    const { key } = input.key;
    // The revision first: what is read after it is at least as new, so that watching from it misses nothing.
    const { rev, atMs, sameSince } = await this.#options.headAndKey(key);
    const nowMs = Math.max(clock.now(), atMs);
    const isAsked = call.isPrefetch !== true;
    const caller = { agent: input.agent ?? '', proof: call.addressTag };
    const [ofKey, { venue, brief, noVenue }, probe] = await Promise.all([
      facts.of({ key, rev, sameSince, nowMs, caller }),
      aroundKey(key),
      input.probe === 'yes' ? probes.probe(key, isAsked) : null,
    ]);
    if (input.agent !== undefined && isAsked) lookers.remember(key, input.agent, nowMs);
    const slots = input.slots ?? 1;
    const { waitMs, ...light } = lightOf({
      ...ofKey,
      agent: input.agent,
      slots,
      venue,
      noVenue,
      probe,
      rewardMicro: micro(input.reward_usd),
      effortMicro: micro(input.effort_usd),
      successPpm: micro(input.p_success),
    });
    return {
      ...shownKey(input.key),
      signal: light.signal,
      reasons: light.reasons,
      others: light.others,
      slots,
      holders: shownHolders(ofKey.leases, nowMs),
      marks: shownMarks(ofKey.marks, nowMs),
      venue: venue?.kind === 'brief' ? { ...venue, claiming_people: light.others.holding } : venue,
      brief,
      probe,
      expected_value: light.expected_value,
      retry_in_s: waitMs === 0 ? 0 : retryIn(input, waitMs),
      rev,
      at: isoTime(nowMs),
    };
  }
}

/** Decimals with six places, of money and of probabilities alike. */
function micro(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseMicro(text) ?? undefined);
}

function retryIn({ key, agent = '', attempt }: LookInput, waitMs: number): number {
  const seconds = retryInSeconds({ key: key.key, agent, attempt, waitSeconds: Math.ceil(waitMs / 1_000) });
  return Math.ceil(seconds * 1_000) / 1_000;
}

export function shownHolders(leases: readonly Lease[], nowMs: number): LightAnswer['holders'] {
  const live = leases.filter((lease) => isLive(lease, nowMs));
  return live.slice(0, MAX_SHOWN).map(({ agent, mode, sinceMs, expiresAtMs, intent, identity }) => ({
    source: 'agent',
    agent,
    mode,
    since: isoTime(sinceMs),
    expires_in_s: (expiresAtMs - nowMs) / 1_000,
    intent,
    ...signedBy(identity),
  }));
}

export function shownMarks(marks: readonly WeighedMark[], nowMs: number): LightAnswer['marks'] {
  return marks.slice(0, MAX_SHOWN).map(({ mark, weight }) => ({
    source: 'agent',
    kind: mark.kind,
    agent: mark.agent,
    note: mark.note,
    evidence: mark.evidence,
    weight: Math.round(weight * 1_000) / 1_000,
    age_s: Math.max(0, Math.floor((nowMs - mark.atMs) / 1_000)),
    log: mark.seq,
    ...softRuleOf(mark.note),
    ...signedBy(mark.identity),
  }));
}
