CREATE TABLE dataset_source (
  source TEXT PRIMARY KEY,
  part TEXT NOT NULL,
  previous_part TEXT NOT NULL,
  staging TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  retrieved_at BIGINT NOT NULL,
  checked_at BIGINT NOT NULL,
  row_count BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  raw_sha256 TEXT NOT NULL,
  cursor_text TEXT,
  validators TEXT,
  failures BIGINT NOT NULL,
  failed_at BIGINT NOT NULL,
  failure TEXT,
  not_before BIGINT NOT NULL
);
CREATE TABLE dataset_snapshot (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  retrieved_at BIGINT NOT NULL,
  row_count BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  raw_sha256 TEXT NOT NULL
);
CREATE INDEX dataset_snapshot_at ON dataset_snapshot (retrieved_at);
CREATE TABLE dataset_row (
  part TEXT NOT NULL,
  id TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  retrieved_at BIGINT NOT NULL,
  sort_at BIGINT NOT NULL,
  until_at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  authority TEXT NOT NULL,
  facets TEXT NOT NULL,
  reference TEXT NOT NULL,
  search_text TEXT NOT NULL,
  lat BIGINT,
  lon BIGINT,
  licence TEXT NOT NULL,
  source_url TEXT NOT NULL,
  body TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (part, id)
);
CREATE INDEX dataset_row_time ON dataset_row (part, sort_at);
CREATE INDEX dataset_row_authority ON dataset_row (part, authority, sort_at);
CREATE TABLE dataset_seal (
  name TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  attestation_id TEXT NOT NULL,
  at BIGINT NOT NULL
);
