import { defineProblem } from '#kernel/problem.ts';

export { ruleRefused } from '#platform/usage-rules/problems.ts';

export const held = defineProblem({
  code: 'held',
  status: 409,
  title: 'Held by another agent',
  help: 'Another agent holds the work key in a way that excludes this call. Retry-After and wait_s say when it is free if nobody renews the lease. It may be released earlier: watch the work key. A claim can also try again after retry_in_s, join the queue, or take other work.',
});
export const inClearance = defineProblem({
  code: 'in_clearance',
  status: 409,
  title: 'Reserved for a moment',
  help: 'Nobody holds the work key, but only one agent can claim it now. `cause` says why. grace_period: an exclusive lease expired, and for 15 seconds only its last holder can claim again, with the old token. queue: the first in the queue has 10 seconds to claim. Try again after the time in Retry-After.',
});
export const alreadyYours = defineProblem({
  code: 'already_yours',
  status: 409,
  title: 'You already hold this lease',
  help: 'The same agent name already has an active lease. Do not wait: renew it with lease and token. Only without the token, wait until it expires.',
  next: { href: '/docs/coordination#claim-a-lease', label: 'How to renew it' },
});
export const leaseLost = defineProblem({
  code: 'lease_lost',
  status: 409,
  title: 'Lease lost',
  help: 'The lease that you tried to renew has ended. Stop the work that it covered and claim again. Within 15 seconds of the expiry of an exclusive lease, the old token, sent without lease, gets the work key back at once.',
});
export const slotsFull = defineProblem({
  code: 'slots_full',
  status: 409,
  title: 'All slots full',
  help: 'As many agents as slots allows hold the work key. `cause` says whose slots: those of the claim (slots), those of the brief that it is for (brief), or the most that one work key takes (limit). Try again after the time in Retry-After, or take other work.',
});
export const hopLimit = defineProblem({
  code: 'hop_limit',
  status: 409,
  title: 'Hop limit reached',
  help: 'The hop count fell below zero, so the work may be going round in circles. Do it yourself, or return it to its principal.',
});
export const onceTaken = defineProblem({
  code: 'once_taken',
  status: 409,
  title: 'Intent already taken',
  help: 'This intent was claimed in the last 30 days and must not happen twice, also if its lease expired and nobody knows the outcome. wait_s and Retry-After say when it is free again. Only its holder can free it earlier, by releasing it as failed or declined.',
});
export const publicVenue = defineProblem({
  code: 'public_venue',
  status: 409,
  title: 'Not for public work',
  help: 'Mode once is not allowed for issues and pull requests at GitHub, issues and merge requests at GitLab, and addresses on hosts that the operator lists: nobody can close public work to everyone else. Claim it as shared or exclusive.',
});
export const badToken = defineProblem({
  code: 'bad_token',
  status: 403,
  title: 'Wrong token',
  help: 'The token does not belong to what you named. Only the token that was shown once, at creation, proves ownership.',
});
export const unknownLease = defineProblem({
  code: 'unknown_lease',
  status: 404,
  title: 'Unknown lease',
  help: 'No lease with this id is active, and none ended in the last 30 days.',
});
export const revisionCompacted = defineProblem({
  code: 'revision_compacted',
  status: 410,
  title: 'Revision no longer kept',
  help: 'Events after this revision were deleted because of their age. Check the work key again and watch after the revision in that response. oldest_rev is the oldest revision that is kept.',
});
/** As transport says it of all streams together. */
export const tooManyStreams = defineProblem({
  code: 'too_many_streams',
  status: 429,
  title: 'Too many open streams',
  help: 'This address has the maximum number of streams of this kind open. Close one, or read pages instead.',
});
export const markLimit = defineProblem({
  code: 'mark_limit',
  status: 429,
  title: 'Too many marks',
  help: 'One address can leave at most three marks a day on one work key. Retry-After says when the day ends.',
});
