import type { PaidFees } from '#areas/attestation/port.ts';
import type { Clock } from '#kernel/clock.ts';
import { isoTime } from '#kernel/clock.ts';
import { newCommandId, newId, newToken } from '#kernel/ids.ts';
import { Refusal } from '#kernel/problem.ts';
import { formatEur, ledger, type LedgerResult } from '#platform/ledger/steps.ts';
import type { DraftedEntry } from '#protocol/attestation/seal-entry.ts';
import { type SignedPart, signedPart } from '#protocol/payment/coverage.ts';
import { step, type Step, type Store } from '#platform/storage/store.ts';
import { digestOf } from './evidence.ts';
import {
  ANONYMOUS,
  questionsOf,
  type RouteQuote,
  type RouteResult,
  type SealFee,
  type TaskQuote,
  type TaskRoute,
  type TaskRoutes,
} from '#kernel/task-route.ts';
import { PHASE_A_MOST_MICRO } from '#platform/phase.ts';
import * as sql from './sql.ts';
import { type AdvanceCommand, type AdvanceResult, isStopped, type StepDraft, type TaskView } from './state.ts';
import { isInFlight, type Task, type TaskError, type TaskId } from './task.ts';
import { taskUnit } from './unit.ts';

const RUN_MS = 120_000;
const RENEW_EVERY_MS = 20_000;
const MAX_ATTEMPTS = 3;

interface ReceiptOf {
  readonly receiptId: `rcp_${string}`;
  readonly signed: SignedPart;
  readonly requestSha256: string;
  readonly issuedAt: string;
  readonly chargedEur: string;
}

export interface TaskRunsOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sandbox: boolean;
  /** Names this process among those that run tasks. */
  readonly runner: string;
  readonly routes: TaskRoutes;
  readonly receipt: (of: ReceiptOf) => object;
  readonly paidFees: PaidFees;
  readonly logFault: (taskId: TaskId, error: unknown) => void;
}

type Draft = Omit<AdvanceCommand, 'type' | 'id' | 'by' | 'seal'> & { readonly isSealed?: true };

interface Reservation extends Pick<AdvanceCommand, 'to' | 'steps'> {
  /** How many steps the task has. */
  readonly done: number;
  /** The address that a task which somebody lets go on keeps busy while it runs. */
  readonly occupies?: Pick<AdvanceCommand['patch'], 'addressTag'>;
}

/**
 * Brings tasks from one state in which somebody waits to the next. Every step is committed before the next begins, and
 * what moves money or seals commits with its step, so that a run can be taken up by anyone where it was left.
 */
export class TaskRuns implements AsyncDisposable {
  readonly #options: TaskRunsOptions;
  readonly #underWay = new Map<TaskId, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: TaskRunsOptions) {
    this.#options = options;
  }

  /** Runs a task that this process holds; resolves when it waits for somebody or is over. */
  run(view: TaskView): Promise<void> {
    const { id } = view.task;
    const run = this.#work(view)
      .catch((error: unknown) => this.#options.logFault(id, error))
      .finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, run);
    return run;
  }

  /** Takes up tasks whose run has not been heard of; gives how many. */
  async resume(): Promise<number> {
    const { store, clock, runner } = this.#options;
    const left = await store.read(sql.TASKS_LEFT, [clock.now()]);
    let taken = 0;
    for (const { id } of left) {
      if (this.#stop.signal.aborted || this.#underWay.has(id)) continue;
      const result = await store.run(taskUnit, { type: 'take', id, by: runner });
      if (result.type !== 'done') continue;
      taken += 1;
      void this.run(result);
    }
    return taken;
  }

  /** Until then every run that is under way here. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.settled();
  }

  async #work(view: TaskView): Promise<void> {
    let at: TaskView | null = view;
    while (at !== null && isInFlight(at.task.state) && !this.#stop.signal.aborted) at = await this.#next(at);
  }

  #next({ task, steps }: TaskView): Promise<TaskView | null> {
    const { route } = task.routing;
    const work = route === null ? undefined : this.#options.routes[route];
    if (work === undefined)
      return this.#giveUp(task, { code: 'route_unavailable', detail: 'This installation does not offer the route.' });
    const last = steps.at(-1);
    if (last?.name === 'execute' && last.output !== null)
      return this.#settle(task, work, JSON.parse(last.output) as Executed);
    if (task.attempts > MAX_ATTEMPTS)
      return this.#giveUp(task, { code: 'work_failed', detail: 'The task failed repeatedly. Nothing was charged.' });
    if (task.state === 'submitted') return this.#quote(task, work, steps.length);
    return this.#execute(task, work, steps.length);
  }

  async #quote(task: Task, work: TaskRoute, done: number): Promise<TaskView | null> {
    const quoted = await work.quote(task.routing.entities, task.inputs, task.agentId);
    if (quoted instanceof Refusal) return this.#giveUp(task, errorOf(quoted));
    const { questions, ...quote } = quoted;
    const totalMicro = quote.priceMicro + quote.feeMicro;
    const quoting: StepDraft = { name: 'quote', input: askedOf(task), output: quoteOutput(quoted) };
    const { tryTag } = task;
    const patch = { quote, questions, error: null };
    const isUnpayable = task.agentId === ANONYMOUS && totalMicro > 0;
    if (questions.length > 0 && !isUnpayable) {
      return this.#move(task, { to: ['input_required'], steps: [quoting], patch: { ...patch, quote: null } });
    }
    if (totalMicro > PHASE_A_MOST_MICRO) {
      return this.#giveUp(task, {
        code: 'amount_over_phase_a',
        detail: 'The quote is above 500 EUR. Larger tasks are not insured yet. Nothing was charged.',
      });
    }
    if (isUnpayable) return this.#move(task, { to: ['quoted', 'payment_required'], steps: [quoting], patch, tryTag });
    if (task.mode === 'quote' || totalMicro > task.maxMicro)
      return this.#move(task, { to: ['quoted'], steps: [quoting], patch });
    const reserved = await this.reserve(task, quote, { to: ['quoted', 'working'], steps: [quoting], done });
    if (!isLedgerRefusal(reserved)) return viewOf(reserved);
    if (reserved.code === 'ledger_halted') throw new Error('ledger halted; the task waits');
    const detail =
      reserved.code === 'insufficient_funds'
        ? 'The wallet balance is too low. Top up, then accept the quote again. Nothing was charged.'
        : 'The wallet cannot pay now. Nothing was charged.';
    const error = { code: reserved.code, detail };
    return this.#move(task, { to: ['quoted', 'payment_required'], steps: [quoting], patch: { ...patch, error } });
  }

  /** Holds the price and begins the work, in one transaction. */
  async reserve(
    task: Task,
    quote: TaskQuote,
    { to, steps, done, occupies }: Reservation,
  ): Promise<AdvanceResult | Extract<LedgerResult, { type: 'refused' }>> {
    const { runner } = this.#options;
    const amountMicro = quote.priceMicro + quote.feeMicro;
    const holdId = amountMicro > 0 ? newId('hold_') : null;
    const reserve = { name: 'reserve', input: { amount_micro: amountMicro }, output: { hold_id: holdId } } as const;
    const execute = { name: 'execute', input: askedOf(task) } as const;
    const command = this.#command(task, {
      to,
      steps: [...steps, reserve, execute],
      patch: { quote, questions: [], holdId, error: null, runBy: runner, ...occupies },
    });
    if (holdId === null) return this.withMoney(command, null);
    const idem = `${task.id}:${done + steps.length + 1}`;
    const hold = ledger.hold({ holdId, agentId: task.agentId, amountMicro, idem, ref: task.id, lifeMs: null });
    return this.withMoney(command, hold);
  }

  async #execute(task: Task, work: TaskRoute, n: number): Promise<TaskView | null> {
    const { agentId, addressTag } = task;
    const effect = { key: `${task.id}:${n}`, agentId, callerId: addressTag ?? agentId };
    const outcome = await this.#held(task, (signal) =>
      work.run(task.routing.entities, task.inputs, { ...effect, signal }),
    );
    if (outcome instanceof Refusal) return this.#refused(task, outcome);
    const { priceMicro = 0, feeMicro = 0 } = task.quote ?? {};
    const { chargeMicro = priceMicro + feeMicro, costMicro = 0, sealFees = [], entries = [] } = outcome;
    const executed: Executed = {
      // As it will be read: a member that is undefined is none.
      result: JSON.parse(JSON.stringify(outcome.result)) as object,
      charge_micro: Math.min(chargeMicro, priceMicro + feeMicro),
      cost_micro: costMicro,
      ...(sealFees.length > 0 && { seal_fees: sealFees }),
    };
    return this.#move(task, {
      to: [],
      steps: [{ name: 'execute', input: askedOf(task), output: executed }],
      patch: {},
      entries: entries as readonly DraftedEntry[],
    });
  }

  /** Faults of the inputs are asked about; anything else ends the task. */
  async #refused(task: Task, refusal: Refusal): Promise<TaskView | null> {
    const error = errorOf(refusal);
    const questions = questionsOf(refusal);
    if (questions.length === 0) return this.#giveUp(task, error);
    const execute = { name: 'execute', input: askedOf(task), output: { error } } as const;
    const command = this.#command(task, {
      to: ['input_required'],
      steps: [execute],
      patch: { questions, quote: null, holdId: null },
    });
    const { holdId } = task;
    return this.#freed(command, holdId);
  }

  /** Renews the lease while the work runs, and ends the wait for work that takes too long. */
  async #held(
    task: Task,
    run: (signal: AbortSignal) => Promise<RouteResult | Refusal>,
  ): Promise<RouteResult | Refusal> {
    const { store, runner } = this.#options;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, lost.signal, AbortSignal.timeout(RUN_MS)]);
    const renewal = setInterval(() => {
      const renewed = store.run(taskUnit, { type: 'renew', id: task.id, by: runner });
      renewed.then(({ type }) => type === 'done' || lost.abort()).catch(() => undefined);
    }, RENEW_EVERY_MS);
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(new Error('the run was ended'));
    signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([run(signal), ended]);
    } finally {
      clearInterval(renewal);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #settle(task: Task, work: TaskRoute, executed: Executed): Promise<TaskView | null> {
    const { receipt, clock, paidFees } = this.#options;
    const { result, charge_micro: chargeMicro, cost_micro: costMicro, seal_fees: fees = [] } = executed;
    const txId = task.holdId === null || chargeMicro === 0 ? null : newId('tx_');
    const signed = receipt({
      receiptId: task.receiptId,
      signed: signedPart({ task_id: task.id, result }),
      requestSha256: digestOf(askedOf(task)),
      issuedAt: isoTime(clock.now()),
      chargedEur: formatEur(txId === null ? 0 : chargeMicro),
    });
    const settle = {
      name: 'settle',
      input: task.holdId,
      output: { tx_id: txId, charged_micro: txId === null ? 0 : chargeMicro },
    } as const;
    const command = this.#command(task, {
      to: ['completed'],
      steps: [],
      patch: { receipt: signed, error: null },
      settle,
      isSealed: true,
    });
    if (task.holdId === null) return viewOf(await this.#options.store.run(taskUnit, command));
    const { holdId } = task;
    const provider = [
      { account: 'cost:provider', amountMicro: costMicro },
      { account: 'payable:provider', amountMicro: -costMicro },
    ];
    const legs = [{ account: work.revenue, amountMicro: -chargeMicro }, ...(costMicro > 0 ? provider : [])];
    const money =
      txId === null
        ? ledger.release({ holdId })
        : ledger.capture({ holdId, amountMicro: chargeMicro, kind: 'task', txId, legs, meta: { task: task.id } });
    const paid = txId === null || fees.length === 0 ? [] : [paidFees(task.agentId, fees)];
    const settled = await this.withMoney(command, money, paid);
    if (isLedgerRefusal(settled)) throw new Error(`the ledger refused with ${settled.code}: the task waits`);
    return viewOf(settled);
  }

  /** Ends a task that cannot be done; nothing is charged for it. */
  async #giveUp(task: Task, error: TaskError): Promise<TaskView | null> {
    const { tryTag } = task;
    if (task.state === 'submitted') return this.#move(task, { to: ['rejected'], steps: [], patch: { error }, tryTag });
    const execute = { name: 'execute', input: askedOf(task), output: { error } } as const;
    const command = this.#command(task, { to: ['failed'], steps: [execute], patch: { error }, isSealed: true });
    return this.#freed(command, task.holdId);
  }

  async #freed(command: AdvanceCommand, holdId: string | null): Promise<TaskView | null> {
    const moved = await this.withMoney(command, holdId === null ? null : ledger.release({ holdId }));
    if (isLedgerRefusal(moved)) throw new Error(`the ledger refused with ${moved.code}: the task waits`);
    return viewOf(moved);
  }

  async #move(task: Task, draft: Draft): Promise<TaskView | null> {
    return viewOf(await this.#options.store.run(taskUnit, this.#command(task, draft)));
  }

  #command(task: Task, { isSealed, ...draft }: Draft): AdvanceCommand {
    const seal = isSealed ? { seed: newToken(), nonce: newCommandId(), sandbox: this.#options.sandbox } : null;
    const by = isInFlight(task.state) ? this.#options.runner : null;
    return { type: 'advance', id: task.id, by, seal, ...draft };
  }

  /** The money moves only where the task can, and the task only where the money does. */
  async withMoney(
    command: AdvanceCommand,
    money: Step | null,
    alongside: readonly Step[] = [],
  ): Promise<AdvanceResult | Extract<LedgerResult, { type: 'refused' }>> {
    if (money === null) return this.#options.store.run(taskUnit, command);
    const steps = [step(taskUnit, { ...command, isDry: true }), money, ...alongside, step(taskUnit, command)];
    const results = await this.#options.store.runAll(steps, isStopped);
    return results.at(-1) as AdvanceResult | Extract<LedgerResult, { type: 'refused' }>;
  }
}

interface Executed {
  readonly result: object;
  readonly charge_micro: number;
  readonly cost_micro: number;
  readonly seal_fees?: readonly SealFee[];
}

export function isLedgerRefusal(
  result: AdvanceResult | LedgerResult,
): result is Extract<LedgerResult, { type: 'refused' }> {
  return result.type === 'refused';
}

/** What a task asks for; the digest of it stands in its evidence. */
function askedOf({ need, inputs, routing, region }: Task): object {
  return { need, inputs, region, route: routing.route, entities: routing.entities };
}

function quoteOutput({ priceMicro, feeMicro, questions }: RouteQuote): object {
  return { price_micro: priceMicro, fee_micro: feeMicro, questions: questions.map(({ id }) => id) };
}

function errorOf({ type, details }: Refusal): TaskError {
  return { code: type.code, detail: details.detail };
}

/** Null where another has the task by now, or its owner ended it. */
function viewOf(result: AdvanceResult): TaskView | null {
  return result.type === 'done' ? result : null;
}
