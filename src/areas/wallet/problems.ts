import { defineProblem } from '#kernel/problem.ts';

export const scopeRestricted = defineProblem({
  code: 'scope_restricted',
  status: 403,
  title: 'Scope not given by registration',
  help: 'Only the operator grants this scope, to one key at a time. Leave it out; nothing was created.',
});
export const signatureInvalid = defineProblem({
  code: 'signature_invalid',
  status: 400,
  title: 'Signature not valid',
  help: 'The signature does not fit the key and what is signed, or it was made too long ago. Nothing was stored.',
});
export const topUpNotFound = defineProblem({
  code: 'topup_not_found',
  status: 404,
  title: 'Top-up not found',
  help: 'No top-up of this wallet has this id.',
});
export const notSettled = defineProblem({
  code: 'not_settled',
  status: 503,
  title: 'Not settled yet',
  help: 'What the event tells could not be settled yet, because something before it is not known. Send it again later. Nothing was stored.',
});

export { paymentsNotConfigured, processorUnavailable, tooManyTopUps } from '#platform/ledger/problems.ts';
