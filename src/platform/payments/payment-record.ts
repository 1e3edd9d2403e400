import type { Cell, Row } from '#platform/storage/store.ts';
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
  /** Names the sandbox chain; a row of a lost chain can never settle. */
  readonly chainInstance: string | null;
  /** The process that works on it, until when. */
  readonly owner: string | null;
  readonly ownerUntilMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

const COLUMN_NAMES = [
  'id',
  'network',
  'asset',
  'payer',
  'nonce',
  'fingerprint',
  'operation_id',
  'amount',
  'pay_to',
  'state',
  'payload',
  'idem_hash',
  'payment_id',
  'header_sha256',
  'valid_before',
  'result',
  'tx',
  'log_index',
  'receipt_id',
  'result_sha256',
  'response_status',
  'response_headers',
  'response_body',
  'error_reason',
  'chain_instance',
  'owner',
  'owner_until',
  'created_at',
  'updated_at',
] as const;
export const COLUMNS = COLUMN_NAMES.join(', ');
export const PLACES = COLUMN_NAMES.map((_, index) => `$${index + 1}`).join(', ');
export const UPDATES = COLUMN_NAMES.slice(1)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

export function recordOf(row: Row): PaymentRecord {
  const text = (name: (typeof COLUMN_NAMES)[number]) => row[name] as string;
  const number = (name: (typeof COLUMN_NAMES)[number]) => row[name] as number;
  return {
    id: text('id'),
    network: text('network'),
    asset: text('asset'),
    payer: text('payer'),
    nonce: text('nonce'),
    fingerprint: text('fingerprint'),
    operationId: text('operation_id'),
    amountAtomic: number('amount'),
    payTo: text('pay_to'),
    state: text('state') as PaymentState,
    payload: text('payload'),
    idemHash: text('idem_hash'),
    paymentId: text('payment_id'),
    headerSha256: text('header_sha256'),
    validBeforeSeconds: number('valid_before'),
    result: text('result'),
    transaction: text('tx'),
    logIndex: number('log_index'),
    receiptId: text('receipt_id'),
    resultSha256: text('result_sha256'),
    response: responseOf(row),
    errorReason: text('error_reason'),
    chainInstance: text('chain_instance'),
    owner: text('owner'),
    ownerUntilMs: number('owner_until'),
    createdAtMs: number('created_at'),
    updatedAtMs: number('updated_at'),
  };
}

function responseOf(row: Row): StoredResponse | null {
  if (row['response_status'] === null) return null;
  return {
    status: row['response_status'] as number,
    headers: JSON.parse(row['response_headers'] as string) as StoredResponse['headers'],
    body: row['response_body'] as string | null,
  };
}

export function cellsOf(record: PaymentRecord): Cell[] {
  const { response } = record;
  return [
    record.id,
    record.network,
    record.asset,
    record.payer,
    record.nonce,
    record.fingerprint,
    record.operationId,
    record.amountAtomic,
    record.payTo,
    record.state,
    record.payload,
    record.idemHash,
    record.paymentId,
    record.headerSha256,
    record.validBeforeSeconds,
    record.result,
    record.transaction,
    record.logIndex,
    record.receiptId,
    record.resultSha256,
    response?.status ?? null,
    response === null ? null : JSON.stringify(response.headers),
    response?.body ?? null,
    record.errorReason,
    record.chainInstance,
    record.owner,
    record.ownerUntilMs,
    record.createdAtMs,
    record.updatedAtMs,
  ];
}
