import { type ApiKeyPrefix, apiKeyForm, tokenHash } from './ids.ts';
import { defineProblem, Refusal } from './problem.ts';

export const keyMissing = defineProblem({
  code: 'key_missing',
  status: 401,
  title: 'Key missing',
  help: "This call needs an API key. Send it in the header that the operation's description names.",
});
export const keyMalformed = defineProblem({
  code: 'key_malformed',
  status: 401,
  title: 'Key malformed',
  help: 'Avouch cannot have issued this key: its format or its checksum is wrong. Check for a typo.',
});
export const keyInvalid = defineProblem({
  code: 'key_invalid',
  status: 401,
  title: 'Key not valid',
  help: 'The key is unknown or was revoked. Use an active key.',
});
export const keyConflict = defineProblem({
  code: 'key_conflict',
  status: 400,
  title: 'Two different keys',
  help: 'Authorization and X-Agent-Key have different agent keys. Send one of the two headers.',
});
export const suspended = defineProblem({
  code: 'suspended',
  status: 403,
  title: 'Caller suspended',
  help: 'This agent, platform or address is suspended. The response says until when, under which rule and whom to contact. You can still read, sign in, use the dashboard, renew and release leases, seal open holds, cancel, and get money back. The suspension of an address lasts 5 minutes, doubled each time on the same UTC day, at most until that day ends. It does not affect calls with a valid key.',
});
export const keyNotFound = defineProblem({
  code: 'key_not_found',
  status: 404,
  title: 'Key not found',
  help: 'The caller has no key with this id.',
});
export const tooManyKeys = defineProblem({
  code: 'too_many_keys',
  status: 409,
  title: 'Too many keys',
  help: 'At most two keys can be active at a time. Revoke one first.',
});
export const lastKey = defineProblem({
  code: 'last_key',
  status: 409,
  title: 'Cannot revoke the last key',
  help: 'The last active key cannot revoke itself. Create another key first.',
});
export const registrationsExceeded = defineProblem({
  code: 'registrations_exceeded',
  status: 429,
  title: 'Too many registrations',
  help: 'One address can register at most ten agents and ten platforms per hour. Try again after the time in Retry-After.',
});

/** Where an agent sends its key. */
export const AGENT_KEY_HEADER = 'x-agent-key';

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
    return new Refusal(keyMalformed, { detail: `A key of this kind is ${prefix} followed by 49 characters.` });
  }
  return tokenHash(secret);
}
