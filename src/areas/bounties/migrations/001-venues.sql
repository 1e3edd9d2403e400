CREATE TABLE venue_source (
  source TEXT PRIMARY KEY,
  hour_start BIGINT NOT NULL,
  crawl_calls BIGINT NOT NULL,
  look_calls BIGINT NOT NULL,
  last_call BIGINT NOT NULL,
  held_until BIGINT NOT NULL,
  failures BIGINT NOT NULL
);
CREATE TABLE venue_answer (
  url TEXT PRIMARY KEY,
  etag TEXT NOT NULL,
  value TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX venue_answer_at ON venue_answer (at);
CREATE TABLE venue_item (
  key TEXT PRIMARY KEY,
  repository TEXT NOT NULL,
  listed BIGINT NOT NULL,
  seen_pass BIGINT NOT NULL,
  tried_at BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  usd BIGINT NOT NULL,
  item TEXT,
  item_at BIGINT NOT NULL,
  crowd TEXT,
  crowd_at BIGINT NOT NULL,
  crowd_for BIGINT NOT NULL
);
CREATE INDEX venue_item_listed ON venue_item (listed, item_at);
CREATE TABLE venue_repository (
  repository TEXT PRIMARY KEY,
  rewarded BIGINT,
  at BIGINT NOT NULL,
  tried_at BIGINT NOT NULL
);
CREATE TABLE venue_offer (
  key TEXT PRIMARY KEY,
  usd BIGINT NOT NULL,
  people BIGINT NOT NULL,
  at BIGINT NOT NULL
);
CREATE TABLE venue_crawl (
  name TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  version BIGINT NOT NULL
);
