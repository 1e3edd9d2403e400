CREATE TABLE amh_platform (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  mcp_url TEXT NOT NULL,
  contact TEXT NOT NULL,
  status TEXT NOT NULL,
  addr TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX amh_platform_addr ON amh_platform (addr, created_at);
CREATE TABLE amh_key (
  key_sha256 TEXT PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  platform_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT
);
CREATE INDEX amh_key_platform ON amh_key (platform_id);
CREATE TABLE amh_mandate (
  id TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  assurance TEXT NOT NULL,
  principal_pubkey TEXT,
  control_sha256 TEXT NOT NULL,
  cap BIGINT NOT NULL,
  valid_from BIGINT NOT NULL,
  valid_until BIGINT NOT NULL,
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  committed BIGINT NOT NULL CHECK (committed >= 0),
  actions BIGINT NOT NULL CHECK (actions >= 0),
  holds BIGINT NOT NULL CHECK (holds >= 0),
  over_cap BIGINT NOT NULL,
  sealed_after_revocation BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  attestation_id TEXT NOT NULL,
  log_seq BIGINT NOT NULL,
  revocation TEXT,
  CHECK (over_cap = 1 OR reserved + committed <= cap)
);
CREATE TABLE amh_nonce (
  nonce_key TEXT PRIMARY KEY
);
CREATE TABLE amh_period (
  mandate_id TEXT NOT NULL,
  period_start BIGINT NOT NULL,
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  committed BIGINT NOT NULL CHECK (committed >= 0),
  actions BIGINT NOT NULL CHECK (actions >= 0),
  PRIMARY KEY (mandate_id, period_start)
);
CREATE TABLE amh_verification (
  ref TEXT PRIMARY KEY,
  mandate_id TEXT NOT NULL,
  platform_id TEXT NOT NULL,
  payload_key TEXT NOT NULL,
  request TEXT NOT NULL,
  amount BIGINT NOT NULL,
  decision TEXT NOT NULL,
  reason TEXT NOT NULL,
  checks TEXT NOT NULL,
  remaining TEXT,
  state TEXT NOT NULL,
  reserved BIGINT NOT NULL,
  committed BIGINT NOT NULL,
  late BIGINT NOT NULL,
  over_cap BIGINT NOT NULL,
  period_start BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  attestation_id TEXT NOT NULL,
  log_seq BIGINT NOT NULL
);
CREATE INDEX amh_verification_payload ON amh_verification (payload_key);
CREATE INDEX amh_verification_mandate ON amh_verification (mandate_id, state, expires_at);
CREATE INDEX amh_verification_due ON amh_verification (state, expires_at);
CREATE TABLE amh_seal (
  attestation_id TEXT PRIMARY KEY,
  ref TEXT NOT NULL,
  outcome TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  external_ref TEXT,
  settlement_ref TEXT,
  evidence TEXT,
  answer TEXT NOT NULL,
  at BIGINT NOT NULL,
  log_seq BIGINT NOT NULL
);
CREATE INDEX amh_seal_ref ON amh_seal (ref);
CREATE TABLE amh_approval (
  ref TEXT PRIMARY KEY,
  mandate_id TEXT NOT NULL,
  payload_key TEXT NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_by TEXT
);
CREATE TABLE amh_answer (
  key_hash TEXT PRIMARY KEY,
  body_sha256 TEXT NOT NULL,
  answer TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX amh_answer_due ON amh_answer (expires_at);
