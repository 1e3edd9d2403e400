CREATE TABLE service_key (
  key_id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  public_key TEXT NOT NULL,
  valid_from BIGINT NOT NULL,
  retired_at BIGINT,
  superseded_by TEXT
);
CREATE TABLE day_key (
  day TEXT PRIMARY KEY,
  secret TEXT NOT NULL
);
