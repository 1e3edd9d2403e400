CREATE TABLE tile_hashes (
  level BIGINT NOT NULL,
  tile BIGINT NOT NULL,
  hashes TEXT NOT NULL,
  PRIMARY KEY (level, tile)
);
