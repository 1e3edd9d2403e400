import { isoTime } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { ReceiptSigner } from '#platform/payments/receipt-signer.ts';
import { signedPart } from '#protocol/payment/coverage.ts';
import type { Receipt } from '#protocol/payment/receipt.ts';
import { requestFingerprint } from '#protocol/payment/request-fingerprint.ts';
import type { ClaimGranted } from '../state.ts';

/** Signs what a platform checks offline: who holds what, under which fence, until when. The request leaves the token out. */
export function leaseReceipt(
  { lease, atMs }: ClaimGranted,
  receipts: Pick<ReceiptSigner, 'sign'>,
): { agent: string; receipt: Receipt } {
  const { key, agent, mode, id, fence, expiresAtMs } = lease;
  const receipt = receipts.sign({
    type: 'avouch.lease-receipt.v1',
    kind: 'lease',
    receiptId: newId('rcp_'),
    signed: signedPart({ key, agent, mode, lease: id, fence, expires_at: isoTime(expiresAtMs) }),
    requestSha256: requestFingerprint({ method: 'GET', path: '/v1/claim', query: { key, agent, mode } }),
    issuedAt: isoTime(atMs),
  });
  return { agent, receipt };
}
