ALTER TABLE amh_mandate ADD COLUMN ap2 TEXT;
ALTER TABLE amh_verification ADD COLUMN ap2_reference TEXT;
CREATE TABLE amh_ap2_use (
  use_key TEXT PRIMARY KEY,
  owner TEXT NOT NULL
);
