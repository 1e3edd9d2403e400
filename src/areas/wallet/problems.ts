import { defineProblem } from '#kernel/problem.ts';

export const scopeRestricted = defineProblem({
  code: 'scope_restricted',
  status: 403,
  title: 'Scope requires the operator',
  help: 'Only the operator grants this scope, one key at a time. Leave it out and register again. Nothing was created.',
});
export const signatureInvalid = defineProblem({
  code: 'signature_invalid',
  status: 400,
  title: 'Signature not valid',
  help: 'The signature does not match the key and the signed content, or it was made too long ago. Nothing was stored.',
});
export const topUpNotFound = defineProblem({
  code: 'topup_not_found',
  status: 404,
  title: 'Top-up not found',
  help: 'This wallet has no top-up with this id. Check the id.',
});
export const notSettled = defineProblem({
  code: 'not_settled',
  status: 503,
  title: 'Not settled yet',
  help: 'The event depends on an earlier one that has not arrived, so it could not be settled. Send it again later. Nothing was stored.',
});

export { paymentsNotConfigured, processorUnavailable, tooManyTopUps } from '#platform/ledger/problems.ts';
