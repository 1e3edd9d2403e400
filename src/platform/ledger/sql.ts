const ACCOUNT = 'id, side, currency, posted, held, no_overdraft, frozen';
const TX = 'seq, id, kind, idem, fingerprint, ref, at, meta, prev_hash, hash';
const ENTRY = 'tx_seq, leg, account, amount, balance_after';
const HOLD = 'id, account, amount, captured, status, idem, fingerprint, ref, expires_at, at';
const AUDIT = 'at, upto_seq, upto_hash, scope, ok, findings';
const ANSWER = 'key_hash, body_sha256, status, answer, expires_at';

const qualified = (columns: string, alias: string) => columns.replaceAll(/\w+/g, (name) => `${alias}.${name}`);
const values = (columns: string) => {
  const places = columns.split(', ').map((_, i) => '$' + String(i + 1));
  return `(${columns}) VALUES (${places.join(', ')})`;
};
const update = (...columns: string[]) =>
  `DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

export const HEAD = 'SELECT seq, hash, halted FROM ledger_head WHERE id = 1';
export const ACCOUNTS_OF_IDS = `SELECT ${ACCOUNT} FROM ledger_account WHERE id IN (...)`;
export const ACCOUNTS_OF_HOLDS = `SELECT ${ACCOUNT} FROM ledger_account WHERE id IN (SELECT account FROM ledger_hold WHERE id IN (...))`;
export const ACCOUNTS_DUE = `SELECT ${ACCOUNT} FROM ledger_account WHERE id IN (SELECT account FROM ledger_hold
  WHERE status = 'pending' AND expires_at <= $1)`;
export const ACCOUNTS_OF_TXS = `SELECT DISTINCT ${qualified(ACCOUNT, 'a')} FROM ledger_tx t
  JOIN ledger_entry e ON e.tx_seq = t.seq JOIN ledger_account a ON a.id = e.account WHERE t.id IN (...)`;
/** Wallet and receivable of one agent: what the one cannot bear, the other takes. */
export const PAIRED_ACCOUNTS_OF_TXS = `SELECT DISTINCT ${qualified(ACCOUNT, 'a')} FROM ledger_tx t
  JOIN ledger_entry e ON e.tx_seq = t.seq JOIN ledger_account a ON a.id = CASE WHEN substr(e.account, 1, 7) = 'wallet:'
  THEN 'receivable:' || substr(e.account, 8) ELSE 'wallet:' || substr(e.account, 12) END WHERE t.id IN (...)`;
export const TXS_OF_IDEMS = `SELECT ${TX} FROM ledger_tx WHERE idem IN (...)`;
export const TXS_OF_IDS = `SELECT ${TX} FROM ledger_tx WHERE id IN (...)`;
export const ENTRIES_OF_TXS = `SELECT ${qualified(ENTRY, 'e')} FROM ledger_entry e JOIN ledger_tx t ON t.seq = e.tx_seq WHERE t.id IN (...)`;
export const HOLDS_OF_IDS = `SELECT ${HOLD} FROM ledger_hold WHERE id IN (...)`;
export const HOLDS_OF_IDEMS = `SELECT ${HOLD} FROM ledger_hold WHERE idem IN (...)`;
export const HOLDS_DUE = `SELECT ${HOLD} FROM ledger_hold WHERE status = 'pending' AND expires_at <= $1
  ORDER BY expires_at, id LIMIT 500`;

export const ACCOUNT_UPSERT = `INSERT INTO ledger_account ${values(ACCOUNT)} ON CONFLICT (id) ${update('posted', 'held', 'frozen')}`;
export const TX_INSERT = `INSERT INTO ledger_tx ${values(TX)}`;
export const ENTRY_INSERT = `INSERT INTO ledger_entry ${values(ENTRY)}`;
export const HOLD_UPSERT = `INSERT INTO ledger_hold ${values(HOLD)} ON CONFLICT (id) ${update('captured', 'status')}`;
export const HEAD_UPSERT = `INSERT INTO ledger_head ${values('id, seq, hash, halted')} ON CONFLICT (id) ${update('seq', 'hash', 'halted')}`;
export const AUDIT_INSERT = `INSERT INTO ledger_audit ${values(AUDIT)}`;

export const ANSWERS_OF_KEYS = `SELECT ${ANSWER} FROM api_idempotency WHERE key_hash IN (...)`;
export const ANSWERS_DUE = `SELECT ${ANSWER} FROM api_idempotency WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500`;
export const ANSWER_UPSERT = `INSERT INTO api_idempotency ${values(ANSWER)} ON CONFLICT (key_hash)
  ${update('body_sha256', 'status', 'answer', 'expires_at')}`;
export const ANSWER_DELETE = 'DELETE FROM api_idempotency WHERE key_hash IN (VALUES ($1))';

export const ACCOUNTS_OF_AGENT = `SELECT ${ACCOUNT} FROM ledger_account WHERE id IN ($1, $2)`;
/** One line per transaction, also where it touches the wallet twice. */
export const STATEMENT = `SELECT s.tx_seq, s.amount, e.balance_after, t.id, t.at, t.kind, t.ref, t.hash FROM (
  SELECT account, tx_seq, CAST(SUM(amount) AS BIGINT) AS amount, MAX(leg) AS leg FROM ledger_entry
  WHERE account = $1 AND tx_seq < $2 GROUP BY account, tx_seq ORDER BY account DESC, tx_seq DESC LIMIT $3) s
  JOIN ledger_entry e ON e.tx_seq = s.tx_seq AND e.leg = s.leg JOIN ledger_tx t ON t.seq = s.tx_seq
  ORDER BY s.tx_seq DESC`;

export const STATEMENT_OF_KIND = `SELECT s.tx_seq, s.amount, e.balance_after, s.id, s.at, s.kind, s.ref, s.hash FROM (
  SELECT n.account, n.tx_seq, CAST(SUM(n.amount) AS BIGINT) AS amount, MAX(n.leg) AS leg, t.id, t.at, t.kind, t.ref, t.hash
  FROM ledger_entry n JOIN ledger_tx t ON t.seq = n.tx_seq WHERE n.account = $1 AND n.tx_seq < $2 AND t.kind = $4
  GROUP BY n.account, n.tx_seq, t.id, t.at, t.kind, t.ref, t.hash ORDER BY n.tx_seq DESC LIMIT $3) s
  JOIN ledger_entry e ON e.tx_seq = s.tx_seq AND e.leg = s.leg ORDER BY s.tx_seq DESC`;
export const KINDS_OF_ACCOUNT = `SELECT DISTINCT t.kind FROM
  (SELECT tx_seq FROM ledger_entry WHERE account = $1 ORDER BY tx_seq DESC LIMIT 1000) AS e
  JOIN ledger_tx t ON t.seq = e.tx_seq ORDER BY t.kind`;
/** What a wallet gave, newest first. */
export const SPENT_SINCE = `SELECT t.at, t.kind, t.meta, e.amount FROM ledger_entry e JOIN ledger_tx t ON t.seq = e.tx_seq
  WHERE e.account = $1 AND e.amount > 0 AND t.at >= $2 ORDER BY e.tx_seq DESC LIMIT 50000`;

export const CARD_SUM_OF_KIND = `SELECT CAST(COALESCE(SUM(e.amount), 0) AS BIGINT) AS amount FROM ledger_entry e
  JOIN ledger_tx t ON t.seq = e.tx_seq WHERE e.account = 'psp:stripe' AND t.kind = $1`;
export const SIDES = 'SELECT id, side FROM ledger_account';
export const TXS_BETWEEN = `SELECT ${TX} FROM ledger_tx WHERE seq > $1 AND seq <= $2 ORDER BY seq`;
export const ENTRIES_BETWEEN = `SELECT ${ENTRY} FROM ledger_entry WHERE tx_seq > $1 AND tx_seq <= $2 ORDER BY tx_seq, leg`;
export const LAST_AUDIT = `SELECT ${AUDIT} FROM ledger_audit ORDER BY at DESC, upto_seq DESC LIMIT 1`;
export const LAST_GOOD_AUDIT = `SELECT ${AUDIT} FROM ledger_audit WHERE ok = 1 ORDER BY upto_seq DESC, at DESC LIMIT 1`;
export const LAST_NIGHTLY = `SELECT ${AUDIT} FROM ledger_audit WHERE scope = 'nightly' ORDER BY at DESC LIMIT 1`;

/** Rows that must not be there, each with what it shows. */
export const BALANCE_CHECKS = [
  `SELECT 'account ' || a.id || ' holds ' || CAST(a.posted AS TEXT) || ', its entries sum up to '
  || CAST(COALESCE(e.posted, 0) AS TEXT) AS finding FROM ledger_account a LEFT JOIN (
  SELECT n.account, CAST(SUM(CASE WHEN b.side = 'debit' THEN n.amount ELSE -n.amount END) AS BIGINT) AS posted
  FROM ledger_entry n JOIN ledger_account b ON b.id = n.account GROUP BY n.account) e ON e.account = a.id
  WHERE a.posted <> COALESCE(e.posted, 0)`,
  `SELECT 'account ' || a.id || ' has ' || CAST(a.held AS TEXT) || ' held, its pending holds sum up to '
  || CAST(COALESCE(h.held, 0) AS TEXT) AS finding FROM ledger_account a LEFT JOIN (
  SELECT account, CAST(SUM(amount) AS BIGINT) AS held FROM ledger_hold WHERE status = 'pending' GROUP BY account) h
  ON h.account = a.id WHERE a.held <> COALESCE(h.held, 0)`,
  `SELECT 'the trial balance is ' || CAST(SUM(amount) AS TEXT) AS finding FROM ledger_entry HAVING SUM(amount) <> 0`,
  `SELECT 'account ' || id || ' is overdrawn' AS finding FROM ledger_account WHERE no_overdraft = 1 AND posted - held < 0`,
] as const;
export const ROW_CHECKS = [
  `SELECT 'transaction ' || CAST(e.tx_seq AS TEXT) || ' has entries and is not there' AS finding
  FROM ledger_entry e LEFT JOIN ledger_tx t ON t.seq = e.tx_seq WHERE t.seq IS NULL`,
  `SELECT 'transaction ' || CAST(t.seq AS TEXT) || ' has no legs' AS finding
  FROM ledger_tx t LEFT JOIN ledger_entry e ON e.tx_seq = t.seq WHERE e.tx_seq IS NULL`,
  `SELECT 'transaction ' || CAST(tx_seq AS TEXT) || ' has legs that sum up to ' || CAST(SUM(amount) AS TEXT) AS finding
  FROM ledger_entry GROUP BY tx_seq HAVING SUM(amount) <> 0`,
  `SELECT 'the ledger goes on to ' || CAST(MAX(t.seq) AS TEXT) || ' behind its head' AS finding
  FROM ledger_tx t JOIN ledger_head h ON t.seq > h.seq HAVING MAX(t.seq) IS NOT NULL`,
  `SELECT 'captured hold ' || h.id || ' has no transaction' AS finding FROM ledger_hold h
  LEFT JOIN ledger_tx t ON t.idem = 'cap:' || h.id WHERE h.status = 'captured' AND t.seq IS NULL`,
] as const;
