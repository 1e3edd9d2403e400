const COLUMNS = 'id, addr, answer, purpose, at, attestation_id, log_seq, sealed_at';

export const CHECKS_OF_IDS = `SELECT ${COLUMNS} FROM free_check WHERE id IN (...)`;
export const CHECK_OF_ID = `SELECT ${COLUMNS} FROM free_check WHERE id = $1`;
export const ASKED_FROM = 'SELECT id, addr FROM free_check WHERE addr IN (...)';
export const COUNT_FROM = 'SELECT COUNT(*) AS checks FROM free_check WHERE addr = $1';
export const CHECKS_DUE = `SELECT ${COLUMNS} FROM free_check WHERE at <= $1 ORDER BY at, id LIMIT 500`;
export const CHECK_UPSERT = `INSERT INTO free_check (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (id) DO UPDATE SET attestation_id = excluded.attestation_id, log_seq = excluded.log_seq,
  sealed_at = excluded.sealed_at`;
export const CHECK_DELETE = 'DELETE FROM free_check WHERE id IN (VALUES ($1))';
