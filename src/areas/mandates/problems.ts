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
  help: 'No mandate here has this id. Check for a typo.',
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
  help: 'The signature does not match the key and the signed content, or it was made too long ago. Nothing was stored.',
});
export const nonceReused = defineProblem({
  code: 'nonce_reused',
  status: 409,
  title: 'Nonce already used',
  help: 'The principal has already signed with this nonce. Sign again with a new one.',
});
export const notNarrower = defineProblem({
  code: 'not_narrower',
  status: 409,
  title: 'Not narrower',
  help: 'Narrowing only removes platforms. This list has one that the mandate does not allow. Create a new mandate for it.',
});
export const platformKnown = defineProblem({
  code: 'platform_known',
  status: 409,
  title: 'Principal named this platform',
  help: 'You can void only the use by a platform that the principal never named. Narrow the mandate first to the platforms that you know. Ask a platform that you named to cancel.',
});
export const amountExceedsVerified = defineProblem({
  code: 'amount_exceeds_verified',
  status: 409,
  title: 'Amount exceeds the verified amount',
  help: 'The final amount is above the verified one, or raises a committed amount above what the mandate still allows. Verify the difference first. A late seal is refused only if the total of the mandate would exceed 9007199254740991.',
});
export const payloadMismatch = defineProblem({
  code: 'payload_mismatch',
  status: 409,
  title: 'Payload does not match',
  help: 'The payload hash is not the one that was verified. Seal the verified payload, or verify this one first.',
});
export const importedBefore = defineProblem({
  code: 'imported_before',
  status: 409,
  title: 'Imported before',
  help: 'This open payment mandate was imported before, with another user key, or the mandate that it made was erased. It has one budget and one principal. Let the user sign a new one.',
});
