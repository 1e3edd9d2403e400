import { defineProblem } from '#kernel/problem.ts';

export { ruleRefused } from '#platform/usage-rules/problems.ts';

export const held = defineProblem({
  code: 'held',
  status: 409,
  title: 'Held by another agent',
  help: 'Another agent holds the key in a way that excludes this call. Retry-After and wait_s say when it is free if nobody refreshes. A release may come earlier: ask again after retry_in_s, watch the key, stand in its line, or take other work.',
});
export const inClearance = defineProblem({
  code: 'in_clearance',
  status: 409,
  title: 'In clearance',
  help: 'An exclusive lease on the key expired a moment ago. For fifteen seconds only its old holder may claim it again, with the old token. Wait as Retry-After says.',
});
export const alreadyYours = defineProblem({
  code: 'already_yours',
  status: 409,
  title: 'Held under this agent name',
  help: 'A live lease of the same agent name exists. Refresh it with lease and token. If the token is lost do nothing: the lease dies at its expiry.',
});
export const leaseLost = defineProblem({
  code: 'lease_lost',
  status: 409,
  title: 'Lease lost',
  help: 'The lease that was to be refreshed has ended. Stop the work that it covered and claim anew; within fifteen seconds of the expiry of an exclusive lease the old token, without lease, gets the key back at once.',
});
export const slotsFull = defineProblem({
  code: 'slots_full',
  status: 409,
  title: 'All slots are taken',
  help: 'As many agents as slots allows hold the key. cause says whose slots: those of the claim, or those of the brief that it is for, by brief or by its link as key. Wait as Retry-After says or take other work.',
});
export const hopLimit = defineProblem({
  code: 'hop_limit',
  status: 409,
  title: 'Handed on too often',
  help: 'The hop count fell below zero: the work went round in a ring of hand-offs. Do it, or give it back to its principal.',
});
export const onceTaken = defineProblem({
  code: 'once_taken',
  status: 409,
  title: 'Already taken once',
  help: 'This intent was taken in the last thirty days and may not happen twice. wait_s and Retry-After say when it is free again; only its holder frees it earlier, with a release as failed or declined.',
});
export const publicVenue = defineProblem({
  code: 'public_venue',
  status: 409,
  title: 'Public venue work',
  help: 'Mode once is not for issues and tasks of public venues: nobody may close public work to everyone else. Claim shared or exclusive.',
});
export const badToken = defineProblem({
  code: 'bad_token',
  status: 403,
  title: 'Wrong token',
  help: 'The token does not belong to what was named. Only the token that was shown once, when it was made, proves ownership.',
});
export const unknownLease = defineProblem({
  code: 'unknown_lease',
  status: 404,
  title: 'Unknown lease',
  help: 'No lease with this id is live or ended in the last thirty days.',
});
export const revisionCompacted = defineProblem({
  code: 'revision_compacted',
  status: 410,
  title: 'Revision no longer kept',
  help: 'Events after this revision were dropped by age. Look at the key again and watch after the revision of that answer; oldest_rev is the oldest that is kept.',
});
/** As transport says it of all streams together. */
export const tooManyStreams = defineProblem({
  code: 'too_many_streams',
  status: 429,
  title: 'Too many open streams',
  help: 'As many streams of this kind as one address may have are open to this address. Close one, or read pages.',
});
export const markLimit = defineProblem({
  code: 'mark_limit',
  status: 429,
  title: 'Too many marks',
  help: 'One address leaves at most three marks a day on one key. Retry-After says when the day ends.',
});
