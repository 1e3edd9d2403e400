CREATE TABLE trail_anchor (
  attestation_id TEXT PRIMARY KEY,
  process TEXT NOT NULL,
  line BIGINT NOT NULL,
  hash TEXT NOT NULL,
  at BIGINT NOT NULL
);
