import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Read, Row, Step, Unit, Write } from '#platform/storage/store.ts';
import { decide } from './decide.ts';
import type { StepName, TaskStep } from './evidence.ts';
import * as sql from './sql.ts';
import type { TaskCommand, TaskResult, TasksState } from './state.ts';
import type { Task, TaskId } from './task.ts';

/** How commands of tasks read and write their rows. */
export const taskUnit: Unit<[TaskCommand, TaskResult], TasksState> = {
  name: 'tasks',
  reads,
  load,
  decide: (state, nowMs, _next, command) => decide(state, nowMs, command),
  writes,
};

export function taskStep(command: TaskCommand): Step {
  return { unit: taskUnit, command };
}

function reads(commands: readonly TaskCommand[]): readonly Read[] {
  const ids = new Set<string>();
  const idems = new Set<string>();
  const addresses = new Set<string>();
  const tags = new Set<string>();
  const agents = new Set<string>();
  const sweeps: { dueBeforeMs: number; period: string }[] = [];
  const note = (set: Set<string>, name: string | null | undefined) => void (name == null || set.add(name));
  for (const command of commands) {
    if (command.type === 'sweep') sweeps.push(command);
    else if (command.type === 'erase') agents.add(command.agentId);
    else if (command.type === 'create') {
      note(idems, command.task.idem);
      note(addresses, command.task.addressTag);
      note(tags, command.tries?.tag);
    } else {
      ids.add(command.id);
      if (command.type === 'advance') note(addresses, command.patch.addressTag);
      if (command.type === 'advance') note(tags, command.tryTag);
    }
  }
  const listed = (text: string, list: Set<string>): Read => ({ sql: text, list: [...list] });
  const swept = (text: string, of: (sweep: { dueBeforeMs: number; period: string }) => Cell): Read =>
    sweeps[0] === undefined ? { sql: text, list: [] } : { sql: text, params: [of(sweeps[0])] };
  return [
    listed(sql.TASKS_OF_IDS, ids),
    listed(sql.TASKS_OF_IDEMS, idems),
    listed(sql.TASKS_OF_ADDRESSES, addresses),
    swept(sql.TASKS_DUE, ({ dueBeforeMs }) => dueBeforeMs),
    listed(sql.STEPS_OF_TASKS, ids),
    listed(sql.STEPS_OF_IDEMS, idems),
    listed(sql.TRIES_OF_TAGS, tags),
    swept(sql.TRIES_OVER, ({ period }) => period),
    listed(sql.TASKS_OF_AGENTS, agents),
  ];
}

function load([
  named = [],
  ofIdems = [],
  ofAddresses = [],
  due = [],
  ...rest
]: readonly (readonly Row[])[]): TasksState {
  const [steps = [], stepsOfIdems = [], tries = [], triesOver = [], ofAgents = []] = rest;
  const tasks = [...named, ...ofIdems, ...ofAddresses, ...due, ...ofAgents].map(taskOf);
  const byTask = Map.groupBy([...steps, ...stepsOfIdems], (row) => row['task_id'] as TaskId);
  return {
    tasks: VersionedMap.of(tasks.map((task) => [task.id, task] as const)),
    steps: VersionedMap.of([...byTask].map(([id, rows]) => [id, { list: distinct(rows).map(stepOf) }] as const)),
    byIdem: VersionedMap.of(ofIdems.map((row) => [row['idem'] as string, { id: row['id'] as TaskId }] as const)),
    tries: VersionedMap.of(
      [...tries, ...triesOver].map(
        (row) => [row['tag'] as string, { period: row['period'] as string, used: row['used'] as number }] as const,
      ),
    ),
    due: due.map((row) => row['id'] as TaskId),
    triesOver: triesOver.map((row) => row['tag'] as string),
  };
}

/** A task may be named by its id and by its key in one batch. */
function distinct(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row['n'], row])).values()];
}

function writes(before: TasksState, after: TasksState): readonly Write[] {
  const changed = [...after.tasks.changesSince(before.tasks).keys()];
  const tries = [...after.tries.changesSince(before.tries).keys()];
  const steps = [...after.steps.changesSince(before.steps)].flatMap(([id, was]) => {
    const known = new Set(was?.list);
    return (after.steps.get(id)?.list ?? []).filter((step) => !known.has(step)).map((step) => stepRow(id, step));
  });
  const gone = changed.filter((id) => after.tasks.get(id) === undefined).map((id) => [id]);
  return [
    { sql: sql.TASK_UPSERT, rows: changed.flatMap((id) => after.tasks.get(id) ?? []).map(taskRow) },
    { sql: sql.STEP_UPSERT, rows: steps },
    { sql: sql.STEPS_DELETE, rows: gone },
    { sql: sql.TASK_DELETE, rows: gone },
    {
      sql: sql.TRY_UPSERT,
      rows: tries.flatMap((tag) => {
        const counted = after.tries.get(tag);
        return counted === undefined ? [] : [[tag, counted.period, counted.used]];
      }),
    },
    { sql: sql.TRY_DELETE, rows: tries.filter((tag) => after.tries.get(tag) === undefined).map((tag) => [tag]) },
  ];
}

export function taskOf(row: Row): Task {
  return {
    ...(JSON.parse(row['body'] as string) as Task),
    id: row['id'] as TaskId,
    receiptId: row['receipt_id'] as Task['receiptId'],
    receiptKeyHash: row['receipt_key_sha256'] as string,
    idem: row['idem'] as string | null,
    state: row['state'] as Task['state'],
    addressTag: row['addr'] as string | null,
    runUntilMs: row['run_until'] as number | null,
    dueAtMs: row['due_at'] as number | null,
  };
}

function taskRow({ id, receiptId, receiptKeyHash, idem, ...rest }: Task): Cell[] {
  const { state, addressTag, runUntilMs, dueAtMs, ...body } = rest;
  return [
    id,
    receiptId,
    receiptKeyHash,
    idem,
    state,
    addressTag,
    runUntilMs,
    dueAtMs,
    JSON.stringify(body),
    body.agentId,
    body.createdAtMs,
  ];
}

export function stepOf(row: Row): TaskStep {
  return {
    n: row['n'] as number,
    name: row['name'] as StepName,
    inputSha256: row['input_sha256'] as string,
    output: row['output'] as string | null,
    outputSha256: row['output_sha256'] as string | null,
    prev: row['prev'] as string,
    hash: row['hash'] as string | null,
    atMs: row['at'] as number,
  };
}

function stepRow(id: TaskId, step: TaskStep): Cell[] {
  const { n, name, inputSha256, output, outputSha256, prev, hash, atMs } = step;
  return [id, n, name, inputSha256, output, outputSha256, prev, hash, atMs];
}
