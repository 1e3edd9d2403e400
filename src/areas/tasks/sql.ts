import type { Id } from '#kernel/ids.ts';
import { as, derived, integer, json, mapped, nullable, query, table, text } from '#platform/storage/table.ts';
import type { StepName } from './evidence.ts';
import { isOver, type Task, TASK_STATES, type TaskId, type TaskState } from './task.ts';

type Body = Omit<
  Task,
  'id' | 'receiptId' | 'receiptKeyHash' | 'idem' | 'state' | 'addressTag' | 'runUntilMs' | 'dueAtMs'
>;
type Stored = Omit<Task, keyof Body> & { readonly body: Body };

export const TASK = table(
  'task',
  {
    id: text<TaskId>(),
    receipt_id: as('receiptId', text<Id<'rcp_'>>()),
    receipt_key_sha256: as('receiptKeyHash', text()),
    idem: nullable(text()),
    state: text<TaskState>(),
    addr: as('addressTag', nullable(text())),
    run_until: as('runUntilMs', nullable(integer())),
    due_at: as('dueAtMs', nullable(integer())),
    body: json<Body>(),
    agent_id: derived<Stored>(({ body }) => body.agentId),
    created_at: derived<Stored>(({ body }) => body.createdAtMs),
  },
  { key: ['id'], changes: ['state', 'addr', 'run_until', 'due_at', 'body'] },
);
export const STEP = table(
  'task_step',
  {
    task_id: as('taskId', text<TaskId>()),
    n: integer(),
    name: text<StepName>(),
    input_sha256: as('inputSha256', text()),
    output: nullable(text()),
    output_sha256: as('outputSha256', nullable(text())),
    prev: text(),
    hash: nullable(text()),
    at: as('atMs', integer()),
  },
  { key: ['task_id', 'n'], changes: ['output', 'output_sha256', 'hash', 'at'] },
);
export const TRY = table(
  'task_try',
  { tag: text(), period: text(), used: integer() },
  { key: ['tag'], changes: ['used'] },
);

const tasks = (rest: string) => mapped(TASK.select(rest), ({ body, ...more }): Task => ({ ...body, ...more }));
const ids = (rest: string) => query(`SELECT id FROM task ${rest}`, { id: text<TaskId>() });

/** A task as its table has it. */
export function storedTask({ id, receiptId, receiptKeyHash, idem, ...rest }: Task): Stored {
  const { state, addressTag, runUntilMs, dueAtMs, ...body } = rest;
  return { id, receiptId, receiptKeyHash, idem, state, addressTag, runUntilMs, dueAtMs, body };
}

const textOf = (states: readonly TaskState[]) => states.map((state) => `'${state}'`).join(', ');
const OPEN_STATES = textOf(TASK_STATES.filter((state) => !isOver(state)));
const OVER_STATES = textOf(TASK_STATES.filter(isOver));

export const OPEN_COUNT = query(`SELECT COUNT(*) AS open FROM task WHERE state IN (${OPEN_STATES})`, {
  open: integer(),
});
export const TASKS_OF_IDS = tasks('WHERE id IN (...)');
export const TASK_OF_IDEM = ids('WHERE idem = $1');
export const TASKS_OF_IDEMS = tasks('WHERE idem IN (...)');
export const TASKS_OF_ADDRESSES = tasks('WHERE addr IN (...)');
export const TASKS_DUE = tasks('WHERE due_at <= $1 ORDER BY due_at, id LIMIT 200');
export const STEPS_OF_TASKS = STEP.select('WHERE task_id IN (...) ORDER BY task_id, n');
export const STEPS_OF_IDEMS = STEP.select(
  'WHERE task_id IN (SELECT id FROM task WHERE idem IN (...)) ORDER BY task_id, n',
);
export const TRIES_OF_TAGS = TRY.select('WHERE tag IN (...)');
export const TRIES_OVER = TRY.select('WHERE period < $1 LIMIT 100');
export const STEPS_DELETE = 'DELETE FROM task_step WHERE task_id IN (VALUES ($1))';

/** Oldest first: what waits is due a fixed time after it began to. */
export const TASKS_WAITING = tasks(`WHERE state = 'input_required' ORDER BY due_at, id LIMIT $1`);

const NEXT = `created_at <= $2 AND (created_at < $2 OR id < $3)
  ORDER BY created_at DESC, id DESC LIMIT $4`;
export const LATEST_TASKS_OF_AGENT = tasks(`WHERE agent_id = $1 AND ${NEXT}`);
export const LATEST_TASKS_IN_STATE = tasks(`WHERE agent_id = $1 AND state = $5 AND ${NEXT}`);
export const TASKS_IN_STATE = query('SELECT COUNT(*) AS tasks FROM task WHERE agent_id = $1 AND state = $2', {
  tasks: integer(),
});
export const OPEN_TASKS_OF_AGENT = ids(`WHERE agent_id = $1 AND state IN (${OPEN_STATES}) LIMIT 1`);
export const OVER_TASKS_OF_AGENT = ids(`WHERE agent_id = $1 AND state IN (${OVER_STATES}) LIMIT 200`);
export const TASK_OF_ID = tasks('WHERE id = $1');
export const TASK_OF_RECEIPT = tasks('WHERE receipt_id = $1');
export const TASK_OF_RECEIPT_KEY = ids('WHERE receipt_key_sha256 = $1');
export const STEPS_OF_TASK = STEP.select('WHERE task_id = $1 ORDER BY n');
export const TASKS_LEFT = ids('WHERE run_until <= $1 ORDER BY run_until LIMIT 100');
