CREATE TABLE free_check (
  id TEXT PRIMARY KEY,
  addr TEXT NOT NULL,
  answer TEXT NOT NULL,
  purpose TEXT,
  at BIGINT NOT NULL,
  attestation_id TEXT,
  log_seq BIGINT,
  sealed_at BIGINT
);
CREATE INDEX free_check_addr ON free_check (addr);
CREATE INDEX free_check_at ON free_check (at);
