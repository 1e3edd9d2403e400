import { type ApiKeyPrefix, apiKeyForm, tokenHash } from './ids.ts';
import { defineProblem, Refusal } from './problem.ts';

export const keyMissing = defineProblem({
  code: 'key_missing',
  status: 401,
  title: 'Key missing',
  help: 'This call needs a key. Send it in the header that the description names.',
});
export const keyMalformed = defineProblem({
  code: 'key_malformed',
  status: 401,
  title: 'Key malformed',
  help: 'The key is not one that this service could have issued: its form or its checksum is wrong. Look for a copying mistake.',
});
export const keyInvalid = defineProblem({
  code: 'key_invalid',
  status: 401,
  title: 'Key not valid',
  help: 'The key is unknown or was revoked.',
});
export const suspended = defineProblem({
  code: 'suspended',
  status: 403,
  title: 'Suspended',
  help: 'This agent, platform or address is suspended: until when, under which rule and whom to ask stand beside the code. Reading, login and cabinet, refreshing and releasing a lease, sealing an open hold, cancelling and taking money back are never refused. The suspension of an address ends after minutes and touches no call with a good key.',
});
export const keyNotFound = defineProblem({
  code: 'key_not_found',
  status: 404,
  title: 'Key not found',
  help: 'The caller has no key of this id.',
});
export const tooManyKeys = defineProblem({
  code: 'too_many_keys',
  status: 409,
  title: 'Too many keys',
  help: 'At most two keys are live at a time. Revoke one first.',
});
export const lastKey = defineProblem({
  code: 'last_key',
  status: 409,
  title: 'The last key',
  help: 'The last live key cannot revoke itself. Make another one first.',
});
export const registrationsExceeded = defineProblem({
  code: 'registrations_exceeded',
  status: 429,
  title: 'Too many registrations',
  help: 'At most ten agents and ten platforms are registered from one address in an hour. Wait as Retry-After says.',
});

/** Where a platform of the mandate handshake sends its key. */
export const PLATFORM_KEY_HEADER = 'x-amh-key';

export const LIVE_KEYS = 2;
export const REGISTRATIONS_PER_HOUR = 10;
/** Last use is shown to the minute: a write for every call would cost more than it tells. */
export const USE_STEP_MS = 60_000;

/** By the operator a caller is suspended without end, under the rule for all that is not allowed. */
const BY_OPERATOR = { until: null, rule: 'forbidden_until_clarified' };

/** The refusal of a suspended caller: when it ends, under which usage rule it is, and whom to ask. */
export function refuseSuspended(
  detail: string,
  contact: string,
  suspension: { readonly until: string | null; readonly rule: string } = BY_OPERATOR,
): Refusal {
  return new Refusal(suspended, { detail, members: { ...suspension, contact } });
}

/** What a key is found by; a key that nobody was given is refused without a look at the database. */
export function hashOfSecret(secret: string | undefined, prefix: ApiKeyPrefix, missing: string): string | Refusal {
  if (secret === undefined) return new Refusal(keyMissing, { detail: missing });
  if (!secret.startsWith(prefix) || apiKeyForm(secret) !== 'ok') {
    return new Refusal(keyMalformed, { detail: `a key of this kind is ${prefix} and 49 characters` });
  }
  return tokenHash(secret);
}
