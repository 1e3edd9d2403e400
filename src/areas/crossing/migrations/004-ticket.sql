CREATE TABLE ticket (
  key TEXT NOT NULL,
  agent TEXT NOT NULL,
  proof TEXT NOT NULL,
  place BIGINT NOT NULL,
  keep_until BIGINT NOT NULL,
  free_at BIGINT,
  PRIMARY KEY (key, agent, proof)
);
