CREATE TABLE seal_fee_by_time (
  at BIGINT NOT NULL,
  attestation_id TEXT NOT NULL,
  schema_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  fee_eurocents BIGINT NOT NULL,
  fee_status TEXT NOT NULL,
  PRIMARY KEY (at, attestation_id)
);
INSERT INTO seal_fee_by_time (at, attestation_id, schema_id, owner, fee_eurocents, fee_status)
  SELECT at, attestation_id, schema_id, owner, fee_eurocents, fee_status FROM seal_fee;
DROP TABLE seal_fee;
ALTER TABLE seal_fee_by_time RENAME TO seal_fee;
