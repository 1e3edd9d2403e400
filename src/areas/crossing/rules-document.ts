import { DAY_MS } from '#kernel/clock.ts';
import type { ProblemType } from '#kernel/problem.ts';
import { MARK_KINDS, type MarkKind } from '#protocol/attestation/leaf-entry.ts';
import { canonicalKey } from '#protocol/work-key.ts';
import { CLEARANCE_MS, LEASE_MODES, MAX_SHARED_LEASES, ONCE_MS } from './lease/lease.ts';
import { STALE_HOLD_MS, LIGHT_REASONS } from './look/light.ts';
import { REMEMBERED_MS } from './look/recent-viewers.ts';
import { MARKS_PER_DAY } from './mark/mark.ts';
import { FADED_WEIGHT, freshWeight, halfLifeMs, MAX_WEIGHT, SIGNED_FACTOR } from './mark/mark-weight.ts';
import * as problems from './problems.ts';
import { FIRST_BACKOFF_SECONDS, MAX_BACKOFF_SECONDS, MAX_QUEUED_ATTEMPT, retryInSeconds } from './lease/wait-hint.ts';

const KEY_EXAMPLES = [
  'gh:Acme/Repo#12',
  'https://github.com/acme/repo/pull/12/files',
  'acme/repo/issues/12.',
  'https://app.example/#!/task/1',
  'HTTP://www.Example.com//api/?utm_source=x&b=2&a=1',
  'gitlab.com/acme/tool/-/work_items/7',
  '  quarterly   report ',
];
const MARK_MEANINGS: Readonly<Record<MarkKind, string>> = {
  done: 'the work was done',
  paid: 'the work was done and paid',
  failed: 'an attempt failed',
  unpaid: 'delivered work was not paid',
  dead: 'the endpoint does not respond',
  blocked: 'the work cannot be done as described',
  declined: 'an agent declined the work',
  note: 'a remark, which does not change the signal',
};
const REFUSALS: readonly (readonly [problem: ProblemType, waitingHelps: boolean])[] = [
  [problems.held, true],
  [problems.slotsFull, true],
  [problems.inClearance, true],
  [problems.onceTaken, true],
  [problems.alreadyYours, false],
  [problems.leaseLost, false],
  [problems.hopLimit, false],
  [problems.publicVenue, false],
  [problems.badToken, false],
  [problems.ruleRefused, false],
  [problems.revisionCompacted, false],
  [problems.unknownLease, false],
  [problems.markLimit, true],
  [problems.tooManyStreams, false],
];
const REFUSED = { key: 'https://example.com/offer', agent: 'agent-1', attempt: 2, waitSeconds: 600 };

/** The rules of crossing as data, from the tables that decide. */
export const CROSSING_RULES_DOCUMENT = {
  key_rules: {
    steps: [
      'Unicode NFC. Control characters and invisible characters are removed, spaces are collapsed and trimmed, one trailing dot or comma is removed.',
      'gh:owner/repository#number, owner/repository/issues/number, and GitHub addresses of issues and pull requests become one issue address in lower case.',
      'Issues and merge requests on hosts known to run GitLab become one address in lower case, without what follows the number.',
      'Any other http or https address: https, host in lower case without www and default port, repeated slashes collapsed, no trailing slash, tracking parameters removed, the other parameters sorted, escapes of unreserved characters decoded. A fragment stays if it may be a route: with a slash, an equals sign or a leading exclamation mark.',
      'Anything else stays as it is, with at most 512 characters.',
    ],
    examples: KEY_EXAMPLES.map((given) => ({ given, key: keyOf(given) })),
  },
  lease: {
    modes: [...LEASE_MODES],
    clearance_s: CLEARANCE_MS / 1_000,
    once_days: ONCE_MS / DAY_MS,
    shared_leases_per_key: MAX_SHARED_LEASES,
    look_memory_s: REMEMBERED_MS / 1_000,
    held_long_s: STALE_HOLD_MS / 1_000,
    fence: 'The revision of the grant. It grows with every grant and stays the same when a lease is renewed.',
  },
  signals: LIGHT_REASONS,
  marks: {
    kinds: MARK_KINDS.map((kind) => ({
      kind,
      meaning: MARK_MEANINGS[kind],
      half_life_days: halfLifeMs(kind) / DAY_MS,
    })),
    weights: {
      plain: freshWeight({ evidence: null, leased: false, identity: null }),
      with_lease_or_evidence: freshWeight({ evidence: null, leased: true, identity: null }),
      with_both: freshWeight({ evidence: '', leased: true, identity: null }),
      factor_if_signed: SIGNED_FACTOR,
      at_most: MAX_WEIGHT,
      faded_below: FADED_WEIGHT,
    },
    per_key_and_address_and_day: MARKS_PER_DAY,
    undo: 'A mark cannot be undone. It fades.',
  },
  refusals: REFUSALS.map(([{ code, status, help }, waitingHelps]) => ({
    code,
    status,
    meaning: help,
    waiting_helps: waitingHelps,
  })),
  wait_formula: {
    text: `retry_in_s = min(wait_s, b + b * j) with b = min(${MAX_BACKOFF_SECONDS}, ${FIRST_BACKOFF_SECONDS} * 2^attempt) and j = the first 8 hex digits of sha256(key|agent|attempt) divided by 2^32; in a queue an attempt above ${MAX_QUEUED_ATTEMPT} counts as ${MAX_QUEUED_ATTEMPT}; with once_taken retry_in_s = wait_s`,
    example: {
      key: REFUSED.key,
      agent: REFUSED.agent,
      attempt: REFUSED.attempt,
      wait_s: REFUSED.waitSeconds,
      retry_in_s: retryInSeconds(REFUSED),
    },
  },
} as const;

function keyOf(given: string): string {
  const canonical = canonicalKey(given);
  if (!canonical.ok) throw new Error(`${given} is not an example of a work key`);
  return canonical.key;
}
