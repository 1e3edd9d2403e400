CREATE TABLE signed_identity (
  agent_url TEXT PRIMARY KEY,
  since BIGINT NOT NULL,
  seen BIGINT NOT NULL
);
CREATE INDEX signed_identity_seen ON signed_identity (seen);
