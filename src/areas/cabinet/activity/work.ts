import type { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { Refusal } from '#kernel/problem.ts';
import type { Step, Store } from '#platform/storage/store.ts';
import type { AgentCalls } from './calls.ts';
import { type AsOwner, notOwned, type OwnedAgent, type Owner } from '../owner.ts';
import type { CabinetMandates } from '../shapes.ts';
import type { OrdersPort } from './owner-orders.ts';
import type { TasksPort } from './owner-tasks.ts';
import type { openMandate } from './work-operations.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;
interface MandateShown extends Omit<z.output<typeof CabinetMandates>['mandates'][number], 'agent_id' | 'actions'> {
  readonly actions: readonly string[];
}

export interface ActivityOptions {
  readonly store: Pick<Store, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly asOwner: AsOwner;
  readonly tasks: Pick<TasksPort, 'hasOpen' | 'eraseStep'>;
  readonly orders: Pick<OrdersPort, 'hasOpen' | 'eraseSteps'>;
  readonly mandates: {
    ofAgent(agentId: string, limit: number): Promise<readonly MandateShown[]>;
    view(asked: { mandate_id: string; control_token: string }): Promise<object | Refusal>;
    revoke(asked: { mandate_id: string; control_token: string }): Promise<object | Refusal>;
  };
  readonly calls: AgentCalls;
}

const MAX_SHOWN = 50;
/** More than an account has of anything. */
export const ALL = 1_000_000;

interface MandatesAsked {
  /** What the control token of one opened. */
  readonly opened?: object | null;
  readonly limit?: number;
  readonly agents?: readonly OwnedAgent[];
}

/** What the agents of an account do in addition to tasks and orders: calls and mandates. */
export class Work {
  readonly #options: ActivityOptions;

  constructor(options: ActivityOptions) {
    this.#options = options;
  }

  /** Every call that is kept of an agent. */
  callsOf({ agentId }: OwnedAgent) {
    const { calls, clock } = this.#options;
    return calls.list(agentId, clock.now() + 1, ALL);
  }

  async mandates(
    owner: Owner,
    { opened = null, limit = MAX_SHOWN, agents = owner.agents }: MandatesAsked = {},
  ): Promise<z.output<typeof CabinetMandates>> {
    const { mandates } = this.#options;
    const found = await Promise.all(
      agents.map(async ({ agentId }) =>
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

  /** Whether a mandate names one of the owner's agents. */
  async hasMandate(owner: Owner, mandateId: string): Promise<boolean> {
    const { mandates } = await this.mandates(owner, { limit: ALL });
    return mandates.some(({ mandate_id }) => mandate_id === mandateId);
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
}

function mandateLine(one: MandateShown, agentId: string): z.output<typeof CabinetMandates>['mandates'][number] {
  const { mandate_id, status, assurance, actions, currency, valid_from, valid_until, attestation_id } = one;
  const shown = { mandate_id, status, assurance, actions: [...actions], currency, valid_from, valid_until };
  return { ...shown, agent_id: agentId, attestation_id };
}
