const MAIL = 'id, to_email, subject, body, state, tries, next_at, drop_at, created_at';

export const MAILS_OF_IDS = `SELECT ${MAIL} FROM mail_outbox WHERE id IN (...)`;
export const MAILS_OF_RECEIVERS = `SELECT ${MAIL} FROM mail_outbox WHERE to_email IN (...)`;
export const MAILS_BEFORE = `SELECT ${MAIL} FROM mail_outbox WHERE created_at < $1 ORDER BY created_at LIMIT 500`;
export const MAIL_UPSERT = `INSERT INTO mail_outbox (${MAIL}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (id) DO UPDATE SET body = excluded.body, state = excluded.state, tries = excluded.tries, next_at = excluded.next_at`;
export const MAIL_DELETE = 'DELETE FROM mail_outbox WHERE id IN (VALUES ($1))';

export const MAILS_DUE = `SELECT ${MAIL} FROM mail_outbox WHERE next_at <= $1 ORDER BY next_at, id LIMIT 50`;
export const NEWEST_MAILS = `SELECT ${MAIL} FROM mail_outbox ORDER BY created_at DESC, id DESC LIMIT $1`;
