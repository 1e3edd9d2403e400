const LEASE_COLUMNS = 'key, id, agent, mode, tok, intent, hops, addr, since, evidence_at, expires_at, fence';
const ENDED_COLUMNS =
  'id, key, agent, tok, addr, mode, fence, how, ended_at, rev, seq, outcome, mark_seq, mark_refused';
const TICKET_COLUMNS = 'key, agent, proof, place, keep_until, free_at';
const MARK_COLUMNS = 'seq, rev, key, kind, agent, note, evidence, leased, addr, at, fades_at';

export const LEASES_OF_KEYS = `SELECT ${LEASE_COLUMNS} FROM lease WHERE key IN (...)`;
/** All leases of the keys that the named leases are on, so that a release needs no second round of reads. */
export const LEASES_OF_SAME_KEYS = `SELECT ${LEASE_COLUMNS} FROM lease WHERE key IN (SELECT key FROM lease WHERE id IN (...))`;
/** All leases of the keys where one is past its time: whether a key is free also depends on the others. */
export const LEASES_DUE = `SELECT ${LEASE_COLUMNS} FROM lease
  WHERE key IN (SELECT key FROM lease WHERE expires_at <= $1 ORDER BY expires_at, fence LIMIT 500)`;
export const KEY_OF_LEASE = 'SELECT key FROM lease WHERE id = $1';
export const ENTRY_OF_LEASE = `SELECT seq FROM ended WHERE id = $1
  UNION ALL SELECT NULL AS seq FROM lease WHERE id = $1`;
export const ENDED_LEASES_BY_ID = `SELECT ${ENDED_COLUMNS} FROM ended WHERE id IN (...)`;
/** The live grants of a key, the ended one that is asked about, and the newest ended one. */
export const GRANTS_OF_KEY = `SELECT fence, mode, expires_at, NULL AS how FROM lease WHERE key = $1
  UNION ALL SELECT fence, mode, ended_at, how FROM ended WHERE key = $1 AND fence = $2
  UNION ALL SELECT fence, mode, ended_at, how FROM ended WHERE key = $1
    AND fence = (SELECT MAX(fence) FROM ended WHERE key = $1)`;
export const ENDED_DUE = `SELECT ${ENDED_COLUMNS} FROM ended WHERE ended_at <= $1 ORDER BY ended_at, rev LIMIT 500`;
export const ONCE_OF_INTENTS = 'SELECT intent, until, fence FROM once WHERE intent IN (...)';
export const ONCE_OF_LEASES =
  'SELECT intent, until, fence FROM once WHERE fence IN (SELECT fence FROM lease WHERE id IN (...))';
export const ONCE_DUE = 'SELECT intent, until, fence FROM once WHERE until <= $1 ORDER BY until, fence LIMIT 500';
export const TICKETS_OF_KEY = `SELECT ${TICKET_COLUMNS} FROM ticket WHERE key = $1`;
export const TICKETS_OF_KEYS = `SELECT ${TICKET_COLUMNS} FROM ticket WHERE key IN (...)`;
export const TICKETS_BESIDE = `SELECT ${TICKET_COLUMNS} FROM ticket WHERE key IN (SELECT key FROM lease WHERE id IN (...))`;
export const TICKETS_OF_DUE_LEASES = `SELECT ${TICKET_COLUMNS} FROM ticket
  WHERE key IN (SELECT key FROM lease WHERE expires_at <= $1)`;
/** Whole lines that nobody stands in any more. */
export const TICKETS_DUE = `SELECT ${TICKET_COLUMNS} FROM ticket
  WHERE key IN (SELECT key FROM ticket GROUP BY key HAVING MAX(keep_until) <= $1 LIMIT 100)`;
/** At most three rows a day for each caller: an address and a key. */
export const MARKS_OF_CALLERS = `SELECT ${MARK_COLUMNS} FROM mark WHERE addr || ' ' || key IN (...)`;
export const MARKS_DUE = 'SELECT seq FROM mark WHERE fades_at <= $1 ORDER BY fades_at, seq LIMIT 500';
export const LAST_HELD = `SELECT key, addr, agent, MAX(ended_at) AS ended_at FROM ended
  WHERE addr || ' ' || key IN (...) GROUP BY key, addr, agent`;

export const LEASE_UPSERT = `INSERT INTO lease (${LEASE_COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (key, id) DO UPDATE SET evidence_at = excluded.evidence_at, expires_at = excluded.expires_at`;
export const LEASE_DELETE = 'DELETE FROM lease WHERE (key, id) IN (VALUES ($1, $2))';
export const ENDED_INSERT = `INSERT INTO ended (${ENDED_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;
export const ENDED_DELETE = 'DELETE FROM ended WHERE id IN (VALUES ($1))';
export const ONCE_UPSERT = `INSERT INTO once (intent, until, fence) VALUES ($1, $2, $3)
  ON CONFLICT (intent) DO UPDATE SET until = excluded.until, fence = excluded.fence`;
export const ONCE_DELETE = 'DELETE FROM once WHERE intent IN (VALUES ($1))';
export const MARK_INSERT = `INSERT INTO mark (${MARK_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
export const MARK_DELETE = 'DELETE FROM mark WHERE seq IN (VALUES (CAST($1 AS BIGINT)))';
export const TICKET_UPSERT = `INSERT INTO ticket (${TICKET_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (key, agent, proof) DO UPDATE
  SET place = excluded.place, keep_until = excluded.keep_until, free_at = excluded.free_at`;
export const TICKET_DELETE = 'DELETE FROM ticket WHERE (key, agent, proof) IN (VALUES ($1, $2, $3))';

/** No order of meaning: a bound, so that no crowd of holders makes a look slow. */
export const LEASES_OF_KEY = `SELECT ${LEASE_COLUMNS} FROM lease WHERE key = $1 ORDER BY id LIMIT 512`;
/** More of either are not looked at for a board. */
export const MAX_BOARD_ROWS = 200;
export const KEYS_HELD = `SELECT key FROM lease WHERE expires_at > $1 ORDER BY expires_at DESC LIMIT ${MAX_BOARD_ROWS}`;
export const KEYS_MARKED = `SELECT key FROM mark WHERE fades_at > $1 ORDER BY seq DESC LIMIT ${MAX_BOARD_ROWS}`;
export const LIVE_LEASES = 'SELECT COUNT(*) AS live FROM lease WHERE expires_at > $1';
export const LOOKERS_OF_KEY = 'SELECT agent, at FROM look WHERE key = $1 AND at > $2 LIMIT 512';

const MARKS_OF_KEY = `SELECT seq, kind, agent, note, evidence, leased, addr, at FROM mark WHERE key = $1`;
/** More marks than this on one key are read by what they count for, not by age alone. */
export const MAX_MARKS = 128;
export const SELECT_LATEST_MARKS = `${MARKS_OF_KEY} AND fades_at > $2 ORDER BY seq DESC LIMIT ${MAX_MARKS}`;
/** A crowd of notes, or of marks without proof, must not hide proven ones: those come for each kind apart. */
export const SELECT_LATEST_SCORED_MARKS = `${MARKS_OF_KEY} AND fades_at > $2 AND kind <> 'note' ORDER BY seq DESC LIMIT ${MAX_MARKS}`;
export const PROVEN_MARKS = `${MARKS_OF_KEY} AND fades_at > $2 AND kind = $3 AND leased = 1 AND evidence IS NOT NULL
  ORDER BY seq DESC LIMIT 64`;
