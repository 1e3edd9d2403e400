CREATE TABLE ledger_account (
  id TEXT PRIMARY KEY,
  side TEXT NOT NULL,
  currency TEXT NOT NULL,
  posted BIGINT NOT NULL,
  held BIGINT NOT NULL,
  no_overdraft BIGINT NOT NULL,
  frozen BIGINT NOT NULL,
  CONSTRAINT held_not_negative CHECK (held >= 0),
  CONSTRAINT no_overdraft_ok CHECK (no_overdraft = 0 OR posted - held >= 0)
);
CREATE TABLE ledger_tx (
  seq BIGINT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  idem TEXT NOT NULL UNIQUE,
  fingerprint TEXT NOT NULL,
  ref TEXT,
  at BIGINT NOT NULL,
  meta TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE TABLE ledger_entry (
  tx_seq BIGINT NOT NULL REFERENCES ledger_tx (seq),
  leg BIGINT NOT NULL,
  account TEXT NOT NULL REFERENCES ledger_account (id),
  amount BIGINT NOT NULL CHECK (amount <> 0),
  balance_after BIGINT NOT NULL,
  PRIMARY KEY (tx_seq, leg)
);
CREATE INDEX ledger_entry_account ON ledger_entry (account, tx_seq);
CREATE TABLE ledger_hold (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES ledger_account (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  captured BIGINT NOT NULL,
  status TEXT NOT NULL,
  idem TEXT NOT NULL UNIQUE,
  fingerprint TEXT NOT NULL,
  ref TEXT,
  expires_at BIGINT,
  at BIGINT NOT NULL
);
CREATE INDEX ledger_hold_due ON ledger_hold (expires_at) WHERE status = 'pending';
CREATE INDEX ledger_hold_pending ON ledger_hold (account) WHERE status = 'pending';
CREATE TABLE ledger_head (
  id BIGINT PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  halted BIGINT NOT NULL
);
CREATE TABLE ledger_audit (
  at BIGINT NOT NULL,
  upto_seq BIGINT NOT NULL,
  upto_hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  ok BIGINT NOT NULL,
  findings TEXT NOT NULL
);
CREATE INDEX ledger_audit_at ON ledger_audit (at);
CREATE INDEX ledger_audit_upto ON ledger_audit (upto_seq, at);
CREATE TABLE api_idempotency (
  key_hash TEXT PRIMARY KEY,
  body_sha256 TEXT NOT NULL,
  status BIGINT,
  answer TEXT,
  expires_at BIGINT NOT NULL
);
CREATE INDEX api_idempotency_due ON api_idempotency (expires_at);
INSERT INTO ledger_head (id, seq, hash, halted)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000', 0);
INSERT INTO ledger_account (id, side, currency, posted, held, no_overdraft, frozen) VALUES
  ('psp:stripe', 'debit', 'EUR', 0, 0, 0, 0),
  ('cost:provider', 'debit', 'EUR', 0, 0, 0, 0),
  ('expense:chargeback', 'debit', 'EUR', 0, 0, 0, 0),
  ('expense:goodwill', 'debit', 'EUR', 0, 0, 0, 0),
  ('expense:overrun', 'debit', 'EUR', 0, 0, 0, 0),
  ('expense:psp_fee', 'debit', 'EUR', 0, 0, 0, 0),
  ('payable:provider', 'credit', 'EUR', 0, 0, 0, 0),
  ('revenue:bom', 'credit', 'EUR', 0, 0, 0, 0),
  ('revenue:capability', 'credit', 'EUR', 0, 0, 0, 0),
  ('revenue:order_fee', 'credit', 'EUR', 0, 0, 0, 0),
  ('revenue:seal', 'credit', 'EUR', 0, 0, 0, 0),
  ('revenue:verdict', 'credit', 'EUR', 0, 0, 0, 0);
