CREATE TABLE seal_fee (
  attestation_id TEXT PRIMARY KEY,
  schema_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  fee_eurocents BIGINT NOT NULL,
  fee_status TEXT NOT NULL,
  at BIGINT NOT NULL
);
