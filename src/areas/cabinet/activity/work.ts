import type { z } from 'zod';
import { type ListAsked, pageOf, type Place, type Placed } from '#kernel/newest-first.ts';
import { Refusal } from '#kernel/problem.ts';
import type { AgentCalls } from './calls.ts';
import { LIST_PAGE } from './filters.ts';
import { notOwned, type OwnedAgent, type Owner } from '../owner.ts';
import type { CabinetMandates } from '../shapes.ts';
import type { CallRecord } from '../sql.ts';
import type { OrdersPort } from './owner-orders.ts';
import type { TasksPort } from './owner-tasks.ts';
import type { openMandate } from './work-operations.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;
type MandateLine = z.output<typeof CabinetMandates>['mandates'][number];
interface MandateShown extends Omit<MandateLine, 'agent_id' | 'actions'> {
  readonly actions: readonly string[];
}

export interface ActivityOptions {
  readonly tasks: Pick<TasksPort, 'hasOpen' | 'erasePortion'>;
  readonly orders: Pick<OrdersPort, 'hasOpen' | 'erasePortion'>;
  readonly topUps: {
    /** Those that somebody may still pay, after the processor was asked about them. */
    payableOf(agentId: string): Promise<readonly { readonly topup_id: string }[]>;
  };
  readonly mandates: {
    ofAgent(agentId: string, asked: ListAsked): Promise<readonly MandateFound[]>;
    ofId(mandateId: string): Promise<MandateFound | undefined>;
    view(asked: { mandate_id: string; control_token: string }): Promise<object | Refusal>;
    revoke(asked: { mandate_id: string; control_token: string }): Promise<object | Refusal>;
  };
  readonly calls: AgentCalls;
}

interface MandateFound extends Place {
  readonly agentId: string;
  readonly view: MandateShown;
}

interface MandatesAsked {
  /** What the control token of one opened. */
  readonly opened?: object | null;
  readonly limit?: number;
  readonly agents?: readonly OwnedAgent[];
  readonly before?: string | undefined;
  /** This one alone. */
  readonly mandateId?: string | undefined;
}

/** What the agents of an account do in addition to tasks and orders: calls and mandates. */
export class Work {
  readonly #options: ActivityOptions;

  constructor(options: ActivityOptions) {
    this.#options = options;
  }

  /** Calls of an agent that follow one in the list, newest first. */
  callPage({ agentId }: OwnedAgent, last: CallRecord | undefined, limit: number) {
    return this.#options.calls.page(agentId, last, limit);
  }

  /** Mandates that name an agent and follow one in the list, newest first. */
  async mandatePage({ agentId }: OwnedAgent, before: Place | undefined, limit: number) {
    const found = await this.#options.mandates.ofAgent(agentId, { before, limit });
    return found.map((one): Placed<MandateLine> => ({ ...placeOf(one), line: mandateLine(one) }));
  }

  async mandates(
    owner: Owner,
    { opened = null, limit = LIST_PAGE, agents = owner.agents, before, mandateId }: MandatesAsked = {},
  ): Promise<z.output<typeof CabinetMandates> | Refusal> {
    const last = before === undefined ? undefined : await this.#mandate(owner, before);
    if (before !== undefined && last === undefined) return notOwned();
    const asked = { before: last, limit: limit + 1 };
    const found =
      mandateId === undefined
        ? await Promise.all(agents.map(({ agentId }) => this.#options.mandates.ofAgent(agentId, asked)))
        : [[await this.#mandate(owner, mandateId)].filter((one) => one !== undefined)];
    const { items, nextBefore } = pageOf(found, limit);
    return {
      ...owner.head,
      agents: owner.names,
      mandates: items.map(mandateLine),
      next_before: nextBefore,
      opened: opened as Record<string, unknown> | null,
    };
  }

  /** Whether a mandate names one of the owner's agents. */
  async hasMandate(owner: Owner, mandateId: string): Promise<boolean> {
    return (await this.#mandate(owner, mandateId)) !== undefined;
  }

  async #mandate({ agents }: Owner, mandateId: string): Promise<MandateFound | undefined> {
    const found = await this.#options.mandates.ofId(mandateId);
    return agents.some(({ agentId }) => agentId === found?.agentId) ? found : undefined;
  }

  /** Only a mandate of an agent of the account, and only with its token, which goes no further. */
  async openMandate(owner: Owner, { mandate_id, control_token, action }: In<typeof openMandate>) {
    const { mandates } = this.#options;
    if (!(await this.hasMandate(owner, mandate_id))) return notOwned();
    const opened = await mandates[action]({ mandate_id, control_token });
    return opened instanceof Refusal ? opened : this.mandates(owner, { opened: { ...opened, mandate_id } });
  }

  /** What stands in the way of closing an agent. */
  async openOf({ agentId }: OwnedAgent): Promise<string[]> {
    const { tasks, orders, topUps } = this.#options;
    return [
      ...((await tasks.hasOpen(agentId)) ? [`A task of ${agentId} is open.`] : []),
      ...((await orders.hasOpen(agentId)) ? [`An order of ${agentId} is open.`] : []),
      ...((await topUps.payableOf(agentId)).length > 0 ? [`A card top-up of ${agentId} is open.`] : []),
    ];
  }

  /** Erases what an agent that goes leaves behind, in portions, so that others are served in between. */
  async erase({ agentId }: OwnedAgent): Promise<void> {
    const { tasks, orders, calls } = this.#options;
    for (const keeper of [tasks, calls, orders]) {
      while ((await keeper.erasePortion(agentId)) > 0);
    }
  }
}

function placeOf({ id, createdAtMs }: Place): Place {
  return { id, createdAtMs };
}

function mandateLine({ agentId, view }: MandateFound): MandateLine {
  const { mandate_id, status, assurance, actions, currency, valid_from, valid_until, attestation_id } = view;
  const shown = { mandate_id, status, assurance, actions: [...actions], currency, valid_from, valid_until };
  return { ...shown, agent_id: agentId, attestation_id };
}
