CREATE TABLE status_change (
  component TEXT NOT NULL,
  at BIGINT NOT NULL,
  status TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (component, at)
);
CREATE INDEX status_change_at ON status_change (at);
