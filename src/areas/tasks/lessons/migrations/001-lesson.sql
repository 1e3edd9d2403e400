CREATE TABLE lesson (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  theme TEXT NOT NULL,
  terms BIGINT NOT NULL,
  addr TEXT NOT NULL,
  at BIGINT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (who, sha256)
);
CREATE INDEX lesson_theme ON lesson (theme, at);
CREATE INDEX lesson_addr ON lesson (addr, at);
CREATE TABLE lesson_term (
  term TEXT NOT NULL,
  lesson_id TEXT NOT NULL,
  PRIMARY KEY (term, lesson_id)
);
CREATE TABLE lesson_digest (
  sha256 TEXT PRIMARY KEY,
  at BIGINT NOT NULL,
  attestation_id TEXT NOT NULL,
  body TEXT NOT NULL
);
