CREATE TABLE rejects_index (
  key TEXT PRIMARY KEY,
  seq BIGINT NOT NULL
);
CREATE INDEX rejects_index_seq ON rejects_index (seq);
CREATE TABLE seal_idempotency (
  key_hash TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  reservation TEXT NOT NULL,
  until BIGINT NOT NULL,
  seq BIGINT,
  holder BIGINT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX seal_idempotency_at ON seal_idempotency (at);
