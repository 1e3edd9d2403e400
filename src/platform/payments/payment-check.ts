import { type TransferAuthorization, transferDigest } from '#protocol/payment/authorization-digest.ts';
import { echoesFaithfully, paymentIdOf } from '#protocol/payment/extension.ts';
import { decodePaymentHeader } from '#protocol/payment/header.ts';
import { OFFER_RECEIPT } from '#protocol/payment/offer-receipt.ts';
import type { PaymentReason } from '#protocol/payment/reason.ts';
import type { RecoverEngine } from '#protocol/payment/recover-engine.ts';
import { parseEcdsaSignature, recoverSigner } from '#protocol/payment/signature.ts';
import { authorizationOf, signaturePath, staticRefusal } from '#protocol/payment/static-checks.ts';
import type { PaymentPayload } from '#protocol/payment/wire.ts';
import { sha256Hex } from '#kernel/ids.ts';
import type { Challenger } from './challenge.ts';
import type { PaymentKey, Settleable } from './settlement.ts';
import type { PaymentTerms } from './terms.ts';

/** A payment header that has the form of one; nothing of it is believed yet. */
export interface SentPayment extends Settleable {
  readonly payer: string;
  readonly nonce: string;
  readonly headerSha256: string;
  readonly paymentId: string | null;
  /** False when everything in it could be rebuilt from the chain's public data. */
  readonly holdsSecret: boolean;
  readonly validBeforeSeconds: number;
}

/** Year 9999: a time limit beyond it is none. */
const LAST_SECOND = 253_402_300_799;

function paymentKey(terms: PaymentTerms, payer: string, nonce: string): PaymentKey {
  return [terms.network, terms.asset, payer, nonce].join('|').toLowerCase();
}

/** Reads a PAYMENT-SIGNATURE header; undefined for anything that is no payment of this version. */
export function readPayment(header: string, challenger: Challenger, terms: PaymentTerms): SentPayment | undefined {
  const payload = decodePaymentHeader(header); // attacker-controlled
  if (payload === undefined) return undefined;
  const paymentId = paymentIdOf(payload);
  if (paymentId === null) return undefined;
  const authorization = authorizationOf(payload);
  const { from, nonce, validBefore } = authorization;
  return {
    key: paymentKey(terms, from, nonce),
    payload,
    requirements: challenger.requirements,
    authorization,
    payer: from.toLowerCase(),
    nonce: nonce.toLowerCase(),
    headerSha256: sha256Hex(header),
    paymentId: paymentId ?? null,
    holdsSecret: paymentId !== undefined || payload.extensions?.[OFFER_RECEIPT] !== undefined,
    validBeforeSeconds: validBefore > BigInt(LAST_SECOND) ? LAST_SECOND : Number(validBefore),
  };
}

/** The first reason to refuse the payment that needs neither a signature nor the chain. */
export function plainRefusal(
  payment: SentPayment,
  challenger: Challenger,
  nowSeconds: number,
): PaymentReason | undefined {
  const refusal = staticRefusal(payment.payload, challenger.requirements, BigInt(nowSeconds));
  if (refusal !== undefined) return refusal;
  return echoesFaithfully(payment.payload, challenger.advertised) ? undefined : 'extension_echo_mismatch';
}

/** Who may have signed: `slow` forms are for the backend to judge. */
export function signatureRefusal(
  { payload, authorization }: SentPayment,
  terms: PaymentTerms,
  engine: RecoverEngine,
): PaymentReason | undefined | 'slow' {
  if (signaturePath(payload) === 'slow') return 'slow';
  if (isSignedUnder(terms.separator, payload, authorization, engine)) return undefined;
  return isSignedUnder(terms.otherSeparator, payload, authorization, engine)
    ? 'invalid_exact_evm_token_name_mismatch'
    : 'invalid_exact_evm_signature';
}

function isSignedUnder(
  separator: Uint8Array,
  { payload }: PaymentPayload,
  authorization: TransferAuthorization,
  engine: RecoverEngine,
): boolean {
  const signature = parseEcdsaSignature(payload.signature);
  if (signature === undefined) return false;
  const signer = recoverSigner(engine, transferDigest(separator, authorization), signature);
  return signer === authorization.from.toLowerCase();
}
