CREATE TABLE head (
  id BIGINT PRIMARY KEY,
  rev BIGINT NOT NULL,
  at BIGINT NOT NULL
);
INSERT INTO head (id, rev, at) VALUES (1, 0, 0);
CREATE TABLE event (
  rev BIGINT PRIMARY KEY,
  key TEXT NOT NULL,
  type TEXT NOT NULL,
  at BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX event_key ON event (key, rev);
CREATE TABLE writer (
  process TEXT PRIMARY KEY,
  batch_no BIGINT NOT NULL
);
CREATE TABLE process (
  id TEXT PRIMARY KEY,
  until BIGINT NOT NULL
);
CREATE TABLE leader (
  job TEXT PRIMARY KEY,
  process TEXT NOT NULL,
  until BIGINT NOT NULL
);
