-- What is open is found without reading what is over.
CREATE INDEX supplier_order_agent_state ON supplier_order (agent_id, state, created_at, id);
