import type { z } from 'zod';
import { type Call, WithPage } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { AccountService } from '../account/account.ts';
import type { Owner } from '../owner.ts';
import { type Keepers, toastOf } from '../ownership.ts';
import type { CabinetMandates } from '../shapes.ts';
import { type MandateAction, mandatesDocument } from './mandate-pages.ts';
import { ordersDocument } from './order-pages.ts';
import type { OwnerOrders } from './owner-orders.ts';
import type { OwnerTasks } from './owner-tasks.ts';
import { tasksDocument } from './task-pages.ts';
import type { Work } from './work.ts';
import type { mandatesPage, openMandate, ordersPage, tasksPage } from './work-operations.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;

export interface WorkArea extends Keepers {
  readonly tasks: OwnerTasks;
  readonly orders: OwnerOrders;
  readonly work: Work;
  readonly account: AccountService;
  /** What each route of a task does, by its id. */
  readonly routeNames: Readonly<Record<string, string>>;
}

export async function tasksAnswer(area: WorkArea, owner: Owner, input: In<typeof tasksPage>, call: Call) {
  const seen = await area.tasks.seen(owner, input);
  if (seen instanceof Refusal) return seen;
  const { output, rows, detail } = seen;
  if (!call.wantsPage) return output;
  const view = {
    rows,
    detail,
    show: input.show,
    before: input.before,
    agentId: input.agent_id,
    toast: await toastOf(area, owner, call),
    asksToCancel: call.pageInput?.['confirm'] === 'cancel' && output.task?.cancellable === true,
    routeNames: area.routeNames,
    availableEur: output.task === null ? '0.00' : (await area.account.wallet(output.task.agent_id)).availableEur,
  };
  return new WithPage(output, (site) => tasksDocument.html(output, site, view));
}

export async function ordersAnswer(area: WorkArea, owner: Owner, input: In<typeof ordersPage>, call: Call) {
  const seen = await area.orders.seen(owner, input);
  if (seen instanceof Refusal) return seen;
  const { output, signed } = seen;
  if (!call.wantsPage) return output;
  const view = {
    signed,
    show: input.show,
    before: input.before,
    agentId: input.agent_id,
    toast: await toastOf(area, owner, call),
    asksToCancel: call.pageInput?.['confirm'] === 'cancel' && output.order?.cancellable === true,
  };
  return new WithPage(output, (site) => ordersDocument.html(output, site, view));
}

const ACTIONS: readonly string[] = ['view', 'revoke'] satisfies MandateAction[];

export async function mandatesAnswer(area: WorkArea, owner: Owner, input: In<typeof mandatesPage>, call: Call) {
  const agents = owner.only(input.agent_id);
  if (agents instanceof Refusal) return agents;
  const { confirm = '', mandate_id: mandateId } = call.pageInput ?? {};
  const output = await area.work.mandates(owner, { agents, before: input.before, mandateId });
  if (output instanceof Refusal || !call.wantsPage) return output;
  const mandate = output.mandates.find((one) => one.mandate_id === mandateId);
  const asks = mandate !== undefined && ACTIONS.includes(confirm);
  const view = {
    mandateId,
    before: input.before,
    agentId: input.agent_id,
    toast: await toastOf(area, owner, call),
    ...(asks && { question: { mandate, action: confirm as MandateAction } }),
  };
  return new WithPage(output, (site) => mandatesDocument.html(output, site, view));
}

/** A token that does not open the mandate is asked for again, on the page that asked for it. */
export async function openMandateAnswer(area: WorkArea, owner: Owner, input: In<typeof openMandate>, call: Call) {
  const opened: z.output<typeof CabinetMandates> | Refusal = await area.work.openMandate(owner, input);
  if (!call.wantsPage || !(opened instanceof Refusal)) return opened;
  const output = await area.work.mandates(owner, { mandateId: input.mandate_id });
  if (output instanceof Refusal) return opened;
  const [mandate] = output.mandates;
  if (mandate === undefined) return opened;
  const error = 'Enter the control token of this mandate. This one does not open it. Nothing was changed.';
  const question = { mandate, action: input.action, error };
  return new WithPage<never>(opened, (site) => mandatesDocument.html(output, site, { question }));
}
