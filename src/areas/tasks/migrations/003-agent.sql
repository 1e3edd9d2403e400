ALTER TABLE task ADD COLUMN agent_id TEXT;
ALTER TABLE task ADD COLUMN created_at BIGINT;
CREATE INDEX task_agent ON task (agent_id, created_at, id);
