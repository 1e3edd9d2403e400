import { as, integer, json, mapped, nullable, query, type RecordOf, table, text } from '#platform/storage/table.ts';
import type { PaymentRecord, PaymentState, StoredResponse } from './payment-record.ts';

const PAYMENT_COLUMNS = {
  id: text(),
  network: text(),
  asset: text(),
  payer: text(),
  nonce: text(),
  fingerprint: text(),
  operation_id: as('operationId', text()),
  amount: as('amountAtomic', integer()),
  pay_to: as('payTo', text()),
  state: text<PaymentState>(),
  payload: nullable(text()),
  idem_hash: as('idemHash', nullable(text())),
  payment_id: as('paymentId', nullable(text())),
  header_sha256: as('headerSha256', text()),
  valid_before: as('validBeforeSeconds', integer()),
  result: nullable(text()),
  tx: as('transaction', nullable(text())),
  log_index: as('logIndex', nullable(integer())),
  receipt_id: as('receiptId', nullable(text())),
  result_sha256: as('resultSha256', nullable(text())),
  response_status: as('responseStatus', nullable(integer())),
  response_headers: as('responseHeaders', nullable(json<StoredResponse['headers']>())),
  response_body: as('responseBody', nullable(text())),
  error_reason: as('errorReason', nullable(text())),
  refund_ref: as('refundRef', nullable(text())),
  chain_instance: as('chainInstance', nullable(text())),
  owner: nullable(text()),
  owner_until: as('ownerUntilMs', nullable(integer())),
  created_at: as('createdAtMs', integer()),
  updated_at: as('updatedAtMs', integer()),
};
export const PAYMENT = table('payment', PAYMENT_COLUMNS, { key: ['id'] });

type StoredPayment = RecordOf<typeof PAYMENT_COLUMNS>;

/** A payment as its columns hold it. */
export function storedPayment({ response, ...record }: PaymentRecord): StoredPayment {
  const { status = null, headers = null, body = null } = response ?? {};
  return { ...record, responseStatus: status, responseHeaders: headers, responseBody: body };
}

function recordOf({ responseStatus, responseHeaders, responseBody, ...record }: StoredPayment): PaymentRecord {
  const response =
    responseStatus === null ? null : { status: responseStatus, headers: responseHeaders ?? [], body: responseBody };
  return { ...record, response };
}

const payments = (rest: string) => mapped(PAYMENT.select(rest), recordOf);

export const OF_IDS = payments('WHERE id IN (...)');
export const OF_IDEM_HASHES = payments('WHERE idem_hash IN (...)');
export const OF_PAYMENT_IDS = payments('WHERE payment_id IN (...)');
export const OPEN_OF_PAYERS = query(
  "SELECT id, payer, amount FROM payment WHERE payer IN (...) AND state IN ('reserved', 'settling', 'unknown')",
  { id: text(), payer: text(), amount: as('amountAtomic', integer()) },
);

export const BY_ID = payments('WHERE id = $1');
export const BY_IDEM_HASH = payments('WHERE idem_hash = $1');
export const BY_PAYMENT_ID = payments('WHERE payment_id = $1 ORDER BY created_at, id LIMIT 2');
export const BY_RECEIPT_ID = payments('WHERE receipt_id = $1');
export const BY_NONCE = payments('WHERE nonce = $1 ORDER BY payer LIMIT 100');

/** Rows whose process may be gone, or whose outcome is not known; oldest first. */
export const UNDECIDED = payments(
  `WHERE state IN ('reserved', 'settling', 'unknown') ORDER BY updated_at, id LIMIT 200`,
);
/** Rows that sold nothing and whose authorization could still move money. */
export const WATCHED = payments(
  `WHERE state IN ('failed', 'released') AND payload IS NOT NULL ORDER BY valid_before, id LIMIT 200`,
);
/** Rows that were settled long enough ago to look whether the chain still shows it; oldest first, from their own index. */
export const UNPROVEN = payments(
  `WHERE state = 'settled' AND payload IS NOT NULL AND updated_at <= $1 ORDER BY updated_at LIMIT 100`,
);
/** Rows of which the operator owes the money back; oldest first. */
export const REFUNDS_DUE = payments(`WHERE state = 'refund_due' ORDER BY updated_at, id`);
/** Rows whose response was kept long enough. */
export const OUTDATED = query(
  "SELECT id FROM payment WHERE state = 'settled' AND response_body IS NOT NULL AND updated_at <= $1 LIMIT 200",
  { id: text() },
);
/** Answered from one index. */
export const TOTALS_BY_STATE = query(
  'SELECT state, COUNT(*) AS count, CAST(SUM(amount) AS BIGINT) AS amount FROM payment GROUP BY state',
  { state: text<PaymentState>(), count: integer(), amount: as('amountAtomic', integer()) },
);
export const OLDEST_UNKNOWN = query("SELECT MIN(updated_at) AS at FROM payment WHERE state = 'unknown'", {
  at: as('atMs', nullable(integer())),
});
