CREATE TABLE task (
  id TEXT PRIMARY KEY,
  receipt_id TEXT NOT NULL UNIQUE,
  receipt_key_sha256 TEXT NOT NULL UNIQUE,
  idem TEXT UNIQUE,
  state TEXT NOT NULL,
  addr TEXT,
  run_until BIGINT,
  due_at BIGINT,
  body TEXT NOT NULL
);
CREATE INDEX task_addr ON task (addr) WHERE addr IS NOT NULL;
CREATE INDEX task_run_until ON task (run_until) WHERE run_until IS NOT NULL;
CREATE INDEX task_due_at ON task (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE task_step (
  task_id TEXT NOT NULL,
  n BIGINT NOT NULL,
  name TEXT NOT NULL,
  input_sha256 TEXT NOT NULL,
  output TEXT,
  output_sha256 TEXT,
  prev TEXT NOT NULL,
  hash TEXT,
  at BIGINT NOT NULL,
  PRIMARY KEY (task_id, n)
);
CREATE TABLE task_try (
  tag TEXT PRIMARY KEY,
  period TEXT NOT NULL,
  used BIGINT NOT NULL
);
CREATE INDEX task_try_period ON task_try (period);
