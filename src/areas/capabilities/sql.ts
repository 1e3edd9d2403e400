import { as, integer, nullable, query, table, text } from '#platform/storage/table.ts';

export const EXECUTION = table(
  'execution',
  {
    id: text(),
    agent_id: as('agentId', text()),
    capability: text(),
    mode: text(),
    status: text<'running' | 'done' | 'failed'>(),
    hold_id: as('holdId', text()),
    idem_key: as('idemKey', nullable(text())),
    process: text(),
    started_at: as('startedAtMs', integer()),
    runs_until: as('runsUntilMs', integer()),
    finished_at: as('finishedAtMs', nullable(integer())),
    /** What is shown of a finished one, as JSON. */
    record: nullable(text()),
    error: nullable(text()),
  },
  { key: ['id'], changes: ['status', 'finished_at', 'record', 'error'] },
);

export const EXECUTIONS_OF_IDS = EXECUTION.select('WHERE id IN (...)');
export const EXECUTION_OF_ID = EXECUTION.select('WHERE id = $1');
/** Left behind by a process: of others where this one is alone, otherwise those whose time is up. */
export const EXECUTIONS_LEFT = EXECUTION.select(`WHERE status = 'running'
  AND (runs_until <= $1 OR (process <> $2 AND $3 = 1)) ORDER BY runs_until LIMIT 200`);
export const LATEST_DURATIONS = query(
  `SELECT capability, finished_at - started_at AS ms FROM execution
  WHERE status = 'done' AND finished_at > $1 ORDER BY finished_at DESC LIMIT 5000`,
  { capability: text(), ms: integer() },
);
