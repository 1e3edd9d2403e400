import type { z } from 'zod';
import { keyInvalid } from '#kernel/api-key.ts';
import type { Clock } from '#kernel/clock.ts';
import { refuseFields } from '#kernel/general-problems.ts';
import { idempotencyConflict } from '#kernel/idempotency.ts';
import { newId, sameHash, tokenHash } from '#kernel/ids.ts';
import { type ListAsked, newestIn, placeCells } from '#kernel/newest-first.ts';
import { Answer, type Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { decode } from '#kernel/query-decoder.ts';
import { ANONYMOUS, type TaskRoutes } from '#kernel/task-route.ts';
import { transitionInvalid } from '#kernel/transition.ts';
import { type Authenticate, refuseFunds } from '#platform/ledger/caller.ts';
import { ledger } from '#platform/ledger/steps.ts';
import { onlyOne } from '#platform/storage/head.ts';
import type { Subject } from '#platform/usage-rules/flag-rules.ts';
import { type Step, step, type Store } from '#platform/storage/store.ts';
import { digestOf } from './evidence.ts';
import { type CreateTaskInput, type Evidence, MIN_ANONYMOUS_KEY, type TaskAnswer, type TaskStatus } from './fields.ts';
import { type AnswerInput, answerTask, type OwnerInput } from './operations.ts';
import type { TaskPageAnswer } from './task-page.ts';
import * as problems from './problems.ts';
import type { RouteId } from './route-table.ts';
import { routeChosen, routeNeed, type Routing } from './router.ts';
import { isLedgerRefusal, TaskRuns, type TaskRunsOptions } from './runs.ts';
import * as sql from './sql.ts';
import type { AdvanceCommand, AdvanceResult, CreateResult, CreateTaskCommand, TaskView } from './state.ts';
import { FREE_TRIES, isInFlight, type Task, TASK_MOVES, type TaskId, type TaskState } from './task.ts';
import { taskUnit } from './unit.ts';
import { evidenceView, sealedRoot, taskAnswer, taskStatus } from './views.ts';

const ANSWER_MS = 2_000;
/** Of all inputs of a task together, as JSON; a task is made with no more. */
const MAX_INPUTS_BYTES = 262_144;
const MAX_ANSWERS = 100;
const RECEIPT_KEY_CHARS = 32;

/** What the usage rules watch of tasks. */
interface RuleWatch {
  /** The refusal of an agent that is suspended for what it did; undefined for all others. */
  refuse(agentId: Subject): Refusal | undefined;
  /** The refusal of anonymous tasks from an address that is suspended, whatever key is sent beside. */
  refuseAnonymous(addressTag: string): Refusal | undefined;
  /** Counts an anonymous task in the transaction that makes it; `learn` is told the results. */
  taskMade(addressTag: string): Step;
  learn(results: readonly unknown[]): void;
}

export interface TasksOptions extends TaskRunsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly routes: TaskRoutes;
  readonly baseUrl: () => string;
  readonly authenticate: Authenticate;
  /** As `authenticate`, and a suspended agent may still read and let go. */
  readonly recognise: Authenticate;
  /** The refusal of an agent that the operator has suspended. */
  readonly suspensionOf: (agentId: string) => Promise<Refusal | undefined>;
  readonly rules: RuleWatch;
  /** How many times longer than usual a call waits for its task. */
  readonly patience?: number | undefined;
  /** The refusal of a need that breaks a usage rule, sealed; null where it breaks none. */
  readonly refuseByRules: (field: string, text: string) => Promise<Refusal | null>;
  /** The evidence that the public log has under an id; null where it has no such entry. */
  readonly sealedEvidence: (attestationId: string) => Promise<string | null>;
  /** Keyed hashes: of idempotency keys in their scope, and what receipt keys are made of. */
  readonly keyHash: (...parts: readonly string[]) => string;
  readonly receiptSecret: (...parts: readonly string[]) => string;
}

type Door = 'do' | 'create_task';
type Made = z.output<typeof TaskAnswer>;
type Owned = TaskView | Refusal;
type By = 'authenticate' | 'recognise';

/** Tasks from a need in words: routed, quoted, paid, done, sealed. */
export class Tasks {
  readonly #options: TasksOptions;
  readonly #runs: TaskRuns;

  constructor(options: TasksOptions) {
    this.#options = options;
    this.#runs = new TaskRuns(options);
  }

  get runs(): TaskRuns {
    return this.#runs;
  }

  async create(input: CreateTaskInput, call: Call, door: Door): Promise<Answer<Made> | Refusal> {
    const stranger = await this.#strangerTo(input.agent_id, input.agent_key);
    if (stranger !== null) return stranger;
    const { idempotency_key: key } = input;
    const isGuessable = input.agent_id === ANONYMOUS && key !== undefined && key.length < MIN_ANONYMOUS_KEY;
    if (isGuessable) return refuseFields([SHORT_KEY]);
    const suspensionOf =
      input.agent_id === ANONYMOUS ? this.#options.rules.refuseAnonymous(call.addressTag) : undefined;
    if (suspensionOf !== undefined) return suspensionOf;
    const command = this.#createCommand(input, call, door);
    const ruleRefusal = (await this.#isMade(command)) ? null : await this.#options.refuseByRules('need', input.need);
    if (ruleRefusal !== null) return ruleRefusal;
    const result = await this.#make(command);
    if (result.type !== 'done' && result.type !== 'replayed') return refusalOf(result);
    const isNew = result.type === 'done';
    const view = isNew ? await this.#answerable(result) : result;
    const isTold = door === 'do' && input.agent_id === ANONYMOUS;
    const givenBack = isNew && result.task.tryTag !== null && view.task.tryTag === null ? 1 : 0;
    const triesLeft = isTold ? Math.max(0, FREE_TRIES - result.triesUsed + givenBack) : null;
    const body = taskAnswer(view, this.#shown(), { receiptKey: this.#receiptKey(view.task.id), triesLeft });
    return new Answer(201, body, undefined, !isNew, `/api/tasks/${view.task.id}`);
  }

  async check({ ref, ...keys }: { readonly ref: string } & OwnerInput): Promise<z.output<typeof TaskStatus> | Refusal> {
    const view = await this.#find(ref);
    if (view === null) return unknownTask();
    const isOwner =
      keys.receipt_key === undefined && keys.agent_key === undefined
        ? null
        : await this.#refuseUnowned(view, keys, 'recognise');
    if (isOwner instanceof Refusal) return isOwner;
    const level = isOwner !== null ? 'owner' : ref.startsWith('rcp_') ? 'receipt' : 'public';
    return taskStatus(view, level, this.#shown());
  }

  /** What the page of a task shows; with its receipt key also what only its owner may see. */
  async page(ref: string, receiptKey?: string): Promise<TaskPageAnswer | Refusal> {
    const isOwner = receiptKey !== undefined;
    const status = await this.check({ ref, ...(isOwner && { receipt_key: receiptKey }) });
    if (status instanceof Refusal) return status;
    const evidence = await this.evidence(status.task_id);
    if (evidence instanceof Refusal) return evidence;
    const routing = (await this.#find(ref))?.task.routing;
    const shown = isOwner && routing !== undefined;
    return {
      ref,
      status,
      evidence,
      why: shown ? [...routing.why] : null,
      alternatives: shown ? [...routing.alternatives] : null,
    };
  }

  /** The task that a receipt key was shown with. */
  async idOfReceiptKey(receiptKey: string): Promise<TaskId | undefined> {
    const [task] = await this.#options.store.read(sql.TASK_OF_RECEIPT_KEY, [tokenHash(receiptKey)]);
    return task?.id;
  }

  /** Tasks that wait for the answers of a person, oldest first. */
  async waiting(limit: number): Promise<readonly Task[]> {
    return this.#options.store.read(sql.TASKS_WAITING, [limit]);
  }

  /** The newest tasks of an agent. */
  async ofAgent(agentId: string, asked: ListAsked): Promise<readonly Task[]> {
    const { store } = this.#options;
    const cells = [agentId, ...placeCells(asked.before), asked.limit];
    return newestIn(asked, (state) =>
      state === undefined
        ? store.read(sql.LATEST_TASKS_OF_AGENT, cells)
        : store.read(sql.LATEST_TASKS_IN_STATE, [...cells, state]),
    );
  }

  async countOf(agentId: string, states: readonly string[]): Promise<number> {
    const { store } = this.#options;
    const counts = await Promise.all(
      states.map(async (state) => onlyOne(await store.read(sql.TASKS_IN_STATE, [agentId, state])).tasks),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async byId(taskId: string): Promise<Task | undefined> {
    return (await this.#find(taskId))?.task;
  }

  /** How many tasks are not over. */
  async countOpen(): Promise<number> {
    return onlyOne(await this.#options.store.read(sql.OPEN_COUNT)).open;
  }

  async hasOpen(agentId: string): Promise<boolean> {
    return (await this.#options.store.read(sql.OPEN_TASKS_OF_AGENT, [agentId])).length > 0;
  }

  /** Deletes a portion of what is over of an agent that goes, and says how many went. */
  async erasePortion(agentId: string): Promise<number> {
    const { store } = this.#options;
    const over = await store.read(sql.OVER_TASKS_OF_AGENT, [agentId]);
    if (over.length === 0) return 0;
    return (await store.run(taskUnit, { type: 'erase', ids: over.map(({ id }) => id) })).count;
  }

  async evidence(taskId: string): Promise<z.output<typeof Evidence> | Refusal> {
    const view = await this.#find(taskId);
    if (view === null) return unknownTask();
    const { attestationId } = view.task;
    const sealed =
      attestationId === null ? null : (await this.#options.sealedEvidence(attestationId)) === sealedRoot(view.steps);
    return evidenceView(view, sealed, this.#shown());
  }

  /** An answer that nobody has read yet: it must be what the operation takes. */
  async answerSent(sent: object, call: Call): Promise<Made | Refusal> {
    const decoded = decode(answerTask.input, sent);
    return decoded.ok ? this.answer(decoded.input as AnswerInput, call) : refuseFields(decoded.errors);
  }

  async answer(input: AnswerInput, call: Call): Promise<Made | Refusal> {
    const owned = await this.#owned(input.task_id, input);
    if (owned instanceof Refusal) return owned;
    const { task, steps } = owned;
    const need = input.need ?? task.need;
    const ruleRefusal = input.need === undefined ? null : await this.#options.refuseByRules('need', input.need);
    if (ruleRefusal !== null) return ruleRefusal;
    const inputs = { ...task.inputs, ...input.inputs };
    if (Buffer.byteLength(JSON.stringify(inputs)) > MAX_INPUTS_BYTES) return refuseFields([TOO_LONG_TOGETHER]);
    if (steps.filter(({ name }) => name === 'route').length > MAX_ANSWERS) return tooManyAnswers(task.state);
    const routing = answeredRouting(task, need, input);
    const { questions } = routing;
    const command: AdvanceCommand = {
      type: 'advance',
      id: task.id,
      by: null,
      to: routing.route === null ? ['submitted', 'input_required'] : ['submitted'],
      steps: [routeStep(need, routing)],
      patch: { need, inputs, routing, questions, runBy: this.#options.runner, ...occupying(task.agentId, call) },
      seal: null,
    };
    return this.#moved(await this.#options.store.run(taskUnit, command), 'submitted');
  }

  /** Accepts the price that was quoted; one that could not be paid then is quoted again. */
  async accept(input: { readonly task_id: string } & OwnerInput, call?: Call): Promise<Made | Refusal> {
    const owned = await this.#owned(input.task_id, input);
    if (owned instanceof Refusal) return owned;
    const { task, steps } = owned;
    if (isInFlight(task.state)) return this.#refuseMove(task.state, 'working');
    const { route } = task.routing;
    const work = route === null ? undefined : this.#options.routes[route];
    const isWaiting = task.state === 'payment_required';
    const price = isWaiting ? await work?.quote(task.routing.entities, task.inputs, task.agentId) : task.quote;
    if (price instanceof Refusal) return price;
    if (price == null) return this.#refuseMove(task.state, 'working');
    const isUnpayable = task.agentId === ANONYMOUS && price.priceMicro + price.feeMicro > 0;
    if (isUnpayable) return isWaiting ? taskAnswer(owned, this.#shown()) : this.#refuseMove(task.state, 'working');
    const { priceMicro, feeMicro, sold } = price;
    const to: TaskState[] = isWaiting ? ['quoted', 'working'] : ['working'];
    const reserved = await this.#runs.reserve(
      task,
      { priceMicro, feeMicro, sold },
      { to, steps: [], done: steps.length, occupies: occupying(task.agentId, call) },
    );
    if (isLedgerRefusal(reserved)) return refuseFunds(reserved, priceMicro + feeMicro);
    return this.#moved(reserved, 'working');
  }

  /** Ends a task before its end; what was held is free again. */
  async cancel(input: { readonly task_id: string } & OwnerInput): Promise<Made | Refusal> {
    const owned = await this.#owned(input.task_id, input, 'recognise');
    if (owned instanceof Refusal) return owned;
    const { id, holdId } = owned.task;
    const command: AdvanceCommand = {
      type: 'advance',
      id,
      by: null,
      to: ['canceled'],
      steps: [],
      patch: {},
      seal: null,
    };
    const result = await this.#runs.withMoney(
      { ...command, expectsHold: holdId },
      holdId === null ? null : ledger.release({ holdId }),
    );
    if (isLedgerRefusal(result)) return refuseFunds(result, 0);
    // Money was held meanwhile: the next look knows it.
    return result.type === 'lost' ? this.cancel(input) : this.#moved(result, 'canceled');
  }

  /** Takes up what was left, lets waiting tasks expire and forgets what is old. */
  async sweep(): Promise<number> {
    const { store, clock } = this.#options;
    const { count } = await store.run(taskUnit, { type: 'sweep', dueBeforeMs: clock.now() });
    return count;
  }

  /** A repeated call gets the task that it made, also when the rules have changed since. */
  async #isMade({ task: { idem } }: CreateTaskCommand): Promise<boolean> {
    return idem !== null && (await this.#options.store.read(sql.TASK_OF_IDEM, [idem])).length > 0;
  }

  async #make(command: CreateTaskCommand): Promise<CreateResult> {
    const { store, rules } = this.#options;
    const { addressTag } = command.task;
    const counting = addressTag === null ? [] : [rules.taskMade(addressTag)];
    const results = await store.runAll(
      [step(taskUnit, command), ...counting],
      (result) => (result as CreateResult).type !== 'done',
    );
    rules.learn(results);
    return results[0];
  }

  #createCommand(input: CreateTaskInput, call: Call, door: Door): CreateTaskCommand {
    const { keyHash, runner, routes } = this.#options;
    const { agent_key: _, idempotency_key: key, ...asked } = input;
    const id = newId('tsk_');
    const routing = routeNeed(input.need);
    const isAnonymous = input.agent_id === ANONYMOUS;
    const scope = isAnonymous ? call.addressTag : input.agent_id;
    const tries = isAnonymous && door === 'do' ? (call.freeTries?.() ?? null) : null;
    const isSold = routing.route !== null && routes[routing.route]?.isSold === true;
    return {
      type: 'create',
      tries,
      steps: [routeStep(input.need, routing)],
      task: {
        id,
        receiptId: newId('rcp_'),
        receiptKeyHash: tokenHash(this.#receiptKey(id)),
        agentId: input.agent_id,
        state: routing.route === null ? 'input_required' : 'submitted',
        need: input.need,
        inputs: input.inputs,
        region: input.region,
        maxMicro: input.max_eur,
        mode: input.mode,
        routing,
        questions: routing.questions,
        quote: null,
        holdId: null,
        error: null,
        attestationId: null,
        receipt: null,
        idem: key === undefined ? null : keyHash(scope, key),
        bodySha256: digestOf(asked),
        addressTag: isAnonymous ? call.addressTag : null,
        tryTag: isSold ? null : (tries?.tag ?? null),
        runBy: runner,
        attempts: 1,
      },
    };
  }

  /**
   * Runs a task that is in flight and gives it as it is then, or as it is when the call has waited long enough. What is
   * stored is answered, also where it cannot be read again.
   */
  async #answerable(view: TaskView): Promise<TaskView> {
    if (!isInFlight(view.task.state)) return view;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, (this.#options.patience ?? 1) * ANSWER_MS);
    await Promise.race([this.#runs.run(view), late]);
    clearTimeout(timer);
    const { id } = view.task;
    const found = await this.#find(id).catch((error: unknown) => this.#options.logFault(id, error));
    return found ?? view;
  }

  async #moved(result: AdvanceResult, to: TaskState): Promise<Made | Refusal> {
    if (result.type === 'transition_invalid') return this.#refuseMove(result.from, to);
    if (result.type !== 'done') return refusalOf(result);
    return taskAnswer(await this.#answerable(result), this.#shown());
  }

  #refuseMove(from: TaskState, to: TaskState): Refusal {
    const members = { from, to, allowed: [...TASK_MOVES[from]] };
    return new Refusal(transitionInvalid, {
      detail: `A task in state ${from} cannot change to ${to}. Nothing was changed.`,
      members,
    });
  }

  async #strangerTo(agentId: string, agentKey: string | undefined): Promise<Refusal | null> {
    if (agentId === ANONYMOUS) return null;
    const caller = await this.#options.authenticate(agentKey);
    if (caller instanceof Refusal) return caller;
    return caller.agentId === agentId
      ? null
      : new Refusal(keyInvalid, {
          detail: 'The key belongs to another agent. Send the key of the agent in agent_id. Nothing was created.',
        });
  }

  async #owned(taskId: string, keys: OwnerInput, by: By = 'authenticate'): Promise<Owned> {
    const view = await this.#find(taskId);
    return view === null ? unknownTask() : this.#refuseUnowned(view, keys, by);
  }

  async #refuseUnowned(view: TaskView, keys: OwnerInput, by: By): Promise<Owned> {
    const { receipt_key: receiptKey, agent_key: agentKey } = keys;
    const { receiptKeyHash, agentId } = view.task;
    if (receiptKey !== undefined && sameHash(tokenHash(receiptKey), receiptKeyHash)) {
      return (by === 'authenticate' ? await this.#suspensionOf(agentId) : undefined) ?? view;
    }
    const caller = agentKey === undefined ? undefined : await this.#options[by](agentKey);
    if (caller instanceof Refusal) return caller;
    if (caller?.agentId === agentId) return view;
    return new Refusal(problems.receiptKeyInvalid, {
      detail: "Neither key belongs to this task's owner. Nothing was changed.",
    });
  }

  /** A receipt key opens the task of an agent: it lets nobody do what the agent itself may not. */
  async #suspensionOf(agentId: string): Promise<Refusal | undefined> {
    if (agentId === ANONYMOUS) return undefined;
    const { rules, suspensionOf } = this.#options;
    return rules.refuse(agentId as Subject) ?? suspensionOf(agentId);
  }

  async #find(ref: string): Promise<TaskView | null> {
    const { store } = this.#options;
    const [task] = await store.read(ref.startsWith('rcp_') ? sql.TASK_OF_RECEIPT : sql.TASK_OF_ID, [ref]);
    if (task === undefined) return null;
    return { task, steps: await store.read(sql.STEPS_OF_TASK, [task.id]) };
  }

  /** Made again from its task, so that only its hash is stored and a repeated call is shown the same one. */
  #receiptKey(id: TaskId): string {
    return Buffer.from(this.#options.receiptSecret(id), 'hex').toString('base64url').slice(0, RECEIPT_KEY_CHARS);
  }

  #shown() {
    return { baseUrl: this.#options.baseUrl(), sandbox: this.#options.sandbox };
  }
}

function answeredRouting(task: Task, need: string, input: AnswerInput): Routing {
  if (input.route !== undefined) return routeChosen(need, input.route as RouteId);
  // A route that is known is asked about its inputs only.
  return task.routing.route !== null && input.need === undefined ? task.routing : routeNeed(need);
}

function routeStep(need: string, { route }: Routing) {
  const output = route === null ? { decision: 'asked' } : { decision: 'routed', route };
  return { name: 'route', input: need, output } as const;
}

function occupying(agentId: string, call: Call | undefined): Partial<Pick<Task, 'addressTag'>> {
  return agentId === ANONYMOUS && call !== undefined ? { addressTag: call.addressTag } : {};
}

const SHORT_KEY = {
  pointer: '#/idempotency_key',
  code: 'too_short',
  detail: `Without an agent key, use at least ${MIN_ANONYMOUS_KEY} characters that nobody can guess: the key opens the task again.`,
};

const TOO_LONG_TOGETHER = {
  pointer: '#/inputs',
  code: 'too_long',
  detail: `All inputs of a task together may have ${MAX_INPUTS_BYTES} bytes as JSON. Send shorter ones.`,
};

function tooManyAnswers(from: TaskState): Refusal {
  return new Refusal(transitionInvalid, {
    detail: `This task was answered ${MAX_ANSWERS} times. Cancel it and create a new one. Nothing was changed.`,
    members: { from, to: 'submitted', allowed: ['canceled'] },
  });
}

function unknownTask(): Refusal {
  return new Refusal(problems.unknownTask, { detail: 'No task has this id or receipt id.' });
}

function refusalOf({ type }: CreateResult | AdvanceResult): Refusal {
  switch (type) {
    case 'conflict':
      return new Refusal(idempotencyConflict, {
        detail: 'This idempotency key was used for a different task. Nothing was created. Use a new key.',
      });
    case 'tries_used':
      return new Refusal(problems.freeTriesUsed, {
        detail: `This address has used its ${FREE_TRIES} free tasks. Register an agent to run more. Nothing was started.`,
        members: { register: '/api/agents/register' },
      });
    case 'in_flight':
      return new Refusal(problems.inFlight, {
        detail:
          'Another anonymous task from this address is still running. Retry when it has finished. Nothing was started.',
        retryAfterSeconds: 2,
      });
    case 'unknown':
      return unknownTask();
    default:
      throw new Error(`a task answered ${type}`);
  }
}
