-- The calls of one operation are found without reading the others.
CREATE INDEX agent_call_operation ON agent_call (agent_id, operation, at, n);
