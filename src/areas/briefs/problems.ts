import { defineProblem } from '#kernel/problem.ts';

/** The same as of a claim: the key is held. */
export const held = defineProblem({
  code: 'held',
  status: 409,
  title: 'Held by another agent',
  help: 'Another agent holds the work key in a way that excludes this call. Retry-After and wait_s say when it is free if nobody renews the lease. It may be released earlier: watch the work key. A claim can also try again after retry_in_s, join the queue, or take other work.',
});
/** The same as of a lease. */
export const badToken = defineProblem({
  code: 'bad_token',
  status: 403,
  title: 'Wrong token',
  help: 'The token does not belong to what you named. Only the token that was shown once, at creation, proves ownership.',
});
export const briefClosed = defineProblem({
  code: 'brief_closed',
  status: 409,
  title: 'Brief already closed',
  help: 'A closed brief cannot change. Create a new one.',
});
export const keyCrowded = defineProblem({
  code: 'key_crowded',
  status: 409,
  title: 'Too many briefs here',
  help: 'A hundred briefs already name this work key. Leave out key: the brief then gets its own work key, its link.',
});
export const unknownBrief = defineProblem({
  code: 'unknown_brief',
  status: 404,
  title: 'Unknown brief',
  help: 'No such brief is stored. A brief is deleted 30 days after it was closed or expired, and 180 days after its last change if it does not expire.',
});
