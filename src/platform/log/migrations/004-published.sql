CREATE TABLE published (
  size BIGINT PRIMARY KEY,
  note TEXT NOT NULL,
  at BIGINT NOT NULL,
  submitted BIGINT NOT NULL,
  witnessed BIGINT NOT NULL
);
CREATE INDEX published_submitted ON published (submitted, size);
CREATE INDEX published_witnessed ON published (witnessed, size);
CREATE TABLE witness_state (
  name TEXT PRIMARY KEY,
  size BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  at BIGINT NOT NULL
);
