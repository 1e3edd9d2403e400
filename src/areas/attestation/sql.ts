export const FEE_INSERT = `INSERT INTO seal_fee (attestation_id, schema_id, owner, fee_eurocents, fee_status, at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

export const REJECTS_OF_KEYS = 'SELECT key, seq FROM rejects_index WHERE key IN (...)';
/** Whoever held the server secret could else still test a guess of what was erased. */
export const REJECT_FORGET = 'DELETE FROM rejects_index WHERE seq IN (VALUES (CAST($1 AS BIGINT)))';
export const REJECT_INSERT = 'INSERT INTO rejects_index (key, seq) VALUES ($1, $2)';

export const LOOKUP_INSERT = 'INSERT INTO seal_lookup (sha256, seq, field, attestation_id) VALUES ($1, $2, $3, $4)';
export const LOOKUPS_OF =
  'SELECT attestation_id, seq, field FROM seal_lookup WHERE sha256 = $1 AND seq < $2 ORDER BY seq, field LIMIT $3';
/** A digest of a short claim can be guessed: it goes with the claim. */
export const LOOKUP_FORGET = 'DELETE FROM seal_lookup WHERE seq IN (VALUES (CAST($1 AS BIGINT)))';

const IDEMPOTENCY_COLUMNS = 'key_hash, fingerprint, reservation, until, seq, holder, at';
export const IDEMPOTENT_OF_KEYS = `SELECT ${IDEMPOTENCY_COLUMNS} FROM seal_idempotency WHERE key_hash IN (...)`;
export const IDEMPOTENT_DUE = `SELECT ${IDEMPOTENCY_COLUMNS} FROM seal_idempotency WHERE at <= $1 ORDER BY at LIMIT 500`;
export const IDEMPOTENT_UPSERT = `INSERT INTO seal_idempotency (${IDEMPOTENCY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (key_hash) DO UPDATE SET fingerprint = excluded.fingerprint, reservation = excluded.reservation,
  until = excluded.until, seq = excluded.seq, holder = excluded.holder, at = excluded.at`;
export const IDEMPOTENT_DELETE = 'DELETE FROM seal_idempotency WHERE key_hash IN (VALUES ($1))';
