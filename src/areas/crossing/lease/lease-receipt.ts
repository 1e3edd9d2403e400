import { isoTime } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { signedPart } from '#protocol/payment/coverage.ts';
import { type Receipt, type ReceiptKey, signReceipt } from '#protocol/payment/receipt.ts';
import { requestFingerprint } from '#protocol/payment/request-fingerprint.ts';
import type { ClaimGranted } from '../state.ts';

export interface ReceiptIssuer {
  readonly key: () => ReceiptKey;
  readonly issuer: () => string;
  readonly sandbox: boolean;
}

/** Signs what a platform checks offline: who holds what, under which fence, until when. The request leaves the token out. */
export function leaseReceipt(
  { lease, atMs }: ClaimGranted,
  { key: signingKey, issuer, sandbox }: ReceiptIssuer,
): { agent: string; receipt: Receipt } {
  const { key, agent, mode, id, fence, expiresAtMs } = lease;
  const held = { key, agent, mode, lease: id, fence, expires_at: isoTime(expiresAtMs) };
  const body = {
    type: 'avouch.lease-receipt.v1',
    kind: 'lease',
    receipt_id: newId('rcp_'),
    ...signedPart(held),
    request_sha256: requestFingerprint({ method: 'GET', path: '/v1/claim', query: { key, agent, mode } }),
    issued_at: isoTime(atMs),
    issuer: issuer(),
    sandbox,
  } as const;
  return { agent, receipt: signReceipt(body, signingKey()) };
}
