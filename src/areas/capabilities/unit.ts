import type { DraftedEntry } from '#protocol/attestation/seal-entry.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import { type Decision, step, type Unit } from '#platform/storage/store.ts';
import { listed, type ValueOf } from '#platform/storage/table.ts';
import * as sql from './sql.ts';

export type Execution = ValueOf<typeof sql.EXECUTION>;

type Command =
  | { readonly type: 'start'; readonly execution: Execution }
  | { readonly type: 'check'; readonly id: string }
  | {
      readonly type: 'finish';
      readonly id: string;
      readonly record: string;
      readonly atMs: number;
      readonly entries: readonly DraftedEntry[];
    }
  | { readonly type: 'fail'; readonly id: string; readonly error: string; readonly atMs: number };

/** `refused` is an execution that no longer runs: somebody gave it up. */
type ExecutionResult = { readonly type: 'done' | 'refused' };

type State = VersionedMap<string, Execution>;

const reads = (commands: readonly Command[]) => ({
  executions: listed(sql.EXECUTIONS_OF_IDS, new Set(commands.flatMap((one) => ('id' in one ? [one.id] : [])))),
});

const executionUnit: Unit<[Command, ExecutionResult], State, typeof reads> = {
  name: 'executions',
  reads,
  load: (found) => VersionedMap.by(found.executions, ({ id }) => id),
  decide: (state, _nowMs, _next, command) => decide(state, command),
  writes: (before, after) => [sql.EXECUTION.upsert(after.changedSince(before))],
};

function decide(state: State, command: Command): Decision<State, ExecutionResult> {
  if (command.type === 'start') {
    return { state: state.with(command.execution.id, command.execution), result: { type: 'done' } };
  }
  const execution = state.get(command.id);
  if (execution?.status !== 'running') return { state, result: { type: 'refused' } };
  if (command.type === 'check') return { state, result: { type: 'done' } };
  const ended = { ...execution, finishedAtMs: command.atMs };
  if (command.type === 'fail') {
    const failed = { ...ended, status: 'failed', error: command.error } as const;
    return { state: state.with(command.id, failed), result: { type: 'done' } };
  }
  const done = { ...ended, status: 'done', record: command.record } as const;
  return { state: state.with(command.id, done), result: { type: 'done' }, entries: command.entries };
}

/** Steps around the money of an execution: start behind its hold, check before and finish behind its capture. */
export const executions = {
  start: (execution: Execution) => step(executionUnit, { type: 'start', execution }),
  check: (id: string) => step(executionUnit, { type: 'check', id }),
  finish: (of: { id: string; record: string; atMs: number; entries: readonly DraftedEntry[] }) =>
    step(executionUnit, { type: 'finish', ...of }),
  fail: (of: { id: string; error: string; atMs: number }) => step(executionUnit, { type: 'fail', ...of }),
};
