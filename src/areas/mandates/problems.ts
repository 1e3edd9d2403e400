import { defineProblem } from '#kernel/problem.ts';

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
  help: 'The operator suspended this platform. It may only seal verifications whose hold is still open.',
});
export const mandateNotFound = defineProblem({
  code: 'mandate_not_found',
  status: 404,
  title: 'Mandate not found',
  help: 'No mandate of this installation has this id.',
});
export const verifyRefNotFound = defineProblem({
  code: 'verify_ref_not_found',
  status: 404,
  title: 'Verification not found',
  help: 'No verification has this reference, or it belongs to another platform.',
});
export const keyNotFound = defineProblem({
  code: 'key_not_found',
  status: 404,
  title: 'Key not found',
  help: 'This platform has no key of this id.',
});
export const signatureInvalid = defineProblem({
  code: 'signature_invalid',
  status: 400,
  title: 'Signature not valid',
  help: 'The Ed25519 signature does not fit the key and the canonical JSON of what is signed. Nothing was stored.',
});
export const nonceReused = defineProblem({
  code: 'nonce_reused',
  status: 409,
  title: 'Nonce used before',
  help: 'The principal has signed with this nonce before. Sign again with a fresh one.',
});
export const idempotencyConflict = defineProblem({
  code: 'idempotency_conflict',
  status: 409,
  title: 'Idempotency-Key used for something else',
  help: 'The key belongs to another request, or to another payer. Use a new key for a new request. Nothing was sealed or charged for this call.',
});
export const transitionInvalid = defineProblem({
  code: 'transition_invalid',
  status: 409,
  title: 'Outcome does not follow',
  help: 'The outcome cannot follow the state of the handshake; allowed lists those that can. Nothing was changed.',
});
export const amountExceedsVerified = defineProblem({
  code: 'amount_exceeds_verified',
  status: 409,
  title: 'More than was verified',
  help: 'The final amount is above the verified one, or raises a committed amount above what the mandate still allows. Verify the difference first.',
});
export const payloadMismatch = defineProblem({
  code: 'payload_mismatch',
  status: 409,
  title: 'Another payload',
  help: 'The payload hash is not the one that was verified.',
});
export const tooManyKeys = defineProblem({
  code: 'too_many_keys',
  status: 409,
  title: 'Too many keys',
  help: 'A platform has at most two live keys. Revoke one first.',
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
  help: 'At most ten platforms are registered from one address in an hour. Wait as Retry-After says.',
});
