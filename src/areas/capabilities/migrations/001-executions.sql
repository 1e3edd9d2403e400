-- One row for each charged execution: what was done and charged, never what went in or came out.
CREATE TABLE execution (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  capability TEXT NOT NULL,
  mode TEXT NOT NULL,
  status TEXT NOT NULL,
  hold_id TEXT NOT NULL,
  -- The Idempotency-Key of the call, to be freed when it fails.
  idem_key TEXT,
  process TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  -- What still runs then never ends: its process is gone.
  runs_until BIGINT NOT NULL,
  finished_at BIGINT,
  -- Usage, price, provider, digest and receipt as JSON.
  record TEXT,
  error TEXT
);
CREATE INDEX execution_running ON execution (runs_until) WHERE status = 'running';
CREATE INDEX execution_finished ON execution (finished_at) WHERE status = 'done';
