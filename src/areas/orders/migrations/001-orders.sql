CREATE TABLE bom_calculation (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  head TEXT NOT NULL,
  lines TEXT NOT NULL,
  valid_until BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX bom_calculation_due ON bom_calculation (expires_at);
CREATE TABLE supplier_offer (
  source TEXT NOT NULL,
  owner TEXT NOT NULL,
  mpn TEXT NOT NULL,
  offers TEXT NOT NULL,
  retrieved_at BIGINT NOT NULL,
  PRIMARY KEY (source, owner, mpn)
);
CREATE INDEX supplier_offer_due ON supplier_offer (retrieved_at);
CREATE TABLE supplier_order (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  state TEXT NOT NULL,
  supplier TEXT NOT NULL,
  channel TEXT NOT NULL,
  calculation_id TEXT,
  lines TEXT NOT NULL,
  goods BIGINT NOT NULL CHECK (goods > 0),
  fee BIGINT NOT NULL CHECK (fee > 0),
  fee_state TEXT NOT NULL,
  hold_id TEXT,
  fee_tx TEXT,
  country TEXT NOT NULL,
  ship_to TEXT,
  note TEXT,
  mandate_id TEXT,
  verify_ref TEXT,
  supplier_ref TEXT,
  history TEXT NOT NULL,
  receipt TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT,
  asks_at BIGINT
);
CREATE INDEX supplier_order_agent ON supplier_order (agent_id, created_at, id);
CREATE INDEX supplier_order_expiry ON supplier_order (state, expires_at);
CREATE INDEX supplier_order_ended ON supplier_order (ended_at);
CREATE INDEX supplier_order_asks ON supplier_order (asks_at);
CREATE TABLE order_mail (
  order_id TEXT PRIMARY KEY,
  mail_to TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  at BIGINT NOT NULL,
  sent_at BIGINT
);
