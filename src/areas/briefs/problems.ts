import { defineProblem } from '#kernel/problem.ts';

/** The same as of a claim: the key is held. */
export const held = defineProblem({
  code: 'held',
  status: 409,
  title: 'Held by another agent',
  help: 'Another agent holds the key in a way that excludes this call. Retry-After and wait_s say when it is free if nobody refreshes. A release may come earlier: ask again after retry_in_s, watch the key, stand in its line, or take other work.',
});
/** The same as of a lease. */
export const badToken = defineProblem({
  code: 'bad_token',
  status: 403,
  title: 'Wrong token',
  help: 'The token does not belong to what was named. Only the token that was shown once, when it was made, proves ownership.',
});
export const briefClosed = defineProblem({
  code: 'brief_closed',
  status: 409,
  title: 'The brief is closed',
  help: 'A closed brief does not change. Make a new one.',
});
export const keyCrowded = defineProblem({
  code: 'key_crowded',
  status: 409,
  title: 'Too many briefs on this key',
  help: 'A hundred briefs name this key. Leave out key: the brief then has a key of its own, its link.',
});
export const unknownBrief = defineProblem({
  code: 'unknown_brief',
  status: 404,
  title: 'Unknown brief',
  help: 'No such brief is stored. A brief is deleted thirty days after it was closed or expired, and 180 days after its last change where it does not expire.',
});
