CREATE TABLE links (
  to_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  seq BIGINT NOT NULL,
  from_id TEXT NOT NULL,
  PRIMARY KEY (to_id, kind, seq)
);
