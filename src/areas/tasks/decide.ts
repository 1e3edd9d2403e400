import { isoTime } from '#kernel/clock.ts';
import { firstOfThirtyDays } from '#platform/keys/day-key.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type DraftedEntry, sealEntry } from '#protocol/attestation/seal-entry.ts';
import { decideByType, type Decision } from '#platform/storage/store.ts';
import { begunStep, caseIdOf, doneStep, rootOf, type TaskStep } from './evidence.ts';
import type {
  AdvanceCommand,
  AdvanceResult,
  CreateResult,
  CreateTaskCommand,
  EraseTasksCommand,
  LeaseCommand,
  LeaseResult,
  StepDraft,
  TaskDeed,
  TaskOutcome,
  TasksState,
  TasksSwept,
} from './state.ts';
import { dueAtMs, FREE_TRIES, isInFlight, isOver, mayMove, type Task, type TaskId, type TaskState } from './task.ts';

/** A run that is not heard of for so long is taken over. */
export const LEASE_MS = 60_000;

type Decided<R> = Decision<TasksState, R>;

export const decide = decideByType<TaskDeed, TasksState>({
  create,
  advance,
  take: lease,
  renew: lease,
  erase,
  sweep,
});

function create(
  state: TasksState,
  nowMs: number,
  _next: unknown,
  { task: given, steps, tries }: CreateTaskCommand,
): Decided<CreateResult> {
  const known = given.idem === null ? undefined : state.tasks.get(state.byIdem.get(given.idem)?.id as TaskId);
  if (known !== undefined) {
    if (known.bodySha256 !== given.bodySha256) return { state, result: { type: 'conflict' } };
    return shown(state, known.id, 'replayed', tries?.tag);
  }
  const used = triesOf(state, tries?.tag);
  const isCounted = tries !== null && given.tryTag !== null;
  if (isCounted && used >= FREE_TRIES) return { state, result: { type: 'tries_used' } };
  if (isAtWork(state, given.addressTag)) return { state, result: { type: 'in_flight' } };
  const task = stamped({ ...given, createdAtMs: nowMs, updatedAtMs: nowMs, dueAtMs: null, runUntilMs: null }, nowMs);
  const after = {
    ...state,
    tasks: state.tasks.with(task.id, task),
    steps: state.steps.with(task.id, { list: chained(task.id, [], steps, nowMs) }),
    byIdem: task.idem === null ? state.byIdem : state.byIdem.with(task.idem, { id: task.id }),
    tries: isCounted ? state.tries.with(tries.tag, { ...tries, used: used + 1 }) : state.tries,
  };
  return shown(after, task.id, 'done', tries?.tag);
}

function advance(state: TasksState, nowMs: number, _next: unknown, command: AdvanceCommand): Decided<AdvanceResult> {
  const task = state.tasks.get(command.id);
  if (task === undefined) return { state, result: { type: 'unknown' } };
  const isOther = command.expectsHold !== undefined && command.expectsHold !== task.holdId;
  if (isOther || (command.by !== null && task.runBy !== command.by)) return { state, result: { type: 'lost' } };
  let reached = stateAt(task, nowMs);
  for (const to of command.to) {
    if (!mayMove(reached, to)) return { state, result: { type: 'transition_invalid', from: reached, to } };
    reached = to;
  }
  const { patch } = command;
  if (isInFlight(reached) && !isInFlight(task.state) && isAtWork(state, patch.addressTag ?? null)) {
    return { state, result: { type: 'in_flight' } };
  }
  if (command.isDry) return shown(state, task.id, 'done');
  const before = state.steps.get(task.id)?.list ?? [];
  const worked = chained(task.id, before, command.steps, nowMs);
  const from = command.to.length > 1 ? (command.to.at(-2) as TaskState) : task.state;
  const entry = command.seal === null ? null : sealOf(command.seal, { task, from, to: reached, steps: worked, nowMs });
  const sealing =
    entry === null
      ? []
      : [{ name: 'seal', input: rootOf(task.id, worked), output: { attestation_id: entry.leaf.id } } as const];
  const settling = command.settle === undefined ? [] : [command.settle];
  const list = chained(task.id, worked, [...sealing, ...settling], nowMs);
  const isGivenBack = task.tryTag !== null && (reached === 'payment_required' || reached === 'rejected');
  const moved = stamped(
    {
      ...task,
      ...patch,
      state: reached,
      attestationId: entry?.leaf.id ?? task.attestationId,
      tryTag: isGivenBack ? null : task.tryTag,
      updatedAtMs: nowMs,
    },
    nowMs,
  );
  const after = {
    ...state,
    tasks: state.tasks.with(task.id, moved),
    steps: state.steps.with(task.id, { list }),
    tries: isGivenBack ? withTryBack(state, task.tryTag) : state.tries,
  };
  return {
    ...shown(after, task.id, 'done'),
    entries: [...(command.entries ?? []), ...(entry === null ? [] : [entry])],
  };
}

/** A waiting task whose time has passed has expired, whether or not a sweep has seen it. */
function stateAt({ state, dueAtMs: due }: Task, nowMs: number): TaskState {
  return !isOver(state) && due !== null && due <= nowMs ? 'expired' : state;
}

/** What follows from the state: until when a run holds the task, whose address it occupies, when it is due. */
function stamped(task: Task, nowMs: number): Task {
  const isAtRun = isInFlight(task.state);
  return {
    ...task,
    addressTag: isAtRun ? task.addressTag : null,
    runBy: isAtRun ? task.runBy : null,
    runUntilMs: isAtRun ? nowMs + LEASE_MS : null,
    dueAtMs: dueAtMs(task.state, nowMs),
  };
}

function chained(id: TaskId, before: readonly TaskStep[], drafts: readonly StepDraft[], nowMs: number): TaskStep[] {
  const steps = [...before];
  for (const { name, input, output } of drafts) {
    const last = steps.at(-1);
    const isOpen = last?.name === name && last.output === null;
    const begun = isOpen ? (steps.pop() as TaskStep) : begunStep(id, steps, name, input);
    steps.push(output === undefined ? { ...begun, atMs: nowMs } : doneStep(id, begun, output, nowMs));
  }
  return steps;
}

interface Sealed {
  readonly nowMs: number;
  readonly task: Task;
  readonly from: TaskState;
  readonly to: TaskState;
  readonly steps: readonly TaskStep[];
}

/** The log shows claims of this schema in clear: it gets digests only. */
function sealOf(
  { seed, nonce, sandbox }: NonNullable<AdvanceCommand['seal']>,
  { task, from, to, steps, nowMs }: Sealed,
): DraftedEntry {
  const schema = schemaById('coordination.state.v1');
  if (schema === undefined) throw new Error('the schema of states is missing');
  const claim = { case_id: caseIdOf(task.id), from_state: from, to_state: to, evidence: rootOf(task.id, steps) };
  const prepared = prepareSeal({ schema, claim, observations: [], seed: Buffer.from(seed, 'base64url') });
  const draft = { prepared, claim, observations: [], seed, disclosure: 'public', nonce } as const;
  return sealEntry(draft, { sandbox, sealedAt: isoTime(nowMs) });
}

function lease(state: TasksState, nowMs: number, _next: unknown, { type, id, by }: LeaseCommand): Decided<LeaseResult> {
  const task = state.tasks.get(id);
  const isFree = task !== undefined && (task.runUntilMs === null || task.runUntilMs <= nowMs);
  const isGiven = type === 'take' ? isFree : task?.runBy === by;
  if (task === undefined || !isInFlight(task.state) || !isGiven) return { state, result: { type: 'lost' } };
  const attempts = task.attempts + (type === 'take' ? 1 : 0);
  const held = { ...task, runBy: by, attempts, runUntilMs: nowMs + LEASE_MS };
  return shown({ ...state, tasks: state.tasks.with(id, held) }, id, 'done');
}

function erase(state: TasksState, _nowMs: number, _next: unknown, { ids }: EraseTasksCommand): Decided<TasksSwept> {
  const over = ids.flatMap((id) => state.tasks.get(id) ?? []).filter((task) => isOver(task.state));
  const tasks = over.reduce((left, { id }) => left.without(id), state.tasks);
  const steps = over.reduce((left, { id }) => left.without(id), state.steps);
  return { state: { ...state, tasks, steps }, result: { type: 'swept', count: over.length } };
}

function sweep(state: TasksState, nowMs: number): Decided<TasksSwept> {
  let { tasks, steps, tries } = state;
  let count = 0;
  for (const id of state.due) {
    const task = tasks.get(id);
    if (task === undefined || task.dueAtMs === null || task.dueAtMs > nowMs) continue;
    count += 1;
    if (isOver(task.state)) {
      tasks = tasks.without(id);
      steps = steps.without(id);
    } else tasks = tasks.with(id, stamped({ ...task, state: 'expired', updatedAtMs: nowMs }, nowMs));
  }
  const period = firstOfThirtyDays(nowMs);
  for (const tag of state.triesOver) {
    const counted = tries.get(tag);
    if (counted === undefined || counted.period >= period) continue;
    count += 1;
    tries = tries.without(tag);
  }
  return { state: { ...state, tasks, steps, tries }, result: { type: 'swept', count } };
}

function isAtWork({ tasks }: TasksState, addressTag: string | null): boolean {
  return addressTag !== null && tasks.values().some((task) => task.addressTag === addressTag);
}

function triesOf({ tries }: TasksState, tag: string | undefined): number {
  return tag === undefined ? 0 : (tries.get(tag)?.used ?? 0);
}

function withTryBack({ tries }: TasksState, tag: string): TasksState['tries'] {
  const counted = tries.get(tag);
  return counted === undefined ? tries : tries.with(tag, { ...counted, used: Math.max(0, counted.used - 1) });
}

function shown<T extends 'done' | 'replayed'>(
  state: TasksState,
  id: TaskId,
  type: T,
  tag?: string,
): Decided<TaskOutcome<T>> {
  const task = state.tasks.get(id) as Task;
  const steps = state.steps.get(id)?.list ?? [];
  return { state, result: { type, task, steps, triesUsed: triesOf(state, tag) } };
}
