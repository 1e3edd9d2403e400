import { VOIDABLE } from './handshake.ts';

const PLATFORM = 'id, name, mcp_url, contact, status, addr, created_at';
const KEY = 'key_sha256, key_id, platform_id, created_at, last_used_at, revoked_at';
const MANDATE =
  'id, body, sha256, assurance, principal_pubkey, control_sha256, cap, valid_from, valid_until, reserved, committed, actions, holds, over_cap, sealed_after_revocation, created_at, attestation_id, log_seq, revocation, agent_id, narrowings, voids';
const PERIOD = 'mandate_id, period_start, reserved, committed, actions';
const VERIFICATION =
  'ref, mandate_id, platform_id, payload_key, request, amount, decision, reason, checks, remaining, state, reserved, committed, late, over_cap, period_start, created_at, expires_at, attestation_id, log_seq, voided';
const SEAL = 'attestation_id, ref, outcome, body_sha256, external_ref, settlement_ref, evidence, answer, at, log_seq';
const APPROVAL = 'ref, mandate_id, payload_key, amount, currency, expires_at, used_by';

const qualified = (columns: string, alias: string) => columns.replaceAll(/\w+/g, (name) => `${alias}.${name}`);

/** All keys of the platforms that the named keys belong to. */
export const KEYS_OF_HASHES = `SELECT ${KEY} FROM amh_key WHERE platform_id IN (SELECT platform_id FROM amh_key WHERE key_sha256 IN (...))`;
export const PLATFORMS_OF_KEYS = `SELECT ${PLATFORM} FROM amh_platform WHERE id IN (SELECT platform_id FROM amh_key WHERE key_sha256 IN (...))`;
export const PLATFORMS_OF_IDS = `SELECT ${PLATFORM} FROM amh_platform WHERE id IN (...)`;
export const ALL_PLATFORMS = 'SELECT id, name, status, created_at FROM amh_platform ORDER BY created_at, id';
export const REGISTERED_FROM = 'SELECT addr, created_at FROM amh_platform WHERE addr IN (...)';
export const MANDATES_OF_IDS = `SELECT ${MANDATE} FROM amh_mandate WHERE id IN (...)`;
export const MANDATES_OF_REFS = `SELECT ${MANDATE} FROM amh_mandate WHERE id IN (SELECT mandate_id FROM amh_verification WHERE ref IN (...))`;
/** The newest period of each: the current one, or none has begun since. */
export const NEWEST_PERIODS = `SELECT ${qualified(PERIOD, 'p')} FROM amh_period p WHERE p.mandate_id IN (...)
  AND p.period_start = (SELECT MAX(q.period_start) FROM amh_period q WHERE q.mandate_id = p.mandate_id)`;
export const PERIODS_OF_REFS = `SELECT ${qualified(PERIOD, 'p')} FROM amh_period p JOIN amh_verification v
  ON v.mandate_id = p.mandate_id AND v.period_start = p.period_start WHERE v.ref IN (...)`;
export const VERIFICATIONS_OF_REFS = `SELECT ${VERIFICATION} FROM amh_verification WHERE ref IN (...)`;
export const VERIFICATIONS_OF_PAYLOADS = `SELECT ${VERIFICATION} FROM amh_verification
  WHERE state IN ('verified', 'placed', 'confirmed', 'delivered') AND payload_key IN (...)`;
/** What is over, or nearly; the sweep takes what does not fit. */
export const HOLDS_DUE = `SELECT ${VERIFICATION} FROM amh_verification
  WHERE state = 'verified' AND expires_at <= $1 ORDER BY expires_at, ref LIMIT 500`;
export const MANDATES_DUE = `SELECT ${MANDATE} FROM amh_mandate WHERE id IN (SELECT mandate_id FROM amh_verification
  WHERE state = 'verified' AND expires_at <= $1 ORDER BY expires_at, ref LIMIT 500)`;
export const PERIODS_DUE = `SELECT ${qualified(PERIOD, 'p')} FROM amh_period p JOIN (SELECT mandate_id, period_start
  FROM amh_verification WHERE state = 'verified' AND expires_at <= $1 ORDER BY expires_at, ref LIMIT 500) v
  ON v.mandate_id = p.mandate_id AND v.period_start = p.period_start`;
export const NONCES_OF_KEYS = 'SELECT nonce_key FROM amh_nonce WHERE nonce_key IN (...)';
export const SEALS_OF_REFS = `SELECT ${SEAL} FROM amh_seal WHERE ref IN (...)`;
export const APPROVALS_OF_REFS = `SELECT ${APPROVAL} FROM amh_approval WHERE ref IN (...)`;
export const ANSWERS_OF_KEYS =
  'SELECT key_hash, body_sha256, answer, expires_at FROM amh_answer WHERE key_hash IN (...)';
export const ANSWERS_DUE =
  'SELECT key_hash, body_sha256, answer, expires_at FROM amh_answer WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500';

const values = (columns: string) => {
  const places = columns.split(', ').map((_, i) => '$' + String(i + 1));
  return `(${columns}) VALUES (${places.join(', ')})`;
};
const update = (...columns: string[]) =>
  `DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

export const PLATFORM_UPSERT = `INSERT INTO amh_platform ${values(PLATFORM)} ON CONFLICT (id) ${update('status')}`;
export const KEY_UPSERT = `INSERT INTO amh_key ${values(KEY)} ON CONFLICT (key_sha256) ${update('last_used_at', 'revoked_at')}`;
export const MANDATE_UPSERT = `INSERT INTO amh_mandate ${values(MANDATE)} ON CONFLICT (id)
  ${update('reserved', 'committed', 'actions', 'holds', 'over_cap', 'sealed_after_revocation', 'revocation', 'narrowings', 'voids')}`;
export const PERIOD_UPSERT = `INSERT INTO amh_period ${values(PERIOD)} ON CONFLICT (mandate_id, period_start)
  ${update('reserved', 'committed', 'actions')}`;
export const NONCE_INSERT = `INSERT INTO amh_nonce ${values('nonce_key')}`;
export const VERIFICATION_UPSERT = `INSERT INTO amh_verification ${values(VERIFICATION)} ON CONFLICT (ref)
  ${update('state', 'reserved', 'committed', 'late', 'over_cap', 'voided')}`;
export const SEAL_INSERT = `INSERT INTO amh_seal ${values(SEAL)}`;
export const APPROVAL_UPSERT = `INSERT INTO amh_approval ${values(APPROVAL)} ON CONFLICT (ref) ${update('used_by')}`;
export const ANSWER_UPSERT = `INSERT INTO amh_answer ${values('key_hash, body_sha256, answer, expires_at')} ON CONFLICT (key_hash)
  ${update('body_sha256', 'answer', 'expires_at')}`;
export const ANSWER_DELETE = 'DELETE FROM amh_answer WHERE key_hash IN (VALUES ($1))';

export const MANDATE_OF_ID = `SELECT ${MANDATE} FROM amh_mandate WHERE id = $1`;
export const MANDATES_OF_AGENT = `SELECT ${MANDATE} FROM amh_mandate WHERE agent_id = $1 ORDER BY created_at DESC, id LIMIT $2`;
export const VERIFICATION_OF_REF = `SELECT ${VERIFICATION} FROM amh_verification WHERE ref = $1`;
export const SEALS_OF_REF = `SELECT ${SEAL} FROM amh_seal WHERE ref = $1 ORDER BY log_seq`;
export const OPEN_HOLDS = `SELECT ${VERIFICATION} FROM amh_verification WHERE state = 'verified' AND mandate_id = $1 ORDER BY expires_at LIMIT 1000`;
const VOIDABLE_STATES = [...VOIDABLE].map((state) => `'${state}'`).join(', ');
/** What a platform holds of a mandate, has committed or could still commit. */
export const USES_OF_PLATFORM = `SELECT ref FROM amh_verification
  WHERE mandate_id = $1 AND platform_id = $2 AND state IN (${VOIDABLE_STATES}) ORDER BY ref LIMIT $3`;
/** Who has used a mandate. Of one that was used very often the first ones stand for all. */
export const PLATFORMS_THAT_USED = `SELECT u.platform_id, MAX(p.name) AS name, COUNT(*) AS uses,
  CAST(SUM(u.reserved) AS BIGINT) AS reserved, CAST(SUM(u.committed) AS BIGINT) AS committed
  FROM (SELECT platform_id, reserved, committed FROM amh_verification
    WHERE mandate_id = $1 AND state IN (${VOIDABLE_STATES}) ORDER BY platform_id LIMIT 10000) u
  JOIN amh_platform p ON p.id = u.platform_id GROUP BY u.platform_id ORDER BY u.platform_id`;
export const PERIOD_OF = `SELECT ${PERIOD} FROM amh_period WHERE mandate_id = $1 AND period_start = $2`;
export const PLATFORM_FROM = 'SELECT id FROM amh_platform WHERE addr = $1 ORDER BY created_at, id LIMIT 1';
export const KEY_OF_HASH = 'SELECT platform_id FROM amh_key WHERE key_sha256 = $1 AND revoked_at IS NULL';
