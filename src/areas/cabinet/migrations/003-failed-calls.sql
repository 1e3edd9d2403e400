-- Few calls fail: they are counted without reading the others.
CREATE INDEX agent_call_failed ON agent_call (agent_id, at) WHERE status >= 400;
