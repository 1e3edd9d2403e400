CREATE TABLE seal_lookup (
  sha256 TEXT NOT NULL,
  seq BIGINT NOT NULL,
  field TEXT NOT NULL,
  attestation_id TEXT NOT NULL,
  PRIMARY KEY (sha256, seq, field)
);
CREATE INDEX seal_lookup_seq ON seal_lookup (seq);
