CREATE TABLE lease (
  key TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  mode TEXT NOT NULL,
  tok TEXT NOT NULL,
  intent TEXT,
  hops BIGINT,
  addr TEXT NOT NULL,
  since BIGINT NOT NULL,
  evidence_at BIGINT,
  expires_at BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  PRIMARY KEY (key, id)
);
CREATE UNIQUE INDEX lease_id ON lease (id);
CREATE INDEX lease_expires_at ON lease (expires_at);
CREATE TABLE ended (
  id TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  agent TEXT NOT NULL,
  tok TEXT NOT NULL,
  addr TEXT NOT NULL,
  mode TEXT NOT NULL,
  fence BIGINT NOT NULL,
  how TEXT NOT NULL,
  ended_at BIGINT NOT NULL,
  rev BIGINT NOT NULL
);
CREATE INDEX ended_key ON ended (key);
CREATE INDEX ended_at ON ended (ended_at);
CREATE TABLE once (
  intent TEXT PRIMARY KEY,
  until BIGINT NOT NULL,
  fence BIGINT NOT NULL
);
CREATE INDEX once_until ON once (until);
