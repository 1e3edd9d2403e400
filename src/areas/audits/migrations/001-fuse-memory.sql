CREATE TABLE fuse_memory (
  payment TEXT PRIMARY KEY,
  intent TEXT,
  prober TEXT,
  payer TEXT NOT NULL,
  amount BIGINT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX fuse_memory_intent ON fuse_memory (intent);
CREATE INDEX fuse_memory_prober ON fuse_memory (prober);
CREATE INDEX fuse_memory_at ON fuse_memory (at);
