CREATE TABLE login_link (
  token_hash TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  code_hmac TEXT NOT NULL,
  tries BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  addr TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX login_link_email ON login_link (email, created_at);
CREATE INDEX login_link_browser ON login_link (browser_hash);
CREATE INDEX login_link_addr ON login_link (addr, created_at);
CREATE INDEX login_link_created ON login_link (created_at);
CREATE TABLE login_code_fault (
  email TEXT PRIMARY KEY,
  wrong BIGINT NOT NULL,
  since BIGINT NOT NULL,
  closed_until BIGINT NOT NULL
);
CREATE TABLE cabinet_session (
  id_hash TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL,
  idle_until BIGINT NOT NULL,
  absolute_until BIGINT NOT NULL,
  user_agent TEXT NOT NULL
);
CREATE INDEX cabinet_session_email ON cabinet_session (email);
CREATE INDEX cabinet_session_idle ON cabinet_session (idle_until);
CREATE TABLE agent_call (
  agent_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  n BIGINT NOT NULL,
  operation TEXT NOT NULL,
  method TEXT NOT NULL,
  status BIGINT NOT NULL,
  code TEXT,
  ms BIGINT NOT NULL,
  PRIMARY KEY (agent_id, at, n)
);
CREATE INDEX agent_call_at ON agent_call (at);
