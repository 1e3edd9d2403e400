import { appendedTable, as, integer, query, table, text } from '#platform/storage/table.ts';

export const TALLY = table(
  'tally',
  { hour: integer(), operation: text(), calls: integer(), faults: integer() },
  { key: ['hour', 'operation'] },
);
export const TALLY_ADD = `${TALLY.insert([]).sql}
  ON CONFLICT (hour, operation) DO UPDATE SET calls = tally.calls + excluded.calls, faults = tally.faults + excluded.faults`;
export const TALLY_OLD = query('SELECT DISTINCT hour FROM tally WHERE hour < $1', { hour: integer() });
export const TALLY_DROP = 'DELETE FROM tally WHERE hour IN (VALUES (CAST($1 AS BIGINT)))';
export const TALLY_SINCE = query(
  `SELECT operation, CAST(SUM(calls) AS BIGINT) AS calls, CAST(SUM(faults) AS BIGINT) AS faults FROM tally
  WHERE hour >= $1 GROUP BY operation ORDER BY operation`,
  { operation: text(), calls: integer(), faults: integer() },
);

export const RULES_SEAL = appendedTable('rules_seal', {
  version: text(),
  sha256: text(),
  attestation_id: as('attestationId', text()),
  at: as('atMs', integer()),
});
const versions = (rest: string) => query(`SELECT version FROM rules_seal ${rest}`, { version: text() });
export const SEALED_VERSIONS = versions('WHERE version IN (...)');
export const SEALED_VERSION = versions('WHERE version = $1');
