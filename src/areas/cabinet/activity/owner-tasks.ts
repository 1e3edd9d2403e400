import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { type ListAsked, pageOf, type Place, type Placed } from '#kernel/newest-first.ts';
import type { Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import { type AsOwner, notOwned, type OwnedAgent, type Owner } from '../owner.ts';
import type { CabinetTasks } from '../shapes.ts';
import { LIST_PAGE, OPEN_TASKS, TASK_FILTERS } from './filters.ts';

type Output = z.output<typeof CabinetTasks>;
type TaskLine = Output['tasks'][number];

export interface TaskQuestion {
  readonly id: string;
  readonly text: string;
  readonly choices?: readonly string[];
}

export interface TaskRow {
  readonly id: string;
  readonly agentId: string;
  readonly state: string;
  readonly need: string;
  readonly routing: { readonly route: string | null };
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly attestationId: string | null;
  readonly receiptId: string;
  readonly questions: readonly TaskQuestion[];
  readonly quote: { readonly priceMicro: number; readonly feeMicro: number } | null;
  readonly error: { readonly detail: string } | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

interface TaskEvidence {
  readonly root: string;
  readonly chain_ok: boolean;
  readonly steps: readonly {
    readonly n: number;
    readonly name: string;
    readonly at: string;
    readonly hash: string | null;
    readonly input_sha256: string;
    readonly output_sha256: string | null;
  }[];
}

interface TasksAsked {
  readonly task_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly show?: keyof typeof TASK_FILTERS | undefined;
  readonly before?: string | undefined;
}

interface TaskAnswers {
  readonly task_id: string;
  readonly answer_1?: string | undefined;
  readonly answer_2?: string | undefined;
  readonly answer_3?: string | undefined;
}

/** What an owner's answer gives to a task. */
interface TaskInput {
  readonly inputs: Record<string, unknown>;
  readonly need?: string;
  readonly route?: string;
}

export interface TasksPort {
  ofAgent(agentId: string, asked: ListAsked): Promise<readonly TaskRow[]>;
  countOf(agentId: string, states: readonly string[]): Promise<number>;
  byId(taskId: string): Promise<TaskRow | undefined>;
  check(asked: { ref: string; agent_key: string }): Promise<{ readonly result?: unknown } | Refusal>;
  evidence(taskId: string): Promise<TaskEvidence | Refusal>;
  /** Refuses what the operation of tasks would refuse. */
  answerSent(asked: { task_id: string; agent_key: string } & TaskInput, call: Call): Promise<unknown>;
  accept(asked: { task_id: string; agent_key: string }): Promise<unknown>;
  cancel(asked: { task_id: string; agent_key: string }): Promise<unknown>;
  hasOpen(agentId: string): Promise<boolean>;
  erasePortion(agentId: string): Promise<number>;
}

/** The tasks that a page shows, with what the JSON does not have. */
export interface TasksSeen {
  readonly output: Output;
  readonly rows: readonly TaskRow[];
  readonly detail: { readonly row: TaskRow; readonly evidence: TaskEvidence } | null;
}

/** The tasks of an owner's agents. */
export class OwnerTasks {
  readonly #tasks: TasksPort;
  readonly #asOwner: AsOwner;

  constructor({ tasks, asOwner }: { readonly tasks: TasksPort; readonly asOwner: AsOwner }) {
    this.#tasks = tasks;
    this.#asOwner = asOwner;
  }

  async seen(
    owner: Owner,
    { task_id, agent_id, show, before }: TasksAsked = {},
    limit = LIST_PAGE,
  ): Promise<TasksSeen | Refusal> {
    const agents = owner.only(agent_id);
    if (agents instanceof Refusal) return agents;
    const last = before === undefined ? undefined : await this.#owned(owner, before);
    if (last instanceof Refusal) return last;
    const asked = { states: show && TASK_FILTERS[show].states, before: last?.row, limit: limit + 1 };
    const found = await Promise.all(agents.map(({ agentId }) => this.#tasks.ofAgent(agentId, asked)));
    const { items: rows, nextBefore } = pageOf(found, limit);
    const shown = task_id === undefined ? null : await this.#detail(owner, task_id);
    if (shown instanceof Refusal) return shown;
    const { task = null, detail = null } = shown ?? {};
    const output = {
      ...owner.head,
      agents: owner.names,
      tasks: rows.map(taskLine),
      next_before: nextBefore,
      task,
    };
    return { output, rows, detail };
  }

  /** Those of an agent that follow one in the list, newest first. */
  async page({ agentId }: OwnedAgent, before: Place | undefined, limit: number): Promise<Placed<TaskLine>[]> {
    const rows = await this.#tasks.ofAgent(agentId, { before, limit });
    return rows.map((row) => ({ id: row.id, createdAtMs: row.createdAtMs, line: taskLine(row) }));
  }

  /** How many go on when their owner answers, of each agent that has such. */
  async waiting(agents: readonly OwnedAgent[]): Promise<{ readonly agentId: string; readonly count: number }[]> {
    const counts = await Promise.all(
      agents.map(async ({ agentId }) => ({
        agentId,
        count: await this.#tasks.countOf(agentId, TASK_FILTERS.needs_you.states),
      })),
    );
    return counts.filter(({ count }) => count > 0);
  }

  /** Whether a task is of one of the owner's agents. */
  async has(owner: Owner, taskId: string): Promise<boolean> {
    return !((await this.#owned(owner, taskId)) instanceof Refusal);
  }

  /** Those of an agent that are not over. */
  open({ agentId }: OwnedAgent, limit: number): Promise<readonly TaskRow[]> {
    return this.#tasks.ofAgent(agentId, { states: [...OPEN_TASKS], limit });
  }

  cancel(owner: Owner, taskId: string): Promise<Output | Refusal> {
    return this.#change(owner, taskId, (asked) => this.#tasks.cancel(asked));
  }

  accept(owner: Owner, taskId: string): Promise<Output | Refusal> {
    return this.#change(owner, taskId, (asked) => this.#tasks.accept(asked));
  }

  /** Answers stand in the order of the questions. */
  async answer(owner: Owner, { task_id, ...answers }: TaskAnswers, call: Call): Promise<Output | Refusal> {
    const given = [answers.answer_1, answers.answer_2, answers.answer_3];
    return this.#change(owner, task_id, async (asked, row) => {
      const answered = await this.#tasks.answerSent({ ...asked, ...inputOf(row, given) }, call);
      return answered instanceof Refusal ? refusedAnswer(answered, row) : answered;
    });
  }

  async #change(
    owner: Owner,
    taskId: string,
    work: (asked: { task_id: string; agent_key: string }, row: TaskRow) => Promise<unknown>,
  ): Promise<Output | Refusal> {
    const owned = await this.#owned(owner, taskId);
    if (owned instanceof Refusal) return owned;
    const { row, agent } = owned;
    const changed = await this.#asOwner(agent, (pass) => work({ task_id: taskId, agent_key: pass }, row));
    if (changed instanceof Refusal) return changed;
    const seen = await this.seen(owner, { task_id: taskId });
    return seen instanceof Refusal ? seen : seen.output;
  }

  async #owned(owner: Owner, taskId: string): Promise<{ row: TaskRow; agent: OwnedAgent } | Refusal> {
    const row = await this.#tasks.byId(taskId);
    const agent = owner.agent(row?.agentId);
    if (row === undefined || agent instanceof Refusal) return notOwned();
    return { row, agent };
  }

  async #detail(owner: Owner, taskId: string) {
    const owned = await this.#owned(owner, taskId);
    if (owned instanceof Refusal) return owned;
    const { row, agent } = owned;
    const [evidence, status] = await Promise.all([
      this.#tasks.evidence(taskId),
      this.#asOwner(agent, (pass) => this.#tasks.check({ ref: taskId, agent_key: pass })),
    ]);
    if (evidence instanceof Refusal) return notOwned();
    const task = {
      ...taskLine(row),
      questions: row.questions.map(({ text }) => text),
      price_eur: priceOf(row),
      error: row.error && row.error.detail,
      receipt_id: row.receiptId,
      result: status instanceof Refusal ? null : (status.result ?? null),
      evidence: {
        root: evidence.root,
        chain_ok: evidence.chain_ok,
        steps: evidence.steps.map(({ n, name, at, hash }) => ({ n, name, at, hash })),
      },
    };
    return { task, detail: { row, evidence } };
  }
}

/** What was quoted, fee included; null where nothing was. */
export function priceOf({ quote }: Pick<TaskRow, 'quote'>): string | null {
  return quote && formatEur(quote.priceMicro + quote.feeMicro);
}

/** A question about the route or the request changes that; any other asks for a named input. */
function inputOf({ questions, inputs }: TaskRow, given: readonly (string | undefined)[]): TaskInput {
  const answered = questions.flatMap(({ id }, index) => {
    const text = given[index]?.trim() ?? '';
    return text === '' ? [] : [[id, text] as const];
  });
  const of = (name: string) => answered.find(([id]) => id === name)?.[1];
  const [need, route] = [of('need'), of('route')];
  const named = answered.filter(([id]) => id !== 'need' && id !== 'route');
  return {
    inputs: Object.fromEntries(named.map(([id, text]) => [id, valueOf(text, inputs[id])])),
    ...(need !== undefined && { need }),
    ...(route !== undefined && { route }),
  };
}

/** The same refusal, which names the answers by their places. */
function refusedAnswer({ type, details }: Refusal, { questions }: TaskRow): Refusal {
  const errors = details.errors?.map((error) => {
    const place = questions.findIndex(({ id }) => error.pointer.endsWith(`/${id}`));
    return place === -1 ? error : { ...error, pointer: `#/answer_${place + 1}` };
  });
  return new Refusal(type, { ...details, ...(errors !== undefined && { errors }) });
}

/** Lists and objects are written as JSON; a number stays one where it replaces one; everything else is plain text. */
function valueOf(text: string, before: unknown): unknown {
  if (typeof before === 'number' && Number.isFinite(Number(text))) return Number(text);
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function taskLine(task: TaskRow): TaskLine {
  const { id, agentId, state, need, routing, attestationId, createdAtMs, updatedAtMs } = task;
  return {
    task_id: id,
    agent_id: agentId,
    state,
    route: routing.route,
    untrusted_need: need,
    attestation_id: attestationId,
    created_at: isoTime(createdAtMs),
    updated_at: isoTime(updatedAtMs),
    cancellable: OPEN_TASKS.has(state),
  };
}
