import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { type Receipt, type ReceiptKey, resultSha256, signReceipt } from '#protocol/payment/receipt.ts';
import { requestFingerprint } from '#protocol/payment/request-fingerprint.ts';
import { LEASE_MODES } from './lease.ts';
import type { ClaimGranted } from './state.ts';

/** What a platform checks offline: who holds what, under which fence, until when. */
export const LeaseResult = z
  .strictObject({
    key: z.string(),
    agent: z.string(),
    mode: z.enum(LEASE_MODES),
    lease: z.string(),
    fence: z.int(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'LeaseResult' });

export interface ReceiptIssuer {
  readonly key: () => ReceiptKey;
  readonly issuer: () => string;
  readonly sandbox: boolean;
}

/** Signs a lease as it is now. The request that it names leaves the token out. */
export function leaseReceipt(
  { lease, atMs }: ClaimGranted,
  { key: signingKey, issuer, sandbox }: ReceiptIssuer,
): { result: z.output<typeof LeaseResult>; receipt: Receipt } {
  const { key, agent, mode, id, fence, expiresAtMs } = lease;
  const result = { key, agent, mode, lease: id, fence, expires_at: isoTime(expiresAtMs) };
  const body = {
    type: 'avouch.lease-receipt.v1',
    kind: 'lease',
    receipt_id: newId('rcp_'),
    result_sha256: resultSha256(result),
    request_sha256: requestFingerprint({ method: 'GET', path: '/v1/claim', query: { key, agent, mode } }),
    issued_at: isoTime(atMs),
    issuer: issuer(),
    sandbox,
  } as const;
  return { result, receipt: signReceipt(body, signingKey()) };
}
