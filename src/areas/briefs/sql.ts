const COLUMNS = 'id, key, slots, card, tok, made_at, changed_at, closed_at, open_until, gone_at';

export const BRIEFS_OF_IDS = `SELECT ${COLUMNS} FROM brief WHERE id IN (...)`;
export const BRIEF_OF_ID = `SELECT ${COLUMNS} FROM brief WHERE id = $1`;
export const BRIEFS_OF_KEY = `SELECT ${COLUMNS} FROM brief WHERE key = $1`;
export const COUNTS_OF_KEYS = 'SELECT key, COUNT(*) AS briefs FROM brief WHERE key IN (...) GROUP BY key';
export const SLOTS_OF_BRIEFS = 'SELECT id, key, slots, open_until FROM brief WHERE id IN (...)';
export const BRIEFS_DUE = `SELECT ${COLUMNS} FROM brief WHERE gone_at <= $1 ORDER BY gone_at, id LIMIT 500`;
export const BRIEF_UPSERT = `INSERT INTO brief (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE SET slots = excluded.slots, card = excluded.card, changed_at = excluded.changed_at,
  closed_at = excluded.closed_at, open_until = excluded.open_until, gone_at = excluded.gone_at`;
export const BRIEF_DELETE = 'DELETE FROM brief WHERE id IN (VALUES ($1))';
