CREATE TABLE mark (
  seq BIGINT PRIMARY KEY,
  rev BIGINT NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  note TEXT,
  evidence TEXT,
  leased BIGINT NOT NULL,
  addr TEXT NOT NULL,
  at BIGINT NOT NULL,
  fades_at BIGINT NOT NULL
);
CREATE INDEX mark_key ON mark (key, seq);
CREATE INDEX mark_caller ON mark ((addr || ' ' || key));
CREATE INDEX mark_fades_at ON mark (fades_at);
ALTER TABLE ended ADD COLUMN outcome TEXT;
ALTER TABLE ended ADD COLUMN mark_seq BIGINT;
ALTER TABLE ended ADD COLUMN mark_refused TEXT;
CREATE INDEX ended_caller ON ended ((addr || ' ' || key));
DROP INDEX ended_key;
CREATE INDEX ended_fence ON ended (key, fence);
CREATE INDEX once_fence ON once (fence);
