CREATE TABLE bazaar_listing (
  operation_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  at BIGINT NOT NULL
);
