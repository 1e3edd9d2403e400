const COLUMNS =
  'id, agent_id, capability, mode, status, hold_id, idem_key, process, started_at, runs_until, finished_at, record, error';

export const EXECUTIONS_OF_IDS = `SELECT ${COLUMNS} FROM execution WHERE id IN (...)`;
export const EXECUTION_OF_ID = `SELECT ${COLUMNS} FROM execution WHERE id = $1`;
export const EXECUTION_UPSERT = `INSERT INTO execution (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (id) DO UPDATE SET status = excluded.status, finished_at = excluded.finished_at, record = excluded.record, error = excluded.error`;
/** Left behind by a process: of others where this one is alone, otherwise those whose time is up. */
export const EXECUTIONS_LEFT = `SELECT ${COLUMNS} FROM execution WHERE status = 'running' AND (runs_until <= $1 OR (process <> $2 AND $3 = 1)) ORDER BY runs_until LIMIT 200`;
export const LATEST_DURATIONS = `SELECT capability, finished_at - started_at AS ms FROM execution WHERE status = 'done' AND finished_at > $1 ORDER BY finished_at DESC LIMIT 5000`;
