const LINK = 'token_hash, email, browser_hash, code_hmac, tries, expires_at, used_at, addr, created_at';
const FAULT = 'email, wrong, since, closed_until';
const SESSION = 'id_hash, email, created_at, used_at, idle_until, absolute_until, user_agent';
const CALL = 'agent_id, at, n, operation, method, status, code, ms';

const values = (columns: string) => {
  const names = columns.split(', ');
  return `(${columns}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
};
const update = (...columns: string[]) =>
  `DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

export const LINKS_OF_EMAILS = `SELECT ${LINK} FROM login_link WHERE email IN (...)`;
export const LINKS_OF_ADDRESSES = `SELECT ${LINK} FROM login_link WHERE addr IN (...)`;
/** All links of the addresses that the named tokens were mailed to. */
export const LINKS_OF_TOKENS = `SELECT ${LINK} FROM login_link WHERE email IN (SELECT email FROM login_link WHERE token_hash IN (...))`;
export const LINKS_OF_BROWSERS = `SELECT ${LINK} FROM login_link WHERE email IN (SELECT email FROM login_link WHERE browser_hash IN (...) AND used_at IS NULL)`;
export const FAULTS_OF_BROWSERS = `SELECT ${FAULT} FROM login_code_fault WHERE email IN (SELECT email FROM login_link WHERE browser_hash IN (...))`;
export const FAULTS_OF_EMAILS = `SELECT ${FAULT} FROM login_code_fault WHERE email IN (...)`;
export const SESSIONS_OF_IDS = `SELECT ${SESSION} FROM cabinet_session WHERE id_hash IN (...)`;
export const SESSIONS_OF_EMAILS = `SELECT ${SESSION} FROM cabinet_session WHERE email IN (...)`;
export const LINKS_OVER = `SELECT ${LINK} FROM login_link WHERE created_at <= $1 ORDER BY created_at LIMIT 500`;
export const FAULTS_OVER = `SELECT ${FAULT} FROM login_code_fault WHERE since <= $1 AND closed_until <= $1 LIMIT 500`;
export const SESSIONS_OVER = `SELECT ${SESSION} FROM cabinet_session WHERE idle_until <= $1 OR absolute_until <= $1 LIMIT 500`;

export const LINK_UPSERT = `INSERT INTO login_link ${values(LINK)} ON CONFLICT (token_hash) ${update('tries', 'used_at')}`;
export const LINK_DELETE = 'DELETE FROM login_link WHERE token_hash IN (VALUES ($1))';
export const FAULT_UPSERT = `INSERT INTO login_code_fault ${values(FAULT)} ON CONFLICT (email) ${update('wrong', 'since', 'closed_until')}`;
export const FAULT_DELETE = 'DELETE FROM login_code_fault WHERE email IN (VALUES ($1))';
export const SESSION_UPSERT = `INSERT INTO cabinet_session ${values(SESSION)} ON CONFLICT (id_hash) ${update('used_at', 'idle_until')}`;
export const SESSION_DELETE = 'DELETE FROM cabinet_session WHERE id_hash IN (VALUES ($1))';
export const KNOWN_OF_EMAILS = 'SELECT email, mark, until FROM login_known WHERE email IN (...)';
export const KNOWN_OVER = 'SELECT email, mark, until FROM login_known WHERE until <= $1 ORDER BY until LIMIT 500';
export const KNOWN_UPSERT = `INSERT INTO login_known ${values('email, mark, until')} ON CONFLICT (email, mark) ${update('until')}`;
export const KNOWN_DELETE = 'DELETE FROM login_known WHERE (email, mark) IN (VALUES ($1, $2))';

export const SESSION_OF_ID = `SELECT ${SESSION} FROM cabinet_session WHERE id_hash = $1`;
export const SESSIONS_OF_EMAIL = `SELECT ${SESSION} FROM cabinet_session WHERE email = $1 ORDER BY used_at DESC, id_hash`;

export const CALL_INSERT = `INSERT INTO agent_call ${values(CALL)} ON CONFLICT (agent_id, at, n) DO NOTHING`;
export const CALLS_OVER = 'SELECT agent_id, at, n FROM agent_call WHERE at <= $1 ORDER BY at LIMIT 500';
export const CALLS_OF_AGENTS = 'SELECT agent_id, at, n FROM agent_call WHERE agent_id IN (...)';
export const CALL_DELETE = 'DELETE FROM agent_call WHERE (agent_id, at, n) IN (VALUES ($1, $2, $3))';
export const CALLS_OF_AGENT = `SELECT ${CALL} FROM agent_call WHERE agent_id = $1 AND at < $2 ORDER BY at DESC, n DESC LIMIT $3`;
