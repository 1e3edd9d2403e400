import type { PaymentKey } from './settlement.ts';

/**
 * Where a payment stands. A verdict that was made is stored as `settling` at once: whether the backend was already
 * asked when a process died is for the chain to say, in either case (docs/adr/0008-payments-in-three-commits.md).
 */
export const PAYMENT_STATES = [
  'reserved',
  'settling',
  'settled',
  'unknown',
  'failed',
  'released',
  'refund_due',
  'refunded',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What is sent to every caller that may have the answer, byte for byte. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null once it was kept long enough. */
  readonly body: string | null;
}

/** All that is known of one authorization; the row of the table. */
export interface PaymentRecord {
  readonly id: PaymentKey;
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  /** The request that it pays for. */
  readonly fingerprint: string;
  readonly operationId: string;
  readonly amountAtomic: number;
  readonly payTo: string;
  readonly state: PaymentState;
  /** JSON of a StoredPayload: what a settlement needs; null once it is no longer needed. */
  readonly payload: string | null;
  readonly idemHash: string | null;
  readonly paymentId: string | null;
  readonly headerSha256: string;
  readonly validBeforeSeconds: number;
  /** JSON of what the handler gave. */
  readonly result: string | null;
  readonly transaction: string | null;
  readonly logIndex: number | null;
  readonly receiptId: string | null;
  readonly resultSha256: string | null;
  readonly response: StoredResponse | null;
  readonly errorReason: string | null;
  /** How the operator paid the money back, in its own words. */
  readonly refundRef: string | null;
  /** Names the sandbox chain; a row of a lost chain can never settle. */
  readonly chainInstance: string | null;
  /** The process that works on it, until when. */
  readonly owner: string | null;
  readonly ownerUntilMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
