CREATE TABLE rule_flag (
  id TEXT PRIMARY KEY,
  subject TEXT NOT NULL,
  rule TEXT NOT NULL,
  signal TEXT NOT NULL,
  at BIGINT NOT NULL,
  salt TEXT NOT NULL,
  refusal_id TEXT,
  attestation_id TEXT NOT NULL,
  lifted_at BIGINT,
  ends_at BIGINT NOT NULL
);
CREATE INDEX rule_flag_subject ON rule_flag (subject);
CREATE INDEX rule_flag_ends_at ON rule_flag (ends_at);
CREATE TABLE rule_suspension (
  id TEXT PRIMARY KEY,
  subject TEXT NOT NULL,
  rule TEXT NOT NULL,
  at BIGINT NOT NULL,
  until BIGINT NOT NULL,
  salt TEXT NOT NULL,
  attestation_id TEXT NOT NULL,
  lifted_at BIGINT,
  ends_at BIGINT NOT NULL
);
CREATE INDEX rule_suspension_subject ON rule_suspension (subject);
CREATE INDEX rule_suspension_until ON rule_suspension (until);
CREATE INDEX rule_suspension_ends_at ON rule_suspension (ends_at);
CREATE TABLE rule_count (
  name TEXT PRIMARY KEY,
  times TEXT NOT NULL,
  ends_at BIGINT NOT NULL
);
CREATE INDEX rule_count_ends_at ON rule_count (ends_at);
