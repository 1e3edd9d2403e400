CREATE TABLE topup (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  tier TEXT NOT NULL,
  price_cents BIGINT NOT NULL CHECK (price_cents > 0),
  status TEXT NOT NULL,
  session_id TEXT UNIQUE,
  payment_intent TEXT UNIQUE,
  checkout_url TEXT,
  livemode BIGINT,
  created_at BIGINT NOT NULL,
  opened_at BIGINT,
  expires_at BIGINT,
  next_poll_at BIGINT,
  credited_at BIGINT,
  tx_id TEXT,
  review TEXT,
  version BIGINT NOT NULL
);
CREATE INDEX topup_agent ON topup (agent_id, created_at);
CREATE INDEX topup_due ON topup (next_poll_at) WHERE next_poll_at IS NOT NULL;
CREATE TABLE topup_dispute (
  id TEXT PRIMARY KEY,
  topup_id TEXT NOT NULL REFERENCES topup (id),
  agent_id TEXT NOT NULL,
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  hold_id TEXT NOT NULL,
  withdrawn_tx TEXT,
  reinstated BIGINT NOT NULL,
  closed TEXT,
  version BIGINT NOT NULL
);
CREATE INDEX topup_dispute_agent ON topup_dispute (agent_id);
CREATE TABLE stripe_event (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  topup_id TEXT
);
CREATE INDEX stripe_event_created ON stripe_event (created_at);
