import { defineProblem } from './problem.ts';

export const idempotencyConflict = defineProblem({
  code: 'idempotency_conflict',
  status: 409,
  title: 'Idempotency-Key already used',
  help: 'This Idempotency-Key belongs to a different request or to another payer. Use a new key for a new request. Nothing was sealed or charged for this call.',
});
export const idempotencyInFlight = defineProblem({
  code: 'idempotency_in_flight',
  status: 409,
  title: 'Call still running',
  help: 'A call with this Idempotency-Key is still running. Repeat it after a moment to get its response.',
});
