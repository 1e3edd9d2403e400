ALTER TABLE amh_mandate ADD COLUMN agent_id TEXT;
CREATE INDEX amh_mandate_agent ON amh_mandate (agent_id, created_at);
