import type { Store } from '#platform/storage/store.ts';
import { isOver, TASK_STATES } from './task.ts';

const OPEN_STATES = TASK_STATES.filter((state) => !isOver(state));
const OPEN_TASKS = `SELECT COUNT(*) AS open FROM task WHERE state IN (${OPEN_STATES.map((state) => `'${state}'`).join(', ')})`;

/** How many tasks are not over. */
export async function openTasks(store: Pick<Store, 'read'>): Promise<number> {
  const [row] = await store.read(OPEN_TASKS);
  return Number(row?.['open'] ?? 0);
}
