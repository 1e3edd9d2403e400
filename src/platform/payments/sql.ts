import { COLUMNS, PLACES, UPDATES } from './payment-record.ts';

export const OF_IDS = `SELECT ${COLUMNS} FROM payment WHERE id IN (...)`;
export const OF_IDEM_HASHES = `SELECT ${COLUMNS} FROM payment WHERE idem_hash IN (...)`;
export const OF_PAYMENT_IDS = `SELECT ${COLUMNS} FROM payment WHERE payment_id IN (...)`;
export const OPEN_OF_PAYERS =
  "SELECT id, payer, amount FROM payment WHERE payer IN (...) AND state IN ('reserved', 'settling', 'unknown')";
export const UPSERT = `INSERT INTO payment (${COLUMNS}) VALUES (${PLACES}) ON CONFLICT (id) DO UPDATE SET ${UPDATES}`;
export const DELETE = 'DELETE FROM payment WHERE id IN (VALUES ($1))';

export const BY_ID = `SELECT ${COLUMNS} FROM payment WHERE id = $1`;
export const BY_IDEM_HASH = `SELECT ${COLUMNS} FROM payment WHERE idem_hash = $1`;
export const BY_PAYMENT_ID = `SELECT ${COLUMNS} FROM payment WHERE payment_id = $1 ORDER BY created_at, id LIMIT 2`;
export const BY_RECEIPT_ID = `SELECT ${COLUMNS} FROM payment WHERE receipt_id = $1`;
export const BY_NONCE = `SELECT ${COLUMNS} FROM payment WHERE nonce = $1 ORDER BY payer LIMIT 100`;

/** Rows whose process may be gone, or whose outcome is not known; oldest first. */
export const UNDECIDED = `SELECT ${COLUMNS} FROM payment
  WHERE state IN ('reserved', 'settling', 'unknown') ORDER BY updated_at, id LIMIT 200`;
/** Rows that sold nothing and whose authorization could still move money. */
export const WATCHED = `SELECT ${COLUMNS} FROM payment
  WHERE state IN ('failed', 'released') AND payload IS NOT NULL ORDER BY valid_before, id LIMIT 200`;
/** Rows that were settled long enough ago to look whether the chain still shows it; oldest first, from their own index. */
export const UNPROVEN = `SELECT ${COLUMNS} FROM payment
  WHERE state = 'settled' AND payload IS NOT NULL AND updated_at <= $1 ORDER BY updated_at LIMIT 500`;
/** Rows whose response was kept long enough. */
export const OUTDATED =
  "SELECT id FROM payment WHERE state = 'settled' AND response_body IS NOT NULL AND updated_at <= $1 LIMIT 200";
/** Answered from one index. */
export const TOTALS_BY_STATE = 'SELECT state, COUNT(*) AS count, SUM(amount) AS amount FROM payment GROUP BY state';
export const OLDEST_UNKNOWN = "SELECT MIN(updated_at) AS at FROM payment WHERE state = 'unknown'";
