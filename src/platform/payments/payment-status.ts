import type { z } from 'zod';
import { refuseFields } from '#kernel/general-problems.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { sameHash, sha256Hex } from '#kernel/ids.ts';
import { Refusal } from '#kernel/problem.ts';
import { paymentIdOf } from '#protocol/payment/extension.ts';
import { decodePaymentHeader } from '#protocol/payment/header.ts';
import { OFFER_RECEIPT } from '#protocol/payment/offer-receipt.ts';
import { idempotencyHash, type PaymentLedger } from './ledger.ts';
import type { PaymentStatus, paymentStatus } from './operations.ts';
import type { PaymentRecord, PaymentState } from './payment-record.ts';
import { paymentUnknown } from './problems.ts';
import { BODY_KEPT_MS } from './transitions.ts';

type Input = z.output<typeof paymentStatus.input>;

const CHARGED: Readonly<Record<PaymentState, boolean | null>> = {
  reserved: false,
  settling: null,
  unknown: null,
  settled: true,
  refund_due: true,
  refunded: false,
  failed: false,
  released: false,
};
const RETRY_SECONDS = 2;

export interface StatusOptions {
  readonly ledger: PaymentLedger;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
}

/** Tells anybody whether money moved, and whoever proves to be the buyer what was bought. */
export async function statusOfPayment(
  { ledger, clock, sandbox }: StatusOptions,
  input: Input,
): Promise<z.output<typeof PaymentStatus> | Refusal> {
  const payer = input.payer?.toLowerCase();
  const found = (await ledger.byNonce(input.nonce)).filter((record) => payer === undefined || record.payer === payer);
  const [record] = found;
  if (record === undefined) return new Refusal(paymentUnknown, { detail: 'No payment with this nonce is known here.' });
  if (found.length > 1) {
    const detail = 'The payer is required: several accounts used this nonce.';
    return refuseFields([{ pointer: '#/payer', code: 'missing', detail }]);
  }
  return { ...publicView(record, sandbox), ...(isProven(record, input, clock.now()) && ownView(record)) };
}

/** Names neither route nor request. */
function publicView(record: PaymentRecord, sandbox: boolean): z.output<typeof PaymentStatus> {
  const isSettled = record.state === 'settled';
  const charged = CHARGED[record.state];
  return {
    nonce: record.nonce,
    network: record.network,
    asset: record.asset,
    state: record.state,
    charged,
    amount: String(record.amountAtomic),
    transaction: record.transaction,
    log_index: record.logIndex,
    settled_at: isSettled ? isoTime(record.updatedAtMs) : null,
    result_available_until: isSettled ? isoTime(record.updatedAtMs + BODY_KEPT_MS) : null,
    retry_after_s: charged === null || record.state === 'reserved' ? RETRY_SECONDS : null,
    sandbox,
    ...(record.refundRef !== null && { refund_reference: record.refundRef }),
  };
}

function ownView({ operationId, fingerprint, response }: PaymentRecord) {
  const body = response?.body ?? null;
  return {
    operation_id: operationId,
    request_sha256: fingerprint,
    response: body === null ? null : (JSON.parse(body) as Record<string, unknown>),
  };
}

function isProven(record: PaymentRecord, input: Input, nowMs: number): boolean {
  const { idempotency_key: key, payment_signature: header } = input;
  if (key !== undefined && record.idemHash !== null && sameHash(idempotencyHash(key), record.idemHash)) return true;
  if (header === undefined || !sameHash(sha256Hex(header), record.headerSha256)) return false;
  const payload = decodePaymentHeader(header); // attacker-controlled
  if (payload === undefined) return false;
  // Without one of these the header can be rebuilt from the chain, which proves nothing once the payment is over.
  const holdsSecret = paymentIdOf(payload) !== undefined || payload.extensions?.[OFFER_RECEIPT] !== undefined;
  return holdsSecret || nowMs < record.validBeforeSeconds * 1000;
}
