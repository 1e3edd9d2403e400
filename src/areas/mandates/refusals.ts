import { hashOfSecret } from '#kernel/api-key.ts';
import { type ProblemType, Refusal } from '#kernel/problem.ts';
import * as problems from './problems.ts';
import type { MandateRefusal } from './state.ts';

const REFUSALS = {
  key_invalid: [problems.keyInvalid, 'This key is unknown or was revoked.'],
  control_invalid: [problems.keyInvalid, "This is not the mandate's control token."],
  suspended: [problems.suspended, 'This platform is suspended.'],
  mandate_not_found: [problems.mandateNotFound, 'No mandate has this id.'],
  verify_ref_not_found: [problems.verifyRefNotFound, 'No verification by this platform has this reference.'],
  idempotency_conflict: [
    problems.idempotencyConflict,
    'This Idempotency-Key was used for a different request. Use a new one.',
  ],
  not_narrower: [problems.notNarrower, 'The list has a platform that the mandate does not allow.'],
  platform_known: [problems.platformKnown, 'The mandate is open to all platforms, or the principal named this one.'],
  imported_before: [problems.importedBefore, 'This open mandate was imported with another user_jwk.'],
  creation_erased: [
    problems.idempotencyConflict,
    'The mandate that this Idempotency-Key created was erased. Use a new one.',
  ],
  import_erased: [problems.importedBefore, 'This open mandate was imported before, and its mandate was erased.'],
  nonce_reused: [problems.nonceReused, 'This nonce was already signed. Sign again with a new one.'],
  payload_mismatch: [problems.payloadMismatch, 'A different payload was verified.'],
  amount_exceeds_verified: [
    problems.amountExceedsVerified,
    'The amount is above the verified amount, or above what is left.',
  ],
  amount_not_exact: [
    problems.amountExceedsVerified,
    `Committed and reserved together would exceed ${Number.MAX_SAFE_INTEGER}, the largest exact number. Nothing was stored.`,
  ],
  too_many_keys: [problems.tooManyKeys, 'Two keys are already active. Revoke one first.'],
  last_key: [problems.lastKey, 'This is the only active key. Create another one first.'],
  key_not_found: [problems.keyNotFound, 'This platform has no key with this id.'],
  registrations_exceeded: [
    problems.registrationsExceeded,
    'This address registered ten platforms in the last hour. Try again later.',
  ],
} as const satisfies Record<MandateRefusal, readonly [ProblemType, string]>;

export function mandateRefusal(code: MandateRefusal, retryAfterMs?: number): Refusal {
  const [type, detail] = REFUSALS[code];
  const retry = retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
  return new Refusal(type, { detail, ...retry });
}

export function hashOfKey(apiKey: string | undefined): string | Refusal {
  return hashOfSecret(apiKey, 'amhk_', "Send the platform's key as X-AMH-Key.");
}

export function hashOfControl(token: string | undefined): string | Refusal {
  return hashOfSecret(token, 'amhm_', 'Send the control token as X-AMH-Control, or principal_signature.');
}
