CREATE TABLE log_head (
  id BIGINT PRIMARY KEY,
  origin TEXT NOT NULL,
  size BIGINT NOT NULL,
  root TEXT NOT NULL,
  subtrees TEXT NOT NULL,
  note TEXT NOT NULL
);
CREATE TABLE entries (
  seq BIGINT PRIMARY KEY,
  type TEXT NOT NULL,
  leaf TEXT NOT NULL,
  leaf_hash TEXT NOT NULL,
  attestation_id TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE UNIQUE INDEX entries_attestation_id ON entries (attestation_id);
CREATE TABLE records (
  seq BIGINT PRIMARY KEY,
  schema_id TEXT,
  claim TEXT,
  seed TEXT,
  seed_sha256 TEXT,
  observations TEXT,
  disclosure TEXT NOT NULL,
  erased_at BIGINT,
  erased_in TEXT
);
CREATE TABLE checkpoints (
  size BIGINT PRIMARY KEY,
  note TEXT NOT NULL,
  at BIGINT NOT NULL
);
