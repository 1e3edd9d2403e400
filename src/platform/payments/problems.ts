import { idempotencyConflict } from '#kernel/idempotency.ts';
import { defineProblem } from '#kernel/problem.ts';

export { idempotencyConflict };

export const paymentRequired = defineProblem({
  code: 'payment_required',
  status: 402,
  title: 'Payment required',
  help: 'The call has a price: see accepts. Sign one of its entries and repeat the same call with PAYMENT-SIGNATURE. If you sent a payment, `error` says why it was not accepted. Nothing was charged.',
});
export const paymentFailed = defineProblem({
  code: 'payment_failed',
  status: 402,
  title: 'Payment failed',
  help: 'The chain rejected the payment, and this authorization will not be tried again. Nothing was charged. PAYMENT-RESPONSE and error give the reason. Sign a new payment.',
});
export const invalidPayload = defineProblem({
  code: 'invalid_payload',
  status: 400,
  title: 'Invalid payment',
  help: 'PAYMENT-SIGNATURE is not base64 of an x402 version 2 payment with an EIP-3009 authorization, or is longer than 16 KiB. Nothing was charged.',
});
export const idempotencyKeyInvalid = defineProblem({
  code: 'idempotency_key_invalid',
  status: 400,
  title: 'Invalid Idempotency-Key',
  help: 'An Idempotency-Key has 16 to 255 visible ASCII characters. It gives access to the stored response, so keep it secret. A UUID version 4 works well.',
});
export const maxPriceInvalid = defineProblem({
  code: 'max_price_invalid',
  status: 400,
  title: 'Invalid X-Max-Price',
  help: 'X-Max-Price is an amount of USDC in plain decimal digits such as 0.01, with at most six decimals. Nothing was charged.',
});
export const priceAboveCap = defineProblem({
  code: 'price_above_cap',
  status: 412,
  title: 'Above your price limit',
  help: 'The call costs more than X-Max-Price allows. Nothing was charged.',
});
export const paymentBoundToOtherRequest = defineProblem({
  code: 'payment_bound_to_other_request',
  status: 409,
  title: 'Payment for another request',
  help: 'This authorization belongs to a different request, or the header differs from the one first sent with it. Repeat the first request byte for byte, or sign a new payment for this one.',
});
export const paymentIdConflict = defineProblem({
  code: 'payment_id_conflict',
  status: 409,
  title: 'Payment id already used',
  help: 'The payment identifier belongs to a different request or another payer. Nothing was charged for this call.',
});
export const refundDue = defineProblem({
  code: 'refund_due',
  status: 409,
  title: 'Paid without a verdict',
  help: 'The money of this authorization arrived, but there is no verdict for it. If charged is true, the operator owes you a refund. If it is false, the refund was paid: payment.refund_reference names it. Nothing more will be charged.',
});
export const resultExpired = defineProblem({
  code: 'result_expired',
  status: 410,
  title: 'Result expired',
  help: 'The call was paid and got its response. Responses are kept for 24 hours. The transaction proves the payment.',
});
export const settlementPending = defineProblem({
  code: 'settlement_pending',
  status: 503,
  title: 'Settlement outcome unknown',
  help: 'Do not sign a new payment. Repeat the same request with the same headers after the time in Retry-After. You then get the result, or an error that says that nothing was charged.',
});
export const settlementNotConfigured = defineProblem({
  code: 'settlement_not_configured',
  status: 503,
  title: 'Payments not configured',
  help: 'This installation cannot settle payments. The authorization was not stored or used, and nothing was charged.',
});
export const chainUnavailable = defineProblem({
  code: 'chain_unavailable',
  status: 503,
  title: 'Chain unavailable',
  help: 'The chain or its settlement service does not respond, so no payment can be checked or settled. While that is known, no price is quoted either. If you sent an authorization, it was not used. Nothing was charged. Repeat the same request later.',
});
export const verdictNotInTime = defineProblem({
  code: 'verdict_not_in_time',
  status: 503,
  title: 'No verdict in time',
  help: 'The verdict was not ready while the payment was valid. Nothing was charged. You can use the same authorization again while it is valid.',
});
export const paymentUnknown = defineProblem({
  code: 'payment_unknown',
  status: 404,
  title: 'Unknown payment',
  help: 'No payment with this nonce is known here. A payment that was refused before any work is not stored.',
});

/** What every row with a price can answer beside its own problems. */
export const GATE_PROBLEMS = [
  paymentRequired,
  paymentFailed,
  invalidPayload,
  idempotencyKeyInvalid,
  maxPriceInvalid,
  priceAboveCap,
  paymentBoundToOtherRequest,
  idempotencyConflict,
  paymentIdConflict,
  refundDue,
  resultExpired,
  settlementPending,
  settlementNotConfigured,
  chainUnavailable,
  verdictNotInTime,
] as const;
