CREATE TABLE payment (
  id TEXT PRIMARY KEY,
  network TEXT NOT NULL,
  asset TEXT NOT NULL,
  payer TEXT NOT NULL,
  nonce TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  amount BIGINT NOT NULL,
  pay_to TEXT NOT NULL,
  state TEXT NOT NULL,
  payload TEXT,
  idem_hash TEXT,
  payment_id TEXT,
  header_sha256 TEXT NOT NULL,
  valid_before BIGINT NOT NULL,
  result TEXT,
  tx TEXT,
  log_index BIGINT,
  receipt_id TEXT,
  result_sha256 TEXT,
  response_status BIGINT,
  response_headers TEXT,
  response_body TEXT,
  error_reason TEXT,
  chain_instance TEXT,
  owner TEXT,
  owner_until BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX payment_idem_hash ON payment (idem_hash);
CREATE UNIQUE INDEX payment_payment_id ON payment (payer, payment_id);
CREATE INDEX payment_named ON payment (payment_id);
CREATE INDEX payment_nonce ON payment (nonce);
CREATE INDEX payment_state ON payment (state, updated_at);
CREATE INDEX payment_payer ON payment (payer, state);
