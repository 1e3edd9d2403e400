const TOPUP =
  'id, agent_id, tier, price_cents, status, session_id, payment_intent, checkout_url, livemode, created_at, opened_at, expires_at, next_poll_at, credited_at, tx_id, review, version';
const DISPUTE = 'id, topup_id, agent_id, amount_cents, hold_id, withdrawn_tx, reinstated, closed, version';
const EVENT = 'id, type, created_at, outcome, topup_id';

const values = (columns: string) => {
  const names = columns.split(', ');
  return `(${columns}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
};
const update = (columns: string) =>
  `DO UPDATE SET ${columns
    .split(', ')
    .slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

export const TOPUPS_OF_IDS = `SELECT ${TOPUP} FROM topup WHERE id IN (...)`;
export const OPEN_OF_AGENTS = `SELECT ${TOPUP} FROM topup WHERE status IN ('created', 'open') AND agent_id IN (...)`;
export const DISPUTES_OF_AGENTS = `SELECT ${DISPUTE} FROM topup_dispute WHERE agent_id IN (...)`;
export const EVENTS_OF_IDS = `SELECT ${EVENT} FROM stripe_event WHERE id IN (...)`;
export const EVENTS_BEFORE = `SELECT ${EVENT} FROM stripe_event WHERE created_at < $1 ORDER BY created_at LIMIT 500`;
export const TOPUP_UPSERT = `INSERT INTO topup ${values(TOPUP)} ON CONFLICT (id) ${update(TOPUP)}`;
export const DISPUTE_UPSERT = `INSERT INTO topup_dispute ${values(DISPUTE)} ON CONFLICT (id) ${update(DISPUTE)}`;
export const EVENT_INSERT = `INSERT INTO stripe_event ${values(EVENT)}`;
export const EVENT_DELETE = 'DELETE FROM stripe_event WHERE id IN (VALUES ($1))';

export const TOPUPS_IN_REVIEW = `SELECT ${TOPUP} FROM topup WHERE status = 'review' ORDER BY created_at, id LIMIT $1`;
export const TOPUP_OF_ID = `SELECT ${TOPUP} FROM topup WHERE id = $1`;
/** The one that the session was made for, also where its id did not arrive. */
export const TOPUPS_OF_SESSION = `SELECT ${TOPUP} FROM topup WHERE session_id = $1 OR id = $2`;
export const TOPUP_OF_PAYMENT = `SELECT ${TOPUP} FROM topup WHERE payment_intent = $1`;
export const TOPUPS_DUE = `SELECT ${TOPUP} FROM topup WHERE next_poll_at <= $1 ORDER BY next_poll_at LIMIT 100`;
export const OPEN_OF_AGENT = `SELECT ${TOPUP} FROM topup WHERE status IN ('created', 'open') AND agent_id = $1 ORDER BY created_at, id LIMIT 100`;
export const SELECT_LATEST_BY_AGENT = `SELECT ${TOPUP} FROM topup WHERE agent_id = $1 ORDER BY created_at DESC, id LIMIT $2`;
export const DISPUTES_OF_AGENT = `SELECT ${DISPUTE} FROM topup_dispute WHERE agent_id = $1 ORDER BY id`;
export const SELECT_LATEST_EVENT = 'SELECT MAX(created_at) AS created_at FROM stripe_event';
export const OLDEST_TOPUP = 'SELECT MIN(created_at) AS created_at FROM topup';

const sumOf = (column: string, where: string, sign = '') =>
  `SELECT CAST(${sign}COALESCE(SUM(${column}), 0) * 10000 AS BIGINT) AS amount FROM ${where}`;

/** What the processor holds for us by kind of transaction, as the rows of top-ups tell it. */
export const CARD_SUMS = [
  { kind: 'topup', sql: sumOf('price_cents', "topup WHERE status = 'credited'") },
  { kind: 'dispute', sql: sumOf('amount_cents', 'topup_dispute WHERE withdrawn_tx IS NOT NULL', '-') },
  { kind: 'dispute_reinstated', sql: sumOf('amount_cents', 'topup_dispute WHERE reinstated = 1') },
];
