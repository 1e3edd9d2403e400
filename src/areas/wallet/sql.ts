const AGENT = 'id, name, owner_email, owner_verified, status, addr, created_at';
const KEY = 'key_sha256, key_id, agent_id, scopes, created_at, last_used_at, revoked_at';

const qualified = (columns: string, alias: string) => columns.replaceAll(/\w+/g, (name) => `${alias}.${name}`);
const values = (columns: string) => {
  const places = columns.split(', ').map((_, i) => '$' + String(i + 1));
  return `(${columns}) VALUES (${places.join(', ')})`;
};

/** All keys of the agents that the named keys belong to. */
export const KEYS_OF_HASHES = `SELECT ${KEY} FROM agent_key WHERE agent_id IN (SELECT agent_id FROM agent_key WHERE key_sha256 IN (...))`;
export const KEYS_OF_IDS = `SELECT ${KEY} FROM agent_key WHERE key_id IN (...)`;
export const KEYS_OF_FOUNDER = `SELECT ${KEY} FROM agent_key WHERE agent_id IN (SELECT agent_id FROM agent_founder)`;
export const AGENTS_OF_HASHES = `SELECT ${AGENT} FROM agent WHERE id IN (SELECT agent_id FROM agent_key WHERE key_sha256 IN (...))`;
export const AGENTS_OF_IDS = `SELECT ${AGENT} FROM agent WHERE id IN (...)`;
export const AGENTS_OF_OWNERS = `SELECT ${AGENT} FROM agent WHERE owner_email IN (...)`;
export const KEYS_OF_OWNERS = `SELECT ${KEY} FROM agent_key WHERE agent_id IN (SELECT id FROM agent WHERE owner_email IN (...))`;
export const KEYS_OF_AGENTS = `SELECT ${KEY} FROM agent_key WHERE agent_id IN (...)`;
export const REGISTERED_FROM = 'SELECT addr, created_at FROM agent WHERE addr IN (...)';
export const FOUNDER = 'SELECT agent_id FROM agent_founder WHERE id = 1';

export const AGENT_UPSERT = `INSERT INTO agent ${values(AGENT)} ON CONFLICT (id) DO UPDATE SET
  name = excluded.name, owner_email = excluded.owner_email, owner_verified = excluded.owner_verified,
  status = excluded.status, addr = excluded.addr`;
export const KEY_UPSERT = `INSERT INTO agent_key ${values(KEY)} ON CONFLICT (key_sha256) DO UPDATE SET
  scopes = excluded.scopes, last_used_at = excluded.last_used_at, revoked_at = excluded.revoked_at`;
export const FOUNDER_UPSERT = `INSERT INTO agent_founder ${values('id, agent_id')} ON CONFLICT (id) DO UPDATE SET agent_id = excluded.agent_id`;

export const CALLER_OF_HASH = `SELECT ${qualified(KEY, 'k')}, a.name, a.status FROM agent_key k
  JOIN agent a ON a.id = k.agent_id WHERE k.key_sha256 = $1`;
export const AGENT_OF_ID = `SELECT ${AGENT} FROM agent WHERE id = $1`;
export const KEYS_OF_AGENT = `SELECT ${KEY} FROM agent_key WHERE agent_id = $1 ORDER BY created_at, key_id`;
export const AGENTS_OF_OWNER = `SELECT ${AGENT} FROM agent WHERE owner_email = $1 ORDER BY created_at, id`;
export const KEYS_OF_OWNER = `SELECT ${qualified(KEY, 'k')} FROM agent_key k JOIN agent a ON a.id = k.agent_id
  WHERE a.owner_email = $1 ORDER BY k.created_at, k.key_id`;
