import type { TransferAuthorization } from './authorization-digest.ts';
import { isEcdsaSignatureForm } from './signature.ts';
import type { PaymentReason } from './reason.ts';
import type { PaymentPayload, PaymentRequirements } from './wire.ts';

/** A payment must outlive the checks and the settlement by this much. */
const VALID_BEFORE_MARGIN_SECONDS = 6n;

interface Question {
  readonly payload: PaymentPayload;
  readonly required: PaymentRequirements;
  readonly nowSeconds: bigint;
}

interface StaticRule {
  readonly reason: PaymentReason;
  readonly holds: (question: Question) => boolean;
}

/** Everything that can be said of a payment without its signature and the chain, in the order of the answers. */
const RULES: readonly StaticRule[] = [
  { reason: 'invalid_payment_requirements', holds: ({ payload, required }) => accepts(payload.accepted, required) },
  {
    reason: 'invalid_exact_evm_recipient_mismatch',
    holds: ({ payload, required }) => same(payload.payload.authorization.to, required.payTo),
  },
  {
    reason: 'invalid_exact_evm_payload_authorization_value_mismatch',
    holds: ({ payload, required }) => BigInt(payload.payload.authorization.value) === BigInt(required.amount),
  },
  {
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
    holds: ({ payload, nowSeconds }) =>
      BigInt(payload.payload.authorization.validBefore) >= nowSeconds + VALID_BEFORE_MARGIN_SECONDS,
  },
  {
    reason: 'invalid_exact_evm_payload_authorization_valid_after',
    holds: ({ payload, nowSeconds }) => BigInt(payload.payload.authorization.validAfter) <= nowSeconds,
  },
];

/** The first reason to refuse the payment, or undefined when its signature is worth checking. */
export function staticRefusal(
  payload: PaymentPayload,
  required: PaymentRequirements,
  nowSeconds: bigint,
): PaymentReason | undefined {
  return RULES.find(({ holds }) => !holds({ payload, required, nowSeconds }))?.reason;
}

/** `fast` payments are checked by one recover; the others belong to wallets that are contracts. */
export function signaturePath({ payload }: PaymentPayload): 'fast' | 'slow' {
  return isEcdsaSignatureForm(payload.signature) ? 'fast' : 'slow';
}

/** The authorization in the types of the digest. */
export function authorizationOf({ payload: { authorization } }: PaymentPayload): TransferAuthorization {
  return {
    from: authorization.from,
    to: authorization.to,
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
    nonce: authorization.nonce,
  };
}

/** The client may add members under extra and may have seen another time limit; the rest must be what we asked. */
function accepts(accepted: PaymentRequirements, required: PaymentRequirements): boolean {
  return (
    accepted.scheme === required.scheme &&
    accepted.network === required.network &&
    same(accepted.asset, required.asset) &&
    same(accepted.payTo, required.payTo) &&
    BigInt(accepted.amount) === BigInt(required.amount) &&
    accepted.extra.name === required.extra.name &&
    accepted.extra.version === required.extra.version
  );
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
