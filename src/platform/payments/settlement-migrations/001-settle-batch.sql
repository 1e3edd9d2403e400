CREATE TABLE settler_nonce (
  account TEXT PRIMARY KEY,
  next_nonce BIGINT NOT NULL
);
CREATE TABLE settle_batch (
  account TEXT NOT NULL,
  nonce BIGINT NOT NULL,
  hashes TEXT NOT NULL,
  raw TEXT NOT NULL,
  members TEXT NOT NULL,
  planned_at BIGINT NOT NULL,
  PRIMARY KEY (account, nonce)
);
