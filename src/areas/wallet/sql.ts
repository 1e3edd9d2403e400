import { as, type Column, flag, integer, nullable, query, table, text } from '#platform/storage/table.ts';
import type { Agent } from './agents/agent.ts';

const words: Column<readonly string[]> = {
  type: 'TEXT',
  of: (cell) => String(cell).split(' '),
  cell: (value) => value.join(' '),
};
const KEY_COLUMNS = {
  key_sha256: as('hash', text()),
  key_id: as('keyId', text()),
  agent_id: as('ownerId', text()),
  scopes: words,
  created_at: as('createdAtMs', integer()),
  last_used_at: as('lastUsedAtMs', nullable(integer())),
  revoked_at: as('revokedAtMs', nullable(integer())),
};
export const AGENT = table(
  'agent',
  {
    id: text(),
    name: text(),
    owner_email: as('ownerEmail', text()),
    owner_verified: as('isOwnerVerified', flag()),
    status: text<Agent['status']>(),
    addr: as('addressTag', text()),
    created_at: as('createdAtMs', integer()),
  },
  { key: ['id'], changes: ['name', 'owner_email', 'owner_verified', 'status', 'addr'] },
);
export const AGENT_KEY = table('agent_key', KEY_COLUMNS, {
  key: ['key_sha256'],
  changes: ['scopes', 'last_used_at', 'revoked_at'],
});
export const FOUNDER = table('agent_founder', { id: integer(), agent_id: as('agentId', text()) }, { key: ['id'] });

/** All keys of the agents that the named keys belong to. */
export const KEYS_OF_HASHES = AGENT_KEY.select(
  'WHERE agent_id IN (SELECT agent_id FROM agent_key WHERE key_sha256 IN (...))',
);
export const KEYS_OF_IDS = AGENT_KEY.select('WHERE key_id IN (...)');
export const KEYS_OF_FOUNDER = AGENT_KEY.select('WHERE agent_id IN (SELECT agent_id FROM agent_founder)');
export const AGENTS_OF_HASHES = AGENT.select('WHERE id IN (SELECT agent_id FROM agent_key WHERE key_sha256 IN (...))');
export const AGENTS_OF_IDS = AGENT.select('WHERE id IN (...)');
export const AGENTS_OF_OWNERS = AGENT.select('WHERE owner_email IN (...)');
export const KEYS_OF_OWNERS = AGENT_KEY.select('WHERE agent_id IN (SELECT id FROM agent WHERE owner_email IN (...))');
export const KEYS_OF_AGENTS = AGENT_KEY.select('WHERE agent_id IN (...)');
export const REGISTERED_FROM = query('SELECT addr, created_at FROM agent WHERE addr IN (...)', {
  addr: as('addressTag', text()),
  created_at: as('createdAtMs', integer()),
});
export const FOUNDER_NOW = FOUNDER.select('WHERE id = 1');

export const CALLER_OF_HASH = query(
  `SELECT ${AGENT_KEY.columns('k')}, a.name, a.status FROM agent_key k
  JOIN agent a ON a.id = k.agent_id WHERE k.key_sha256 = $1`,
  { ...KEY_COLUMNS, name: text(), status: text<Agent['status']>() },
);
export const NEWEST_AGENTS = AGENT.select('ORDER BY created_at DESC, id LIMIT $1');
export const AGENT_OF_ID = AGENT.select('WHERE id = $1');
export const KEYS_OF_AGENT = AGENT_KEY.select('WHERE agent_id = $1 ORDER BY created_at, key_id');
export const AGENTS_OF_OWNER = AGENT.select('WHERE owner_email = $1 ORDER BY created_at, id');
export const KEYS_OF_OWNER =
  AGENT_KEY.query(`SELECT ${AGENT_KEY.columns('k')} FROM agent_key k JOIN agent a ON a.id = k.agent_id
  WHERE a.owner_email = $1 ORDER BY k.created_at, k.key_id`);
