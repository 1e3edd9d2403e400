import { appendedTable, as, flag, integer, json, nullable, query, table, text } from '#platform/storage/table.ts';
import type { AuditScope, Hold, LedgerAccount } from './state.ts';

export const ACCOUNT = table(
  'ledger_account',
  {
    id: text(),
    side: text<LedgerAccount['side']>(),
    currency: text(),
    posted: integer(),
    held: integer(),
    no_overdraft: as('noOverdraft', flag()),
    frozen: as('isFrozen', flag()),
  },
  { key: ['id'], changes: ['posted', 'held', 'frozen'] },
);
export const TX = appendedTable('ledger_tx', {
  seq: integer(),
  id: text(),
  kind: text(),
  idem: text(),
  fingerprint: text(),
  ref: nullable(text()),
  at: as('atMs', integer()),
  meta: text(),
  prev_hash: as('prevHash', text()),
  hash: text(),
});
export const LEDGER_ENTRY = appendedTable('ledger_entry', {
  tx_seq: as('txSeq', integer()),
  leg: integer(),
  account: text(),
  amount: as('amountMicro', integer()),
  balance_after: as('balanceAfter', integer()),
});
export const HOLD = table(
  'ledger_hold',
  {
    id: text(),
    account: text(),
    amount: integer(),
    captured: integer(),
    status: text<Hold['status']>(),
    idem: text(),
    fingerprint: text(),
    ref: nullable(text()),
    expires_at: as('expiresAtMs', nullable(integer())),
    at: as('atMs', integer()),
  },
  { key: ['id'], changes: ['captured', 'status'] },
);
export const LEDGER_HEAD = table(
  'ledger_head',
  { id: integer(), seq: integer(), hash: text(), halted: as('isHalted', flag()) },
  { key: ['id'] },
);
export const LEDGER_AUDIT = appendedTable('ledger_audit', {
  at: as('atMs', integer()),
  upto_seq: as('uptoSeq', integer()),
  upto_hash: as('uptoHash', text()),
  scope: text<AuditScope>(),
  ok: as('isOk', flag()),
  findings: json<readonly string[]>(),
});
export const ANSWER = table(
  'api_idempotency',
  {
    key_hash: as('keyHash', text()),
    body_sha256: as('bodySha256', text()),
    status: nullable(integer()),
    answer: nullable(text()),
    expires_at: as('expiresAtMs', integer()),
  },
  { key: ['key_hash'] },
);

export const HEAD_NOW = LEDGER_HEAD.select('WHERE id = 1');
export const ACCOUNTS_OF_IDS = ACCOUNT.select('WHERE id IN (...)');
export const ACCOUNTS_OF_HOLDS = ACCOUNT.select('WHERE id IN (SELECT account FROM ledger_hold WHERE id IN (...))');
export const ACCOUNTS_DUE = ACCOUNT.select(`WHERE id IN (SELECT account FROM ledger_hold
  WHERE status = 'pending' AND expires_at <= $1)`);
export const ACCOUNTS_OF_TXS = ACCOUNT.query(`SELECT DISTINCT ${ACCOUNT.columns('a')} FROM ledger_tx t
  JOIN ledger_entry e ON e.tx_seq = t.seq JOIN ledger_account a ON a.id = e.account WHERE t.id IN (...)`);
/** Wallet and receivable of one agent: what the one cannot bear, the other takes. */
export const PAIRED_ACCOUNTS_OF_TXS = ACCOUNT.query(`SELECT DISTINCT ${ACCOUNT.columns('a')} FROM ledger_tx t
  JOIN ledger_entry e ON e.tx_seq = t.seq JOIN ledger_account a ON a.id = CASE WHEN substr(e.account, 1, 7) = 'wallet:'
  THEN 'receivable:' || substr(e.account, 8) ELSE 'wallet:' || substr(e.account, 12) END WHERE t.id IN (...)`);
export const TXS_OF_IDEMS = TX.select('WHERE idem IN (...)');
export const TXS_OF_IDS = TX.select('WHERE id IN (...)');
export const ENTRIES_OF_TXS = LEDGER_ENTRY.query(
  `SELECT ${LEDGER_ENTRY.columns('e')} FROM ledger_entry e JOIN ledger_tx t ON t.seq = e.tx_seq WHERE t.id IN (...)`,
);
export const HOLDS_OF_IDS = HOLD.select('WHERE id IN (...)');
export const HOLDS_OF_IDEMS = HOLD.select('WHERE idem IN (...)');
export const HOLDS_DUE = HOLD.select(`WHERE status = 'pending' AND expires_at <= $1 ORDER BY expires_at, id LIMIT 100`);

export const ANSWERS_OF_KEYS = ANSWER.select('WHERE key_hash IN (...)');

export const ACCOUNTS_OF_AGENT = ACCOUNT.select('WHERE id IN ($1, $2)');
const LINE = {
  tx_seq: as('seq', integer()),
  id: as('txId', text()),
  at: as('atMs', integer()),
  kind: text(),
  ref: nullable(text()),
  gained: as('amountMicro', integer()),
  balance_after: as('balanceAfterMicro', integer()),
  idem: text(),
  meta: text(),
  prev_hash: as('prevHash', text()),
  hash: text(),
};
const TX_OF_LINE = 't.id, t.at, t.kind, t.ref, t.idem, t.meta, t.prev_hash, t.hash';
/** One line per transaction, also where it touches the wallet twice. */
export const STATEMENT = query(
  `SELECT s.tx_seq, -s.amount AS gained, e.balance_after, ${TX_OF_LINE} FROM (
  SELECT account, tx_seq, CAST(SUM(amount) AS BIGINT) AS amount, MAX(leg) AS leg FROM ledger_entry
  WHERE account = $1 AND tx_seq < $2 GROUP BY account, tx_seq ORDER BY account DESC, tx_seq DESC LIMIT $3) s
  JOIN ledger_entry e ON e.tx_seq = s.tx_seq AND e.leg = s.leg JOIN ledger_tx t ON t.seq = s.tx_seq
  ORDER BY s.tx_seq DESC`,
  LINE,
);

/** Of one kind or of all (an empty one), between two moments, and of what a part of its JSON names. */
export const STATEMENT_WHERE = query(
  `SELECT s.tx_seq, -s.amount AS gained, e.balance_after, ${TX_OF_LINE} FROM (
  SELECT n.account, n.tx_seq, CAST(SUM(n.amount) AS BIGINT) AS amount, MAX(n.leg) AS leg
  FROM ledger_entry n JOIN ledger_tx o ON o.seq = n.tx_seq WHERE n.account = $1 AND n.tx_seq < $2
  AND ($4 = '' OR o.kind = $4) AND o.at >= $5 AND o.at < $6 AND o.meta LIKE $7
  GROUP BY n.account, n.tx_seq ORDER BY n.tx_seq DESC LIMIT $3) s
  JOIN ledger_entry e ON e.tx_seq = s.tx_seq AND e.leg = s.leg JOIN ledger_tx t ON t.seq = s.tx_seq
  ORDER BY s.tx_seq DESC`,
  LINE,
);
export const KINDS_OF_ACCOUNT = query(
  `SELECT DISTINCT t.kind FROM
  (SELECT tx_seq FROM ledger_entry WHERE account = $1 ORDER BY tx_seq DESC LIMIT 1000) AS e
  JOIN ledger_tx t ON t.seq = e.tx_seq ORDER BY t.kind`,
  { kind: text() },
);
/** What a wallet gained in each transaction between two, newest first. */
export const MOVED_BETWEEN = query(
  `SELECT s.tx_seq, -s.amount AS gained, t.at, t.kind, t.meta FROM (
  SELECT account, tx_seq, CAST(SUM(amount) AS BIGINT) AS amount FROM ledger_entry
  WHERE account = $1 AND tx_seq > $2 AND tx_seq < $3
  GROUP BY account, tx_seq ORDER BY account DESC, tx_seq DESC LIMIT $4) s
  JOIN ledger_tx t ON t.seq = s.tx_seq ORDER BY s.tx_seq DESC`,
  {
    tx_seq: as('seq', integer()),
    gained: as('amountMicro', integer()),
    at: as('atMs', integer()),
    kind: text(),
    meta: text(),
  },
);
/** The newest transactions of a wallet, with when the money was set aside: that was during the call that caused it. */
export const CAUSED = query(
  `SELECT s.tx_seq, -s.amount AS gained, t.id, t.kind, t.ref, t.meta, t.at, COALESCE(h.at, t.at) AS caused_at FROM (
  SELECT account, tx_seq, CAST(SUM(amount) AS BIGINT) AS amount FROM ledger_entry
  WHERE account = $1 GROUP BY account, tx_seq ORDER BY account DESC, tx_seq DESC LIMIT $2) s
  JOIN ledger_tx t ON t.seq = s.tx_seq
  LEFT JOIN ledger_hold h ON h.id = substr(t.idem, 5) AND substr(t.idem, 1, 4) = 'cap:'
  ORDER BY s.tx_seq DESC`,
  {
    tx_seq: as('seq', integer()),
    gained: as('amountMicro', integer()),
    id: as('txId', text()),
    kind: text(),
    ref: nullable(text()),
    meta: text(),
    at: as('atMs', integer()),
    caused_at: as('causedAtMs', integer()),
  },
);
/** Audits whose head was sealed, from a transaction on. */
export const SEALED_AUDITS_FROM = LEDGER_AUDIT.select(
  `WHERE scope = 'nightly' AND ok = 1 AND upto_seq >= $1 ORDER BY upto_seq, at LIMIT 1000`,
);

export const CARD_SUM_OF_KIND = query(
  `SELECT CAST(COALESCE(SUM(e.amount), 0) AS BIGINT) AS amount FROM ledger_entry e
  JOIN ledger_tx t ON t.seq = e.tx_seq WHERE e.account = 'psp:stripe' AND t.kind = $1`,
  { amount: integer() },
);
/** What open holds come to whose idempotency keys begin like this. */
export const OPEN_HOLDS_FROM = query(
  `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS amount FROM ledger_hold
  WHERE status = 'pending' AND substr(idem, 1, length(CAST($1 AS TEXT))) = CAST($1 AS TEXT)`,
  { amount: integer() },
);
export const SIDES = query('SELECT id, side FROM ledger_account', { id: text(), side: text() });
export const TXS_BETWEEN = TX.select('WHERE seq > $1 AND seq <= $2 ORDER BY seq');
export const LEDGER_ENTRIES_BETWEEN = LEDGER_ENTRY.select('WHERE tx_seq > $1 AND tx_seq <= $2 ORDER BY tx_seq, leg');
export const LAST_AUDIT = LEDGER_AUDIT.select('ORDER BY at DESC, upto_seq DESC LIMIT 1');
export const LAST_GOOD_AUDIT = LEDGER_AUDIT.select('WHERE ok = 1 ORDER BY upto_seq DESC, at DESC LIMIT 1');
export const LAST_NIGHTLY = LEDGER_AUDIT.select(`WHERE scope = 'nightly' ORDER BY at DESC LIMIT 1`);

const found = (sql: string) => query(sql, { finding: text() });

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
].map(found);
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
].map(found);
