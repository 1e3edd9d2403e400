import { isOver, TASK_STATES } from './task.ts';

const TASK = 'id, receipt_id, receipt_key_sha256, idem, state, addr, run_until, due_at, body, agent_id, created_at';
const STEP = 'task_id, n, name, input_sha256, output, output_sha256, prev, hash, at';

const OPEN_STATES = TASK_STATES.filter((state) => !isOver(state)).map((state) => `'${state}'`);

export const OPEN_COUNT = `SELECT COUNT(*) AS open FROM task WHERE state IN (${OPEN_STATES.join(', ')})`;
export const TASKS_OF_IDS = `SELECT ${TASK} FROM task WHERE id IN (...)`;
export const TASK_OF_IDEM = 'SELECT id FROM task WHERE idem = $1';
export const TASKS_OF_IDEMS = `SELECT ${TASK} FROM task WHERE idem IN (...)`;
export const TASKS_OF_ADDRESSES = `SELECT ${TASK} FROM task WHERE addr IN (...)`;
export const TASKS_OF_AGENTS = `SELECT ${TASK} FROM task WHERE agent_id IN (...)`;
export const TASKS_DUE = `SELECT ${TASK} FROM task WHERE due_at <= $1 ORDER BY due_at, id LIMIT 200`;
export const STEPS_OF_TASKS = `SELECT ${STEP} FROM task_step WHERE task_id IN (...) ORDER BY task_id, n`;
export const STEPS_OF_IDEMS = `SELECT ${STEP} FROM task_step
  WHERE task_id IN (SELECT id FROM task WHERE idem IN (...)) ORDER BY task_id, n`;
export const TRIES_OF_TAGS = 'SELECT tag, period, used FROM task_try WHERE tag IN (...)';
export const TRIES_OVER = 'SELECT tag, period, used FROM task_try WHERE period < $1 LIMIT 500';
export const TASK_UPSERT = `INSERT INTO task (${TASK}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, addr = excluded.addr, run_until = excluded.run_until,
  due_at = excluded.due_at, body = excluded.body`;
export const TASK_DELETE = 'DELETE FROM task WHERE id IN (VALUES ($1))';
export const STEP_UPSERT = `INSERT INTO task_step (${STEP}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (task_id, n) DO UPDATE SET output = excluded.output, output_sha256 = excluded.output_sha256,
  hash = excluded.hash, at = excluded.at`;
export const STEPS_DELETE = 'DELETE FROM task_step WHERE task_id IN (VALUES ($1))';
export const TRY_UPSERT = `INSERT INTO task_try (tag, period, used) VALUES ($1, $2, $3)
  ON CONFLICT (tag) DO UPDATE SET used = excluded.used`;
export const TRY_DELETE = 'DELETE FROM task_try WHERE tag IN (VALUES ($1))';

/** Oldest first: what waits is due a fixed time after it began to. */
export const TASKS_WAITING = `SELECT ${TASK} FROM task WHERE state = 'input_required' ORDER BY due_at, id LIMIT $1`;

export const SELECT_LATEST_BY_AGENT = `SELECT ${TASK} FROM task WHERE agent_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`;
export const OPEN_OF_AGENT = `SELECT id FROM task WHERE agent_id = $1 AND state IN (${OPEN_STATES.join(', ')}) LIMIT 1`;
export const TASK_OF_ID = `SELECT ${TASK} FROM task WHERE id = $1`;
export const TASK_OF_RECEIPT = `SELECT ${TASK} FROM task WHERE receipt_id = $1`;
export const TASK_OF_RECEIPT_KEY = `SELECT ${TASK} FROM task WHERE receipt_key_sha256 = $1`;
export const STEPS_OF_TASK = `SELECT ${STEP} FROM task_step WHERE task_id = $1 ORDER BY n`;
export const TASKS_LEFT = 'SELECT id FROM task WHERE run_until <= $1 ORDER BY run_until LIMIT 100';
