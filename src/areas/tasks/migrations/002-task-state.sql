CREATE INDEX task_state ON task (state);
