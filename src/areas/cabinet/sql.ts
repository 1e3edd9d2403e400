import { as, integer, nullable, query, type RecordOf, table, text } from '#platform/storage/table.ts';

export const LOGIN_LINK = table(
  'login_link',
  {
    token_hash: as('tokenHash', text()),
    email: text(),
    browser_hash: as('browserHash', text()),
    code_hmac: as('codeHmac', text()),
    tries: integer(),
    expires_at: as('expiresAtMs', integer()),
    used_at: as('usedAtMs', nullable(integer())),
    addr: as('addressTag', text()),
    created_at: as('createdAtMs', integer()),
  },
  { key: ['token_hash'], changes: ['tries', 'used_at'] },
);
export const FAULT = table(
  'login_code_fault',
  {
    email: text(),
    wrong: integer(),
    since: as('sinceMs', integer()),
    closed_until: as('closedUntilMs', integer()),
  },
  { key: ['email'] },
);
export const SESSION = table(
  'cabinet_session',
  {
    id_hash: as('idHash', text()),
    email: text(),
    created_at: as('createdAtMs', integer()),
    used_at: as('usedAtMs', integer()),
    idle_until: as('idleUntilMs', integer()),
    absolute_until: as('absoluteUntilMs', integer()),
    user_agent: as('userAgent', text()),
  },
  { key: ['id_hash'], changes: ['used_at', 'idle_until'] },
);
export const KNOWN = table(
  'login_known',
  { email: text(), mark: text(), until: as('untilMs', integer()) },
  { key: ['email', 'mark'] },
);
const CALL_KEY = { agent_id: as('agentId', text()), at: as('atMs', integer()), n: integer() };
const CALL_COLUMNS = {
  ...CALL_KEY,
  operation: text(),
  method: text(),
  status: integer(),
  code: nullable(text()),
  ms: integer(),
};
export const CALL = table('agent_call', CALL_COLUMNS, { key: ['agent_id', 'at', 'n'], changes: [] });
export type CallRecord = RecordOf<typeof CALL_COLUMNS>;

export const LINKS_OF_EMAILS = LOGIN_LINK.select('WHERE email IN (...)');
export const LINKS_OF_ADDRESSES = LOGIN_LINK.select('WHERE addr IN (...)');
/** All links of the addresses that the named tokens were mailed to. */
export const LINKS_OF_TOKENS = LOGIN_LINK.select(
  'WHERE email IN (SELECT email FROM login_link WHERE token_hash IN (...))',
);
/** Its own requests, those that sent nothing among them, and all open links of the addresses that it asked for. */
export const LINKS_OF_BROWSERS = LOGIN_LINK.select('WHERE browser_hash IN (...)');
export const LINKS_WITH_BROWSERS = LOGIN_LINK.select(
  'WHERE email IN (SELECT email FROM login_link WHERE browser_hash IN (...) AND used_at IS NULL)',
);
export const FAULTS_OF_BROWSERS = FAULT.select(
  'WHERE email IN (SELECT email FROM login_link WHERE browser_hash IN (...))',
);
export const FAULTS_OF_EMAILS = FAULT.select('WHERE email IN (...)');
export const SESSIONS_OF_IDS = SESSION.select('WHERE id_hash IN (...)');
export const SESSIONS_OF_EMAILS = SESSION.select('WHERE email IN (...)');
export const KNOWN_OF_EMAILS = KNOWN.select('WHERE email IN (...)');

export const SESSION_OF_ID = SESSION.select('WHERE id_hash = $1');
export const SESSIONS_OF_EMAIL = SESSION.select('WHERE email = $1 ORDER BY used_at DESC, id_hash');

export const CALLS_TO_ERASE = query(
  'SELECT agent_id, at, n FROM agent_call WHERE agent_id = $1 ORDER BY at, n LIMIT 500',
  CALL_KEY,
);
export const CALLS_OF_AGENT = CALL.select(
  'WHERE agent_id = $1 AND at < $2 AND status >= $4 ORDER BY at DESC, n DESC LIMIT $3',
);
export const CALLS_OF_OPERATION = CALL.select(
  'WHERE agent_id = $1 AND operation = $5 AND at < $2 AND status >= $4 ORDER BY at DESC, n DESC LIMIT $3',
);
export const CALLS_AFTER = CALL.select(
  'WHERE agent_id = $1 AND at <= $2 AND (at < $2 OR n < $3) ORDER BY at DESC, n DESC LIMIT $4',
);
export const CALLS_SINCE = query(
  `SELECT
    (SELECT COUNT(*) FROM (SELECT 1 FROM agent_call WHERE agent_id = $1 AND at >= $2 LIMIT $3) AS recent) AS total,
    (SELECT COUNT(*) FROM
      (SELECT 1 FROM agent_call WHERE agent_id = $1 AND at >= $2 AND status >= 400 LIMIT $3) AS bad) AS failed`,
  { total: integer(), failed: integer() },
);
export const OPERATIONS_OF_AGENT = query(
  `SELECT DISTINCT operation FROM
  (SELECT operation FROM agent_call WHERE agent_id = $1 ORDER BY at DESC LIMIT 1000) AS recent ORDER BY operation`,
  { operation: text() },
);
