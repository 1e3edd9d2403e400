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
export const AUDIT_UPSERT = `INSERT INTO ledger_audit ${values(AUDIT)} ON CONFLICT (at, upto_seq) ${update('scope', 'ok', 'findings')}`;

export const ANSWERS_OF_KEYS = `SELECT ${ANSWER} FROM api_idempotency WHERE key_hash IN (...)`;
export const ANSWERS_DUE = `SELECT ${ANSWER} FROM api_idempotency WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500`;
export const ANSWER_UPSERT = `INSERT INTO api_idempotency ${values(ANSWER)} ON CONFLICT (key_hash)
  ${update('body_sha256', 'status', 'answer', 'expires_at')}`;
export const ANSWER_DELETE = 'DELETE FROM api_idempotency WHERE key_hash IN (VALUES ($1))';
