CREATE TABLE brief (
  id TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  slots BIGINT NOT NULL,
  card TEXT NOT NULL,
  tok TEXT NOT NULL,
  made_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL,
  closed_at BIGINT,
  open_until BIGINT,
  gone_at BIGINT NOT NULL
);
CREATE INDEX brief_key ON brief (key);
CREATE INDEX brief_gone_at ON brief (gone_at);
