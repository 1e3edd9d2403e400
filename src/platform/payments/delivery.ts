import { isoTime } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { PaidVerdict } from '#kernel/paid-operation.ts';
import { encodeHeader } from '#protocol/payment/header.ts';
import { OFFER_RECEIPT, paidExtension } from '#protocol/payment/offer-receipt.ts';
import { type ReceiptKey, type ReceiptSubject, signReceipt } from '#protocol/payment/receipt.ts';
import { authorizationOf } from '#protocol/payment/static-checks.ts';
import type { PaymentRecord, StoredResponse } from './payment-record.ts';
import type { OnChain, Settleable } from './settlement.ts';
import { storedPayloadOf } from './stored-payload.ts';
import type { PaymentTerms } from './terms.ts';

/** What the backend needs of a stored payment; undefined when it was cleared. */
export function settleableOf(record: PaymentRecord): Settleable | undefined {
  const stored = storedPayloadOf(record);
  if (stored === undefined) return undefined;
  const { payload, requirements } = stored;
  return { key: record.id, payload, requirements, authorization: authorizationOf(payload) };
}

export interface DeliveryDeps {
  readonly terms: PaymentTerms;
  readonly baseUrl: () => string;
  readonly receiptKey: () => ReceiptKey;
}

/** The whole answer to a payment that the chain has confirmed, receipt included. */
export function deliveryOf(
  record: PaymentRecord,
  kind: string,
  { transaction, logIndex }: OnChain,
  { nowMs, parts }: { readonly nowMs: number; readonly parts: DeliveryDeps },
): { readonly receiptId: string; readonly response: StoredResponse } | null {
  const stored = storedPayloadOf(record);
  if (record.result === null || record.resultSha256 === null || stored?.resourceUrl == null) return null;
  const { terms, baseUrl, receiptKey } = parts;
  const { sandbox } = terms;
  const { result, receipt: members = {} } = JSON.parse(record.result) as PaidVerdict;
  const { requirements, resourceUrl } = stored;
  const { network, asset, payTo, amount } = requirements;
  const { from: payer, nonce } = stored.payload.payload.authorization;
  const receiptId = newId('rcp_');
  const subject = { type: 'avouch.verdict-receipt.v1', kind } as ReceiptSubject;
  const receipt = signReceipt(
    {
      ...subject,
      receipt_id: receiptId,
      covers: '/result',
      result_sha256: record.resultSha256,
      request_sha256: record.fingerprint,
      issued_at: isoTime(nowMs),
      issuer: baseUrl(),
      sandbox,
      payment: {
        scheme: 'exact',
        network,
        asset,
        pay_to: payTo,
        payer,
        amount,
        nonce,
        transaction,
        log_index: logIndex,
      },
      ...(members.agent !== undefined && { agent: members.agent }),
      ...(members.system !== undefined && { system: members.system }),
    },
    receiptKey(),
  );
  const paid = { network, payer, transaction, resourceUrl, sandbox, nowSeconds: Math.floor(nowMs / 1000) };
  const settle = encodeHeader({
    success: true,
    payer,
    transaction,
    network,
    amount,
    extensions: { [OFFER_RECEIPT]: paidExtension(paid, receiptKey()) },
    extra: { nonce, logIndex },
  });
  const body = JSON.stringify({ kind, result, receipt });
  return { receiptId, response: { status: 200, headers: [['payment-response', settle]], body } };
}
