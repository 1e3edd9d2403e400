import type { z } from 'zod';
import { type Html, html } from '#kernel/html.ts';
import { type Call, WithPage } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { eur } from '#web/amounts.ts';
import { shortText } from '#web/short-id.ts';
import type { ActivityOptions } from '../activity/work.ts';
import type { OwnerOrders } from '../activity/owner-orders.ts';
import type { OwnerTasks } from '../activity/owner-tasks.ts';
import type { Sessions } from '../login/sessions.ts';
import type { Owner } from '../owner.ts';
import { type Keepers, toastOf } from '../ownership.ts';
import type { CabinetKeys } from '../shapes.ts';
import type { AccountService } from './account.ts';
import type { changeKey, deleteAccount } from './account-operations.ts';
import { accountDocument, type AccountView, type OpenThing } from './account-pages.ts';
import { type AgentFacts, type KeyQuestion, keysDocument } from './key-pages.ts';
import { sessionsDocument } from './session-pages.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;
type Keys = z.output<typeof CabinetKeys>;

export interface AccountArea extends Keepers {
  readonly account: AccountService;
  readonly sessions: Sessions;
  readonly tasks: OwnerTasks;
  readonly orders: OwnerOrders;
  readonly topUps: Keepers['topUps'] & ActivityOptions['topUps'];
}

const MAX_LISTED = 10;

export async function keysAnswer(area: AccountArea, owner: Owner, call: Call) {
  const output = area.account.keys(owner);
  if (!call.wantsPage) return output;
  const question = keyQuestion(output, call.pageInput);
  const view = {
    toast: await toastOf(area, owner, call),
    facts: await factsOf(area, owner),
    agentId: call.pageInput?.['agent_id'],
    ...(question !== undefined && { question }),
  };
  return new WithPage(output, (site) => keysDocument.html(output, site, view));
}

function keyQuestion(
  { agents }: Keys,
  { confirm, key_id, agent_id }: Readonly<Record<string, string>> = {},
): KeyQuestion | undefined {
  if (confirm === 'new_agent') return { about: confirm };
  if (confirm === 'refuse') {
    const agent = agents.find((one) => one.agent_id === agent_id);
    return agent && { about: confirm, agent };
  }
  if (confirm !== 'revoke' && confirm !== 'rotate') return undefined;
  const agent = agents.find(({ keys }) => keys.some((one) => one.key_id === key_id));
  const key = agent?.keys.find((one) => one.key_id === key_id && one.revoked_at === null);
  return agent && key && { about: confirm, agent, key };
}

async function factsOf({ account }: AccountArea, { agents }: Owner): Promise<ReadonlyMap<string, AgentFacts>> {
  return new Map(
    await Promise.all(
      agents.map(async ({ agentId, status, isOwnerVerified }) => {
        const { availableEur } = await account.wallet(agentId);
        return [agentId, { status, isAccepted: isOwnerVerified, availableEur }] as const;
      }),
    ),
  );
}

/** A form may keep the old key for now: then it only creates one. */
export function keyChange(input: In<typeof changeKey>, { pageInput }: Call): In<typeof changeKey> {
  if (input.action !== 'rotate' || pageInput?.['old_key'] !== 'later') return input;
  const { key_id: _, ...rest } = input;
  return { ...rest, action: 'create' };
}

export async function sessionsAnswer(area: AccountArea, owner: Owner, call: Call) {
  const output = { ...owner.head, sessions: await area.sessions.list(owner.visitor) };
  if (!call.wantsPage) return output;
  const view = { toast: await toastOf(area, owner, call), asksToEndAll: call.pageInput?.['confirm'] === 'all' };
  return new WithPage(output, (site) => sessionsDocument.html(output, site, view));
}

export async function accountAnswer(area: AccountArea, owner: Owner, call: Call) {
  const output = await area.account.view(owner);
  if (!call.wantsPage) return output;
  const open = await openThings(area, owner);
  return new WithPage(output, (site) => accountDocument.html(output, site, { open }));
}

/** A refused deletion comes back as the page of the account, with what to do first. */
export async function deletionRefused(
  area: AccountArea,
  owner: Owner,
  { confirm }: In<typeof deleteAccount>,
  refusal: Refusal,
) {
  const output = await area.account.view(owner);
  const [fault] = refusal.details.errors ?? [];
  const isCredit = fault === undefined && output.in_use.length === 0;
  const view: AccountView = {
    open: await openThings(area, owner),
    typed: confirm,
    error: {
      field: fault === undefined ? (isCredit ? 'give_up_credit' : null) : 'confirm',
      message: fault?.detail ?? refusal.details.detail,
    },
  };
  return new WithPage<never>(refusal, (site) => accountDocument.html(output, site, view));
}

async function openThings({ tasks, orders, topUps, account }: AccountArea, owner: Owner): Promise<OpenThing[]> {
  const lists = await Promise.all(
    owner.agents.map(async (agent): Promise<OpenThing[]> => {
      const [openTasks, openOrders, payable, { heldEur }] = await Promise.all([
        tasks.open(agent, MAX_LISTED),
        orders.open(agent, MAX_LISTED),
        topUps.payableOf(agent.agentId),
        account.wallet(agent.agentId),
      ]);
      const of = (text: Html, href: string) => ({ text, href, agent: agent.name });
      return [
        ...(heldEur === '0.00'
          ? []
          : [of(html`${eur(heldEur)} on hold`, `/dashboard/ledger?agent_id=${agent.agentId}`)]),
        ...openTasks.map(({ id }) => of(html`Open task ${shortText(id)}`, `/dashboard/tasks?task_id=${id}`)),
        ...openOrders.map(({ order_id }) =>
          of(html`Open order ${shortText(order_id)}`, `/dashboard/orders?order_id=${order_id}`),
        ),
        ...payable.map(({ topup_id }) => of(html`Open top-up ${shortText(topup_id)}`, `/wallet/topups/${topup_id}`)),
      ];
    }),
  );
  return lists.flat();
}
