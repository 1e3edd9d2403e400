import { defineProblem } from '#kernel/problem.ts';

export {
  keyInvalid,
  keyMalformed,
  keyMissing,
  keyNotFound,
  lastKey,
  registrationsExceeded,
  suspended,
  tooManyKeys,
} from '#kernel/api-key.ts';
export { idempotencyConflict } from '#kernel/idempotency.ts';
export { transitionInvalid } from '#kernel/transition.ts';

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
export const signatureInvalid = defineProblem({
  code: 'signature_invalid',
  status: 400,
  title: 'Signature not valid',
  help: 'The signature does not fit the key and what is signed, or it was made too long ago. Nothing was stored.',
});
export const nonceReused = defineProblem({
  code: 'nonce_reused',
  status: 409,
  title: 'Nonce used before',
  help: 'The principal has signed with this nonce before. Sign again with a fresh one.',
});
export const notNarrower = defineProblem({
  code: 'not_narrower',
  status: 409,
  title: 'Not narrower',
  help: 'Narrowing only takes platforms away; this list has one that the mandate does not allow. Give a new mandate for it.',
});
export const platformKnown = defineProblem({
  code: 'platform_known',
  status: 409,
  title: 'Platform named by the principal',
  help: 'Only what a platform that the principal never named has taken can be voided. Narrow the mandate to the platforms that you know first; ask one that you named to cancel.',
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
