import type { z } from 'zod';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Answer } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { readStatement } from '#platform/ledger/queries.ts';
import { formatEur } from '#platform/ledger/steps.ts';
import type { Step, Store } from '#platform/storage/store.ts';
import type { AgentCalls } from './calls.ts';
import { type AsOwner, notOwned, type OwnedAgent, type Owner } from '../owner.ts';
import type { CabinetCalls, CabinetMandates, CabinetOrders, CabinetTasks } from '../shapes.ts';
import type { callsPage, openMandate } from './work-operations.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;
type TaskLine = z.output<typeof CabinetTasks>['tasks'][number];
type OrderLine = z.output<typeof CabinetOrders>['orders'][number];

interface TaskRow {
  readonly id: string;
  readonly agentId: string;
  readonly state: string;
  readonly need: string;
  readonly routing: { readonly route: string | null };
  readonly attestationId: string | null;
  readonly receiptId: string;
  readonly questions: readonly { readonly text: string }[];
  readonly quote: { readonly priceMicro: number; readonly feeMicro: number } | null;
  readonly error: { readonly detail: string } | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

interface OrderShown {
  readonly order_id: string;
  readonly state: string;
  readonly supplier: string;
  readonly channel: string;
  readonly goods_total_eur: string;
  readonly fee: { readonly fee_eur: string; readonly state: string };
  readonly history: readonly { readonly state: string; readonly at: string; readonly attestation_id: string | null }[];
  readonly lines: readonly { readonly sku: string; readonly qty: string; readonly total_eur: string }[];
  readonly mandate: { readonly mandate_id: string } | null;
}

interface MandateShown extends Omit<z.output<typeof CabinetMandates>['mandates'][number], 'agent_id' | 'actions'> {
  readonly actions: readonly string[];
}

export interface ActivityOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly asOwner: AsOwner;
  readonly tasks: {
    ofAgent(agentId: string, limit: number): Promise<readonly TaskRow[]>;
    agentOf(taskId: string): Promise<string | undefined>;
    check(asked: { ref: string; agent_key: string }): Promise<{ readonly result?: unknown } | Refusal>;
    evidence(taskId: string): Promise<Evidence | Refusal>;
    cancel(asked: { task_id: string; agent_key: string }): Promise<unknown>;
    hasOpen(agentId: string): Promise<boolean>;
    eraseStep(agentId: string): Step;
  };
  readonly orders: {
    list(asked: { agent_key: string; limit: number }): Promise<{ readonly items: readonly OrderShown[] } | Refusal>;
    agentOf(orderId: string): Promise<string | undefined>;
    view(asked: { agent_key: string; order_id: string }): Promise<OrderShown | Refusal>;
    cancel(asked: { agent_key: string; order_id: string }): Promise<Answer<unknown> | Refusal>;
    hasOpen(agentId: string): Promise<boolean>;
    eraseSteps(agentId: string): Promise<Step[]>;
  };
  readonly mandates: {
    ofAgent(agentId: string, limit: number): Promise<readonly MandateShown[]>;
    view(asked: { mandate_id: string; control_token: string }): Promise<object | Refusal>;
    revoke(asked: { mandate_id: string; control_token: string }): Promise<object | Refusal>;
  };
  readonly calls: AgentCalls;
}

interface Evidence {
  readonly root: string;
  readonly chain_ok: boolean;
  readonly steps: readonly {
    readonly n: number;
    readonly name: string;
    readonly at: string;
    readonly hash: string | null;
  }[];
}

const MAX_SHOWN = 50;
/** More than an account has of anything. */
export const ALL = 1_000_000;
const CALLS_PAGE = 100;
const OPEN_TASKS = new Set(['submitted', 'input_required', 'quoted', 'payment_required', 'working']);
const OPEN_ORDERS = new Set(['placed', 'confirmed']);

/** What the agents of an account do: tasks, orders, calls, mandates. */
export class Work {
  readonly #options: ActivityOptions;

  constructor(options: ActivityOptions) {
    this.#options = options;
  }

  async tasks(owner: Owner, taskId?: string, limit = MAX_SHOWN): Promise<z.output<typeof CabinetTasks> | Refusal> {
    const { tasks } = this.#options;
    const found = await Promise.all(owner.agents.map(({ agentId }) => tasks.ofAgent(agentId, limit)));
    const rows = found.flat().toSorted((a, b) => b.createdAtMs - a.createdAtMs);
    const task = taskId === undefined ? null : await this.#task(owner, taskId, rows);
    if (task instanceof Refusal) return task;
    return { ...owner.head, agents: owner.names, tasks: rows.map(taskLine), task };
  }

  async cancelTask(owner: Owner, taskId: string): Promise<z.output<typeof CabinetTasks> | Refusal> {
    const { tasks, asOwner } = this.#options;
    const agent = owner.agent(await tasks.agentOf(taskId));
    if (agent instanceof Refusal) return agent;
    const ended = await asOwner(agent, (pass) => tasks.cancel({ task_id: taskId, agent_key: pass }));
    return ended instanceof Refusal ? ended : this.tasks(owner, taskId);
  }

  async orders(owner: Owner, orderId?: string, limit = MAX_SHOWN): Promise<z.output<typeof CabinetOrders> | Refusal> {
    const { orders, asOwner } = this.#options;
    const found = await Promise.all(
      owner.agents.map(async (agent) => {
        const list = await asOwner(agent, (pass) => orders.list({ agent_key: pass, limit }));
        return list instanceof Refusal ? [] : list.items.map((order) => orderLine(order, agent));
      }),
    );
    const lines = found.flat().toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
    const order = orderId === undefined ? null : await this.#order(owner, orderId);
    if (order instanceof Refusal) return order;
    return { ...owner.head, agents: owner.names, orders: lines, order };
  }

  async cancelOrder(owner: Owner, orderId: string): Promise<z.output<typeof CabinetOrders> | Refusal> {
    const { orders, asOwner } = this.#options;
    const agent = owner.agent(await orders.agentOf(orderId));
    if (agent instanceof Refusal) return agent;
    const ended = await asOwner(agent, (pass) => orders.cancel({ agent_key: pass, order_id: orderId }));
    return ended instanceof Refusal ? ended : this.orders(owner, orderId);
  }

  async calls(
    owner: Owner,
    { agent_id, before }: In<typeof callsPage>,
  ): Promise<z.output<typeof CabinetCalls> | Refusal> {
    const { calls, store, clock } = this.#options;
    const agent = agent_id === undefined ? owner.agents[0] : owner.agent(agent_id);
    if (agent instanceof Refusal) return agent;
    const shown = { ...owner.head, agents: owner.names, agent_id: agent?.agentId ?? null };
    if (agent === undefined) return { ...shown, items: [], next_before: null };
    const beforeMs = before === undefined ? clock.now() + 1 : Date.parse(before);
    const made = await calls.list(agent.agentId, beforeMs, CALLS_PAGE + 1);
    const oldest = made.length > CALLS_PAGE ? (made[CALLS_PAGE - 1]?.at ?? null) : null;
    // Money that moved among these calls; the newest thousand movements are looked through.
    const moved = await readStatement(store, agent.agentId, { beforeSeq: Number.MAX_SAFE_INTEGER, limit: 1_000 });
    const movements = moved
      .map(({ atMs, kind, amountMicro, ref, txId }) => ({
        at: isoTime(atMs),
        operation: kind,
        status: null,
        code: null,
        ms: null,
        price_eur: formatEur(amountMicro),
        receipt: ref ?? txId,
      }))
      .filter(({ at }) => at < isoTime(beforeMs) && (oldest === null || at >= oldest));
    const items = [
      ...made.slice(0, CALLS_PAGE).map((one) => ({ ...one, price_eur: null, receipt: null })),
      ...movements,
    ].toSorted((a, b) => (a.at < b.at ? 1 : -1));
    return { ...shown, items, next_before: oldest };
  }

  /** Every call that is kept of an agent. */
  callsOf({ agentId }: OwnedAgent) {
    const { calls, clock } = this.#options;
    return calls.list(agentId, clock.now() + 1, ALL);
  }

  async mandates(
    owner: Owner,
    opened: object | null = null,
    limit = MAX_SHOWN,
  ): Promise<z.output<typeof CabinetMandates>> {
    const { mandates } = this.#options;
    const found = await Promise.all(
      owner.agents.map(async ({ agentId }) =>
        (await mandates.ofAgent(agentId, limit)).map((one) => mandateLine(one, agentId)),
      ),
    );
    return {
      ...owner.head,
      agents: owner.names,
      mandates: found.flat(),
      opened: opened as Record<string, unknown> | null,
    };
  }

  /** Only a mandate of an agent of the account, and only with its token, which goes no further. */
  async openMandate(owner: Owner, { mandate_id, control_token, action }: In<typeof openMandate>) {
    const { mandates } = this.#options;
    const known = (await this.mandates(owner, null, ALL)).mandates.some((one) => one.mandate_id === mandate_id);
    if (!known) return notOwned();
    const opened = await mandates[action]({ mandate_id, control_token });
    return opened instanceof Refusal ? opened : this.mandates(owner, { ...opened, mandate_id });
  }

  /** What stands in the way of closing an agent. */
  async openOf({ agentId }: OwnedAgent): Promise<string[]> {
    const { tasks, orders } = this.#options;
    return [
      ...((await tasks.hasOpen(agentId)) ? [`A task of ${agentId} is open.`] : []),
      ...((await orders.hasOpen(agentId)) ? [`An order of ${agentId} is open.`] : []),
    ];
  }

  async eraseSteps({ agentId }: OwnedAgent): Promise<Step[]> {
    const { tasks, orders, calls } = this.#options;
    return [tasks.eraseStep(agentId), calls.eraseStep(agentId), ...(await orders.eraseSteps(agentId))];
  }

  async #task(owner: Owner, taskId: string, rows: readonly TaskRow[]) {
    const { tasks, asOwner } = this.#options;
    const agent = owner.agent(await tasks.agentOf(taskId));
    if (agent instanceof Refusal) return agent;
    const row = rows.find(({ id }) => id === taskId);
    const [evidence, status] = await Promise.all([
      tasks.evidence(taskId),
      asOwner(agent, (pass) => tasks.check({ ref: taskId, agent_key: pass })),
    ]);
    if (row === undefined || evidence instanceof Refusal) return notOwned();
    const { quote, error } = row;
    return {
      ...taskLine(row),
      questions: row.questions.map(({ text }) => text),
      price_eur: quote && formatEur(quote.priceMicro + quote.feeMicro),
      error: error && error.detail,
      receipt_id: row.receiptId,
      result: status instanceof Refusal ? null : (status.result ?? null),
      evidence: {
        root: evidence.root,
        chain_ok: evidence.chain_ok,
        steps: evidence.steps.map(({ n, name, at, hash }) => ({ n, name, at, hash })),
      },
    };
  }

  async #order(owner: Owner, orderId: string) {
    const { orders, asOwner } = this.#options;
    const agent = owner.agent(await orders.agentOf(orderId));
    if (agent instanceof Refusal) return agent;
    const order = await asOwner(agent, (pass) => orders.view({ agent_key: pass, order_id: orderId }));
    if (order instanceof Refusal) return notOwned();
    return {
      ...orderLine(order, agent),
      lines: order.lines.map(({ sku, qty, total_eur }) => ({ sku, qty, total_eur })),
      mandate_id: order.mandate?.mandate_id ?? null,
    };
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

function orderLine(order: OrderShown, { agentId }: OwnedAgent): OrderLine {
  const { order_id, state, supplier, channel, goods_total_eur, fee, history } = order;
  return {
    order_id,
    agent_id: agentId,
    state,
    untrusted_supplier: supplier,
    channel,
    goods_total_eur,
    fee_eur: fee.fee_eur,
    fee_state: fee.state,
    history: history.map(({ state: reached, at, attestation_id }) => ({ state: reached, at, attestation_id })),
    cancellable: OPEN_ORDERS.has(state),
  };
}

function startOf({ history }: OrderLine): string {
  return history[0]?.at ?? '';
}

function mandateLine(one: MandateShown, agentId: string): z.output<typeof CabinetMandates>['mandates'][number] {
  const { mandate_id, status, assurance, actions, currency, valid_from, valid_until, attestation_id } = one;
  const shown = { mandate_id, status, assurance, actions: [...actions], currency, valid_from, valid_until };
  return { ...shown, agent_id: agentId, attestation_id };
}
