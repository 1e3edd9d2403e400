export const TALLY_ADD = `INSERT INTO tally (hour, operation, calls, faults) VALUES ($1, $2, $3, $4)
  ON CONFLICT (hour, operation) DO UPDATE SET calls = tally.calls + excluded.calls, faults = tally.faults + excluded.faults`;
export const TALLY_OLD = 'SELECT DISTINCT hour FROM tally WHERE hour < $1';
export const TALLY_DROP = 'DELETE FROM tally WHERE hour IN (VALUES (CAST($1 AS BIGINT)))';
export const TALLY_SINCE = `SELECT operation, SUM(calls) AS calls, SUM(faults) AS faults FROM tally
  WHERE hour >= $1 GROUP BY operation ORDER BY operation`;
