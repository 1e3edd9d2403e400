import { DAY_MS } from '#kernel/clock.ts';
import { appendedTable, as, integer, nullable, query, table, text } from '#platform/storage/table.ts';

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

const STATUS_CHANGE_KEPT_DAYS = 400;
const STATUS_CHANGES_SHOWN = 100;

export const STATUS_CHANGE = table(
  'status_change',
  {
    component: text(),
    at: as('atMs', integer()),
    status: text<'up' | 'degraded' | 'down' | 'not_configured'>(),
    detail: nullable(text()),
  },
  { key: ['component', 'at'] },
);
export const STATUS_CHANGE_EXPIRY = STATUS_CHANGE.expiring({ by: ['at'], keptMs: STATUS_CHANGE_KEPT_DAYS * DAY_MS });
export const NEWEST_STATUS_CHANGES = STATUS_CHANGE.select(`ORDER BY at DESC, component LIMIT ${STATUS_CHANGES_SHOWN}`);
const IS_LAST =
  'at = (SELECT MAX(later.at) FROM status_change AS later WHERE later.component = status_change.component)';
export const LAST_STATUS_CHANGES = STATUS_CHANGE.select(`WHERE ${IS_LAST}`);
export const LAST_STATUS_CHANGES_OF = STATUS_CHANGE.select(`WHERE component IN (...) AND ${IS_LAST}`);

/** Calls and failures of each hour since `$1`, summed over operations of the same group. */
export function hourlyTally(groups: ReadonlyMap<string, readonly string[]>) {
  const cases = [...groups].map(
    ([group, operations]) => `WHEN operation IN (${operations.map((one) => `'${one}'`).join(', ')}) THEN '${group}'`,
  );
  return query(
    `SELECT hour, CASE ${cases.join(' ')} ELSE '' END AS group_name, CAST(SUM(calls) AS BIGINT) AS calls,
    CAST(SUM(faults) AS BIGINT) AS faults FROM tally WHERE hour >= $1 GROUP BY 1, 2 ORDER BY 1`,
    { hour: integer(), group_name: as('group', text()), calls: integer(), faults: integer() },
  );
}
