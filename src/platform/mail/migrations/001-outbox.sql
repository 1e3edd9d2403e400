CREATE TABLE mail_outbox (
  id TEXT PRIMARY KEY,
  to_email TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT,
  state TEXT NOT NULL,
  tries BIGINT NOT NULL,
  next_at BIGINT,
  drop_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX mail_outbox_created ON mail_outbox (created_at, id);
CREATE INDEX mail_outbox_to ON mail_outbox (to_email);
