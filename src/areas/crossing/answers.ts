import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { Refusal, withMembers } from '#kernel/problem.ts';
import { softRuleOf } from '#platform/usage-rules/soft-rules.ts';
import { type GivenKey, shownKey } from './fields.ts';
import { CLEARANCE_WORDS } from './lease/clearance.ts';
import type { Lease } from './lease/lease.ts';
import { MAX_SHOWN } from './look/look-service.ts';
import type { MarkAnswer, MarkInput } from './mark/mark-operation.ts';
import { halfLifeMs, markWeight, weightReasons } from './mark/mark-weight.ts';
import type { ClaimInput, LeaseAnswer, ReleaseAnswer } from './operations.ts';
import * as problems from './problems.ts';
import type {
  ClaimGranted,
  ClaimRefusalCode,
  ClaimRefused,
  KeyRefused,
  MarkResult,
  ReleaseResult,
  SlotCap,
} from './state.ts';
import { MAX_QUEUED_ATTEMPT, retryInSeconds } from './lease/wait-hint.ts';

const REFUSALS = {
  held: [problems.held, 'Another agent holds this work key.'],
  in_clearance: [problems.inClearance, CLEARANCE_WORDS.grace_period],
  already_yours: [
    problems.alreadyYours,
    'This agent name already holds a lease on this work key. Do not wait: renew it by claiming again with lease and token.',
  ],
  lease_lost: [
    problems.leaseLost,
    'This lease has ended. Claim again; within 15 s of the expiry, send the old token without lease.',
  ],
  slots_full: [problems.slotsFull, 'As many agents hold this work key as the slots of this claim allow.'],
  hop_limit: [problems.hopLimit, 'The hop count is below zero. Do the work yourself or return it; do not hand it on.'],
  once_taken: [
    problems.onceTaken,
    'This intent was claimed in the last 30 days. It may be done, in progress, or left without an outcome. Do not do it again.',
  ],
  public_venue: [problems.publicVenue, 'Mode once is not allowed for public work keys. Use shared or exclusive.'],
} as const satisfies Record<ClaimRefusalCode, readonly [{ status: number }, string]>;

export function leaseAnswer(
  { key: keys, ttl }: ClaimInput,
  result: ClaimGranted,
  token: string | null,
): z.output<typeof LeaseAnswer> {
  const { lease } = result;
  const leftMs = lease.expiresAtMs - result.atMs;
  return {
    ...shownKey(givenAs(keys, lease.key)),
    lease: lease.id,
    token,
    fence: lease.fence,
    mode: lease.mode,
    ttl_s: ttl,
    expires_at: isoTime(lease.expiresAtMs),
    expires_in_s: leftMs / 1_000,
    refresh_by_s: leftMs / 2_000,
    intent: lease.intent,
    hops: lease.hops,
    position: result.position,
    others: result.otherAgents,
    repeated: result.outcome === 'repeated',
    refreshed: result.outcome === 'refreshed',
    rev: result.rev,
    at: isoTime(result.atMs),
  };
}

function givenAs(keys: readonly GivenKey[], canonical: string): GivenKey {
  const found = keys.find(({ key }) => key === canonical);
  if (found === undefined) throw new Error('an answer names a key that was not asked for');
  return found;
}

const FULL_BY: Readonly<Record<SlotCap['cause'], string>> = {
  slots: REFUSALS.slots_full[1],
  brief: 'As many agents hold this work key as the slots of the brief allow.',
  limit: 'As many agents hold this work key as can share one.',
};

function wordsOf({ code, cap, clearance }: ClaimRefused): string {
  if (cap !== undefined) return FULL_BY[cap.cause];
  return clearance === undefined ? REFUSALS[code][1] : CLEARANCE_WORDS[clearance];
}

const FREE_LATER = (waitSeconds: number) => ` Try again in ${waitSeconds} s at the latest, or take other work.`;

/** What waiting is good for. */
const ADVICE: Partial<Record<ClaimRefusalCode, (waitSeconds: number) => string>> = {
  held: FREE_LATER,
  in_clearance: FREE_LATER,
  slots_full: FREE_LATER,
  already_yours: (waitSeconds) => ` Only without the token, try again in ${waitSeconds} s.`,
};

/** Refusals that only time ends: asking before it is in vain. Of all others a release may be the end at any moment. */
const ENDED_BY_TIME: ReadonlySet<ClaimRefusalCode> = new Set(['once_taken']);

/** The refusal of one claim; `refused` are all refused keys of its batch, without each of which it is not granted. */
export function refusal(input: ClaimInput, result: ClaimRefused, refused: readonly KeyRefused[] = [result]): Refusal {
  const [type] = REFUSALS[result.code];
  const { key, own, queue, cap, clearance } = result;
  const { waitSeconds, leastSeconds } = waitOf(refused);
  const advice = waitSeconds > 0 ? (ADVICE[result.code]?.(waitSeconds) ?? '') : '';
  const detail = `${wordsOf(result)}${advice}`;
  const attempt = queue === undefined ? input.attempt : Math.min(input.attempt, MAX_QUEUED_ATTEMPT);
  const retryIn = retryInSeconds({ key, agent: input.agent, attempt, waitSeconds, leastSeconds });
  const secondsLeft = (lease: Lease) => (lease.expiresAtMs - result.atMs) / 1_000;
  const newest = result.holders.at(-1) ?? own;
  return new Refusal(type, {
    detail,
    // Who stands in the line loses its place by waiting for longer than it is kept.
    ...(waitSeconds > 0 && { retryAfterSeconds: queue === undefined ? waitSeconds : Math.ceil(retryIn) }),
    members: {
      ...shownKey(givenAs(input.key, key)),
      mode: input.mode,
      holders: result.holders.slice(0, MAX_SHOWN).map((lease) => ({
        source: 'agent',
        agent: lease.agent,
        mode: lease.mode,
        expires_in_s: secondsLeft(lease),
      })),
      ...cap,
      ...(clearance !== undefined && { cause: clearance }),
      ...(own !== undefined && { lease: own.id, expires_in_s: secondsLeft(own) }),
      wait_s: waitSeconds,
      retry_in_s: Math.ceil(retryIn * 1_000) / 1_000,
      ...(queue !== undefined && { queue: { position: queue.position, keep_alive_s: queue.keepAliveMs / 1_000 } }),
      fence: newest?.fence ?? null,
      rev: result.rev,
      at: isoTime(result.atMs),
    },
  });
}

/** The refusal of the first refused key, with what is to be known of the others. */
export function batchRefusal(input: ClaimInput, results: readonly [ClaimRefused, ...KeyRefused[]]): Refusal {
  const refused = results.map(({ key, code, waitMs }) => ({ key, code, wait_s: Math.ceil(waitMs / 1_000) }));
  return withMembers(refusal(input, results[0], results), { refused });
}

/** How long these refusals last together, at the latest and at the least; nothing where waiting does not help with one. */
function waitOf(results: readonly KeyRefused[]): { waitSeconds: number; leastSeconds: number } {
  if (results.some(({ waitMs }) => waitMs === 0)) return { waitSeconds: 0, leastSeconds: 0 };
  const longest = (ones: readonly KeyRefused[]) => Math.ceil(Math.max(0, ...ones.map(({ waitMs }) => waitMs)) / 1_000);
  const leastSeconds = longest(results.filter(({ code }) => ENDED_BY_TIME.has(code)));
  return { waitSeconds: longest(results), leastSeconds };
}

export function releaseAnswer(
  result: ReleaseResult,
  note: string | undefined,
): z.output<typeof ReleaseAnswer> | Refusal {
  switch (result.outcome) {
    case 'bad_token':
      return refusedToken();
    case 'unknown_lease':
      return unknownLease();
    case 'released': {
      const { leaseId, key, releasedAtMs, releaseInfo, rev, again } = result;
      return {
        lease: leaseId,
        key,
        released: releasedAtMs !== null,
        released_at: releasedAtMs === null ? null : isoTime(releasedAtMs),
        outcome: releaseInfo.outcome,
        rev,
        log: releaseInfo.seq,
        mark_log: releaseInfo.markSeq,
        ...(releaseInfo.markRefused !== null && { mark_refused: releaseInfo.markRefused }),
        again,
        ...(releaseInfo.markSeq !== null && !again && softRuleOf(note)),
      };
    }
  }
}

export function markAnswer(
  { key, kind, note }: MarkInput,
  result: Exclude<MarkResult, { outcome: 'other_key' }>,
): z.output<typeof MarkAnswer> | Refusal {
  switch (result.outcome) {
    case 'bad_token':
      return refusedToken();
    case 'unknown_lease':
      return unknownLease();
    case 'mark_limit': {
      const retryAfterSeconds = Math.ceil(result.waitMs / 1_000);
      const detail = 'This address has left three marks on this work key today. Try again tomorrow.';
      return new Refusal(problems.markLimit, { detail, retryAfterSeconds, members: shownKey(key) });
    }
    case 'marked': {
      const { mark, repeated, atMs } = result;
      return {
        ...shownKey(key),
        kind,
        weight: markWeight(mark, atMs),
        w0_because: weightReasons(mark),
        half_life_s: halfLifeMs(kind) / 1_000,
        repeated,
        rev: mark.rev,
        log: mark.seq,
        at: isoTime(mark.atMs),
        ...softRuleOf(note),
      };
    }
  }
}

export function refusedToken(): Refusal {
  return new Refusal(problems.badToken, { detail: 'The token does not belong to this lease.' });
}

function unknownLease(): Refusal {
  return new Refusal(problems.unknownLease, {
    detail: 'This lease is neither active nor one that ended in the last 30 days.',
  });
}
