import type { DraftedEntry } from '#protocol/attestation/seal-entry.ts';
import type { VersionedMap } from '#kernel/versioned-map.ts';
import type { StepName, TaskStep } from './evidence.ts';
import type { Task, TaskId, TaskState } from './task.ts';

export interface TasksState {
  readonly tasks: VersionedMap<TaskId, Task>;
  readonly steps: VersionedMap<TaskId, { readonly list: readonly TaskStep[] }>;
  readonly byIdem: VersionedMap<string, { readonly id: TaskId }>;
  readonly tries: VersionedMap<string, FreeTries & { readonly used: number }>;
  /** What a sweep found past its time. */
  readonly due: readonly TaskId[];
  readonly triesOver: readonly string[];
}

/** A step as it is asked for. One without output is only begun; the next of its name completes it. */
export interface StepDraft {
  readonly name: StepName;
  readonly input: unknown;
  readonly output?: unknown;
}

/** What a move may change beside the state. */
type TaskPatch = Partial<
  Pick<
    Task,
    'need' | 'inputs' | 'routing' | 'questions' | 'quote' | 'holdId' | 'error' | 'receipt' | 'addressTag' | 'runBy'
  >
>;

export interface CreateTaskCommand {
  readonly type: 'create';
  readonly task: Omit<Task, 'createdAtMs' | 'updatedAtMs' | 'dueAtMs' | 'runUntilMs'>;
  readonly steps: readonly StepDraft[];
  /** Whose free tries are told, under the key of which period; the task names it too where it uses one up. */
  readonly tries: FreeTries | null;
}

interface FreeTries {
  readonly tag: string;
  readonly period: string;
}

export interface AdvanceCommand {
  readonly type: 'advance';
  readonly id: TaskId;
  /** The run that must still hold the task; null for its owner, who need not hold it. */
  readonly by: string | null;
  readonly to: readonly TaskState[];
  readonly steps: readonly StepDraft[];
  readonly patch: TaskPatch;
  /** Seals the evidence so far; what stands in `settle` follows the seal. */
  readonly seal: { readonly seed: string; readonly nonce: string; readonly sandbox: boolean } | null;
  readonly settle?: StepDraft;
  /** What a step of these says is sealed. */
  readonly entries?: readonly DraftedEntry[];
  /** Of the task, where a free try may be given back. */
  readonly tryTag?: string | null;
  /** What money the task must still hold. */
  readonly expectsHold?: string | null;
  /** Only says whether it could be done, so that money can be moved before it in the same transaction. */
  readonly isDry?: true;
}

export interface LeaseCommand {
  readonly type: 'take' | 'renew';
  readonly id: TaskId;
  readonly by: string;
}

/** Deletes those of the tasks that are over. */
export interface EraseTasksCommand {
  readonly type: 'erase';
  readonly ids: readonly TaskId[];
}

interface SweepCommand {
  readonly type: 'sweep';
  readonly dueBeforeMs: number;
}

export interface TaskView {
  readonly task: Task;
  readonly steps: readonly TaskStep[];
}

export interface TaskOutcome<T extends 'done' | 'replayed'> extends TaskView {
  readonly type: T;
  readonly triesUsed: number;
}

export type CreateResult =
  | TaskOutcome<'done' | 'replayed'>
  | { readonly type: 'conflict' | 'tries_used' | 'in_flight' };

export type AdvanceResult =
  | TaskOutcome<'done'>
  | { readonly type: 'unknown' | 'lost' | 'in_flight' }
  | { readonly type: 'transition_invalid'; readonly from: TaskState; readonly to: TaskState };

export type LeaseResult = TaskOutcome<'done'> | { readonly type: 'lost' };

export interface TasksSwept {
  readonly type: 'swept';
  readonly count: number;
}

/** What is asked of tasks, and what comes of it. */
export type TaskDeed =
  | [CreateTaskCommand, CreateResult]
  | [AdvanceCommand, AdvanceResult]
  | [LeaseCommand, LeaseResult]
  | [EraseTasksCommand | SweepCommand, TasksSwept];

export type TaskCommand = TaskDeed[0];
export type TaskResult = TaskDeed[1];

/** Stops a group of steps: nothing was done. */
export function isStopped(result: unknown): boolean {
  const { type } = result as { readonly type: string };
  return type !== 'done' && type !== 'replayed';
}
