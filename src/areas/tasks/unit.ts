import { VersionedMap } from '#kernel/versioned-map.ts';
import { firstOfThirtyDays } from '#platform/keys/day-key.ts';
import type { Found, Unit, Write } from '#platform/storage/store.ts';
import { given, listed } from '#platform/storage/table.ts';
import { decide } from './decide.ts';
import type { TaskStep } from './evidence.ts';
import * as sql from './sql.ts';
import type { TaskCommand, TaskDeed, TasksState } from './state.ts';

/** How commands of tasks read and write their rows. */
export const taskUnit: Unit<TaskDeed, TasksState, typeof reads> = { name: 'tasks', reads, load, decide, writes };

function reads(commands: readonly TaskCommand[]) {
  const ids = new Set<string>();
  const idems = new Set<string>();
  const addresses = new Set<string>();
  const tags = new Set<string>();
  const erased = new Set<string>();
  const note = (set: Set<string>, name: string | null | undefined) => void (name == null || set.add(name));
  for (const command of commands) {
    if (command.type === 'sweep') continue;
    if (command.type === 'erase') command.ids.forEach((id) => erased.add(id));
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
  const sweep = commands.find((command) => command.type === 'sweep');
  return {
    named: listed(sql.TASKS_OF_IDS, ids),
    ofIdems: listed(sql.TASKS_OF_IDEMS, idems),
    ofAddresses: listed(sql.TASKS_OF_ADDRESSES, addresses),
    erased: listed(sql.TASKS_OF_IDS, erased),
    due: given(sql.TASKS_DUE, sweep === undefined ? null : [sweep.dueBeforeMs]),
    steps: listed(sql.STEPS_OF_TASKS, ids),
    stepsOfIdems: listed(sql.STEPS_OF_IDEMS, idems),
    tries: listed(sql.TRIES_OF_TAGS, tags),
    triesOver: given(sql.TRIES_OVER, sweep === undefined ? null : [firstOfThirtyDays(sweep.dueBeforeMs)]),
  };
}

function load(found: Found<typeof reads>): TasksState {
  const { named, ofIdems, ofAddresses, erased, due, triesOver } = found;
  const byTask = Map.groupBy([...found.steps, ...found.stepsOfIdems], ({ taskId }) => taskId);
  return {
    tasks: VersionedMap.by([...named, ...ofIdems, ...ofAddresses, ...due, ...erased], ({ id }) => id),
    steps: VersionedMap.of([...byTask].map(([id, steps]) => [id, { list: distinct(steps) }] as const)),
    byIdem: VersionedMap.of(ofIdems.map(({ idem, id }) => [idem as string, { id }] as const)),
    tries: VersionedMap.by([...found.tries, ...triesOver], ({ tag }) => tag),
    due: due.map(({ id }) => id),
    triesOver: triesOver.map(({ tag }) => tag),
  };
}

/** A task may be named by its id and by its key in one batch. */
function distinct(steps: readonly TaskStep[]): TaskStep[] {
  return [...new Map(steps.map((step) => [step.n, step])).values()];
}

function writes(before: TasksState, after: TasksState): readonly Write[] {
  const changed = [...after.tasks.changesSince(before.tasks).keys()];
  const steps = [...after.steps.changesSince(before.steps)].flatMap(([taskId, was]) => {
    const known = new Set(was?.list);
    const made = (after.steps.get(taskId)?.list ?? []).filter((step) => !known.has(step));
    return made.map((step) => ({ ...step, taskId }));
  });
  const gone = changed.filter((id) => after.tasks.get(id) === undefined).map((id) => [id]);
  return [
    sql.TASK.upsert(after.tasks.changedSince(before.tasks).map(sql.storedTask)),
    sql.STEP.upsert(steps),
    { sql: sql.STEPS_DELETE, rows: gone },
    sql.TASK.remove(gone),
    ...sql.TRY.diff(before.tries, after.tries),
  ];
}
