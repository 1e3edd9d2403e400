-- What waits or runs is found without reading what is over.
CREATE INDEX task_agent_state ON task (agent_id, state, created_at, id);
