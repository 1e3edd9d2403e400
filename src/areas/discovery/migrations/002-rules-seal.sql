CREATE TABLE rules_seal (
  version TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  attestation_id TEXT NOT NULL,
  at BIGINT NOT NULL
);
