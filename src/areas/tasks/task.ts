import { DAY_MS } from '#kernel/clock.ts';
import type { Id } from '#kernel/ids.ts';
import type { REGIONS } from '#platform/phase.ts';
import type { RouteQuestion, TaskQuote } from '#kernel/task-route.ts';
import type { Routing } from './router.ts';

export type TaskId = Id<'tsk_'>;

/** The only moves. Names as in A2A, with those of money beside them. */
export const TASK_MOVES = {
  submitted: ['quoted', 'input_required', 'rejected', 'canceled'],
  input_required: ['submitted', 'canceled', 'expired'],
  quoted: ['working', 'payment_required', 'canceled', 'expired'],
  payment_required: ['quoted', 'canceled', 'expired'],
  working: ['completed', 'failed', 'input_required', 'canceled'],
  completed: [],
  failed: [],
  rejected: [],
  canceled: [],
  expired: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type TaskState = keyof typeof TASK_MOVES;
export const TASK_STATES = Object.keys(TASK_MOVES) as TaskState[];

export function mayMove(from: TaskState, to: TaskState): boolean {
  return (TASK_MOVES[from] as readonly TaskState[]).includes(to);
}

/** The states in which the service works; in all others it waits for somebody, or is done. */
export function isInFlight(state: TaskState): boolean {
  return state === 'submitted' || state === 'working';
}

export function isOver(state: TaskState): boolean {
  return TASK_MOVES[state].length === 0;
}

export const FREE_TRIES = 3;

const QUOTE_MS = 900_000;
const WAIT_MS = 7 * DAY_MS;
const RETENTION_MS = 180 * DAY_MS;

/** When a task that nobody moves changes by itself: a waiting one expires, one that is over is deleted. */
export function dueAtMs(state: TaskState, nowMs: number): number | null {
  if (isInFlight(state)) return null;
  if (isOver(state)) return nowMs + RETENTION_MS;
  return nowMs + (state === 'quoted' ? QUOTE_MS : WAIT_MS);
}

export interface TaskError {
  readonly code: string;
  readonly detail: string;
}

export interface Task {
  readonly id: TaskId;
  readonly receiptId: Id<'rcp_'>;
  readonly receiptKeyHash: string;
  readonly agentId: string;
  readonly state: TaskState;
  readonly need: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly region: (typeof REGIONS)[number];
  readonly maxMicro: number;
  readonly mode: 'auto' | 'quote';
  readonly routing: Routing;
  readonly questions: readonly RouteQuestion[];
  readonly quote: TaskQuote | null;
  readonly holdId: string | null;
  readonly error: TaskError | null;
  readonly attestationId: string | null;
  readonly receipt: object | null;
  /** Keyed hash of who asked under which Idempotency-Key, and the digest of what was asked. */
  readonly idem: string | null;
  readonly bodySha256: string;
  /** Of an anonymous caller: its address while the task is in flight, and whom a free try is given back to. */
  readonly addressTag: string | null;
  readonly tryTag: string | null;
  readonly runBy: string | null;
  readonly runUntilMs: number | null;
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly dueAtMs: number | null;
}
