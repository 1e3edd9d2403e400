import { defineProblem } from '#kernel/problem.ts';

export const calculationNotFound = defineProblem({
  code: 'calculation_not_found',
  status: 404,
  title: 'Calculation not found',
  help: 'This agent has no calculation with this id, or it is older than 30 days. Check the id or calculate again.',
});
export const calculationExpired = defineProblem({
  code: 'calculation_expired',
  status: 409,
  title: 'Prices expired',
  help: 'The calculation is past its valid_until. Calculate again and order from the new calculation. Nothing was ordered.',
});
export const tooManyLargeBills = defineProblem({
  code: 'too_many_large_bills',
  status: 503,
  title: 'Too many large bills',
  help: 'The maximum number of large bills is being computed. Retry after the time in Retry-After. Nothing was charged.',
});
export const orderNotFound = defineProblem({
  code: 'order_not_found',
  status: 404,
  title: 'Order not found',
  help: 'This agent has no order with this id. Check the id and the key.',
});
export const totalOverLimit = defineProblem({
  code: 'total_over_limit',
  status: 409,
  title: 'Above your price limit',
  help: 'The goods cost more than max_total_eur. Raise the limit or order less. Nothing was ordered.',
});
export const nothingToOrder = defineProblem({
  code: 'nothing_to_order',
  status: 409,
  title: 'Nothing to order',
  help: 'No line of the calculation is from this supplier, or this supplier has no offer for one of your lines. Choose another supplier. Nothing was ordered.',
});
export const supplierUnreachable = defineProblem({
  code: 'supplier_unreachable',
  status: 409,
  title: 'Supplier not available',
  help: 'The supplier does not accept orders through an API, and the operator has not set an email address for order requests. Nothing was ordered.',
});
export const mandateDenied = defineProblem({
  code: 'mandate_denied',
  status: 403,
  title: 'Not allowed by the mandate',
  help: 'The mandate does not allow this order. reason names the check that failed, and verify_ref identifies its record. Nothing was ordered.',
});
