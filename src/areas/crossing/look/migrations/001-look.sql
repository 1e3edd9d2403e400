CREATE TABLE look (
  key TEXT NOT NULL,
  agent TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (key, agent)
);
CREATE INDEX look_at ON look (at);
CREATE INDEX mark_proven ON mark (key, kind, seq) WHERE leased = 1 AND evidence IS NOT NULL;
