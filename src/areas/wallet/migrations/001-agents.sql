CREATE TABLE agent (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  owner_email TEXT NOT NULL,
  owner_verified BIGINT NOT NULL,
  status TEXT NOT NULL,
  addr TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX agent_addr ON agent (addr, created_at);
CREATE INDEX agent_owner ON agent (owner_email);
CREATE TABLE agent_key (
  key_sha256 TEXT PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX agent_key_agent ON agent_key (agent_id);
CREATE TABLE agent_founder (
  id BIGINT PRIMARY KEY,
  agent_id TEXT NOT NULL
);
