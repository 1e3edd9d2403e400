import { defineProblem } from '#kernel/problem.ts';

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
export const tooManyTopUps = defineProblem({
  code: 'too_many_topups',
  status: 409,
  title: 'Too many open top-ups',
  help: 'At most ten top-ups of a wallet are open at a time. Pay one, or wait until one expires; GET /api/agents/wallet lists them.',
});
export const processorUnavailable = defineProblem({
  code: 'processor_unavailable',
  status: 502,
  title: 'Card processor unavailable',
  help: 'The card processor gave no usable answer. No money moved. topup_id names the top-up; repeat the call with the same Idempotency-Key to go on with it.',
});
export const notSettled = defineProblem({
  code: 'not_settled',
  status: 503,
  title: 'Not settled yet',
  help: 'What the event tells could not be settled yet, because something before it is not known. Send it again later. Nothing was stored.',
});
export const paymentsNotConfigured = defineProblem({
  code: 'payments_not_configured',
  status: 503,
  title: 'Card payments are off',
  help: 'This installation takes no card payments. Nothing was stored.',
});
