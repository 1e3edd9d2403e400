import { hashOfSecret } from '#kernel/api-key.ts';
import { type ProblemType, Refusal } from '#kernel/problem.ts';
import * as problems from './problems.ts';
import type { MandateRefusal } from './state.ts';

const REFUSALS = {
  key_invalid: [problems.keyInvalid, 'this key is unknown or was revoked'],
  control_invalid: [problems.keyInvalid, 'this is not the control token of the mandate'],
  suspended: [problems.suspended, 'this platform is suspended'],
  mandate_not_found: [problems.mandateNotFound, 'no mandate has this id'],
  verify_ref_not_found: [problems.verifyRefNotFound, 'no verification of this platform has this reference'],
  idempotency_conflict: [problems.idempotencyConflict, 'this key was used for another request'],
  not_narrower: [problems.notNarrower, 'the list has a platform that the mandate does not allow'],
  platform_known: [problems.platformKnown, 'the mandate is open to all platforms, or the principal named this one'],
  nonce_reused: [problems.nonceReused, 'this nonce was signed before'],
  payload_mismatch: [problems.payloadMismatch, 'another payload was verified'],
  amount_exceeds_verified: [problems.amountExceedsVerified, 'less was verified, or less is left'],
  too_many_keys: [problems.tooManyKeys, 'two keys are live'],
  last_key: [problems.lastKey, 'this is the only live key'],
  key_not_found: [problems.keyNotFound, 'this platform has no key of this id'],
  registrations_exceeded: [problems.registrationsExceeded, 'ten platforms came from this address in an hour'],
} as const satisfies Record<MandateRefusal, readonly [ProblemType, string]>;

export function mandateRefusal(code: MandateRefusal, retryAfterMs?: number): Refusal {
  const [type, detail] = REFUSALS[code];
  const retry = retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
  return new Refusal(type, { detail, ...retry });
}

export function hashOfKey(apiKey: string | undefined): string | Refusal {
  return hashOfSecret(apiKey, 'amhk_', 'send the key of the platform as X-AMH-Key');
}

export function hashOfControl(token: string | undefined): string | Refusal {
  return hashOfSecret(token, 'amhm_', 'send the control token as X-AMH-Control, or principal_signature');
}
