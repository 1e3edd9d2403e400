import { defineProblem } from '#kernel/problem.ts';

export const calculationNotFound = defineProblem({
  code: 'calculation_not_found',
  status: 404,
  title: 'Calculation not found',
  help: 'This agent has no calculation of this id, or it is older than 30 days.',
});
export const calculationExpired = defineProblem({
  code: 'calculation_expired',
  status: 409,
  title: 'Prices too old',
  help: 'The calculation is past its valid_until. Calculate again and order from the new calculation.',
});
export const tooManyLargeBills = defineProblem({
  code: 'too_many_large_bills',
  status: 503,
  title: 'Too many large bills at once',
  help: 'As many large bills as the service takes at once are being computed. Try again as Retry-After says. Nothing was charged.',
});
export const orderNotFound = defineProblem({
  code: 'order_not_found',
  status: 404,
  title: 'Order not found',
  help: 'This agent has no order of this id.',
});
export const totalOverLimit = defineProblem({
  code: 'total_over_limit',
  status: 409,
  title: 'Dearer than allowed',
  help: 'The goods cost more than max_total_eur of the call. Nothing was ordered.',
});
export const nothingToOrder = defineProblem({
  code: 'nothing_to_order',
  status: 409,
  title: 'Nothing to order',
  help: 'The supplier has no line of the calculation, or a line of the call has no offer of this supplier.',
});
export const supplierUnreachable = defineProblem({
  code: 'supplier_unreachable',
  status: 409,
  title: 'No way to this supplier',
  help: 'The supplier takes no orders by program and the operator has set no address for requests by mail.',
});
export const mandateDenied = defineProblem({
  code: 'mandate_denied',
  status: 403,
  title: 'Mandate does not allow it',
  help: 'The mandate does not allow this order; reason names the check that failed, verify_ref its record. Nothing was ordered.',
});
