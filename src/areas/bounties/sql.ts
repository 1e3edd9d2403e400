const SOURCE = 'source, hour_start, crawl_calls, look_calls, last_call, held_until, failures';
export const SOURCES = `SELECT ${SOURCE} FROM venue_source WHERE source IN (...)`;
export const PUT_SOURCE = `INSERT INTO venue_source (${SOURCE}) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (source) DO UPDATE SET hour_start = excluded.hour_start, crawl_calls = excluded.crawl_calls,
  look_calls = excluded.look_calls, last_call = excluded.last_call, held_until = excluded.held_until,
  failures = excluded.failures`;

export const ANSWER = 'SELECT etag, value FROM venue_answer WHERE url = $1';
export const PUT_ANSWER = `INSERT INTO venue_answer (url, etag, value, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (url) DO UPDATE SET etag = excluded.etag, value = excluded.value, at = excluded.at`;
export const OLD_ANSWERS = 'SELECT url FROM venue_answer WHERE at <= $1 ORDER BY at, url LIMIT 500';
export const DELETE_ANSWER = 'DELETE FROM venue_answer WHERE url IN (VALUES ($1))';

const ITEM = 'key, repository, listed, seen_pass, tried_at, updated, usd, item, item_at, crowd, crowd_at, crowd_for';
export const ITEMS = `SELECT ${ITEM} FROM venue_item WHERE key IN (...)`;
export const ONE_ITEM = `SELECT ${ITEM} FROM venue_item WHERE key = $1`;
export const LISTED = `SELECT ${ITEM} FROM venue_item WHERE listed = 1`;
export const OLD_ITEMS = `SELECT ${ITEM} FROM venue_item WHERE listed = 0 AND item_at <= $1 ORDER BY item_at, key LIMIT 500`;
export const PUT_ITEM = `INSERT INTO venue_item (${ITEM}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (key) DO UPDATE SET repository = excluded.repository, listed = excluded.listed,
  seen_pass = excluded.seen_pass, tried_at = excluded.tried_at, updated = excluded.updated, usd = excluded.usd,
  item = excluded.item, item_at = excluded.item_at, crowd = excluded.crowd, crowd_at = excluded.crowd_at,
  crowd_for = excluded.crowd_for`;
export const DELETE_ITEM = 'DELETE FROM venue_item WHERE key IN (VALUES ($1))';

/** What left the search goes first, then what changed, newest and best paid first, then the oldest facts. */
export const NEXT_ITEM = `SELECT ${ITEM} FROM venue_item WHERE listed = 1 AND tried_at < $1
  ORDER BY CASE WHEN seen_pass < $2 THEN 0 WHEN crowd_for <> updated THEN 1 ELSE 2 END,
  CASE WHEN crowd_for <> updated THEN 0 ELSE crowd_at END, updated DESC, usd DESC, key LIMIT 1`;

const REPOSITORY = 'repository, rewarded, at, tried_at';
export const REPOSITORIES = `SELECT ${REPOSITORY} FROM venue_repository WHERE repository IN (...)`;
export const ONE_REPOSITORY = `SELECT ${REPOSITORY} FROM venue_repository WHERE repository = $1`;
export const LISTED_REPOSITORIES = `SELECT ${REPOSITORY} FROM venue_repository WHERE repository IN
  (SELECT repository FROM venue_item WHERE listed = 1)`;
export const PUT_REPOSITORY = `INSERT INTO venue_repository (${REPOSITORY}) VALUES ($1, $2, $3, $4)
  ON CONFLICT (repository) DO UPDATE SET rewarded = excluded.rewarded, at = excluded.at, tried_at = excluded.tried_at`;
export const NEXT_REPOSITORY = `SELECT i.repository AS repository FROM venue_item i
  LEFT JOIN venue_repository r ON r.repository = i.repository
  WHERE i.listed = 1 AND (r.at IS NULL OR (r.at < $1 AND r.tried_at < $2))
  ORDER BY i.usd DESC, i.repository LIMIT 1`;

export const OFFERS = 'SELECT key, usd, people, at FROM venue_offer';
export const ONE_OFFER = 'SELECT key, usd, people, at FROM venue_offer WHERE key = $1';
export const PUT_OFFER = `INSERT INTO venue_offer (key, usd, people, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (key) DO UPDATE SET usd = excluded.usd, people = excluded.people, at = excluded.at`;
export const DELETE_OFFER = 'DELETE FROM venue_offer WHERE key IN (VALUES ($1))';

export const CRAWLS = 'SELECT name, state, version FROM venue_crawl';
export const ONE_CRAWL = 'SELECT name, state, version FROM venue_crawl WHERE name = $1';
export const PUT_CRAWL = `INSERT INTO venue_crawl (name, state, version) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET state = excluded.state, version = excluded.version`;
