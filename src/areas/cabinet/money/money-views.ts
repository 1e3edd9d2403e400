import type { z } from 'zod';
import { type Call, FileResponse, WithPage } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import { doneToast } from '../done.ts';
import type { OwnerTasks } from '../activity/owner-tasks.ts';
import type { Owner } from '../owner.ts';
import { waitingTaskAlerts } from './alerts.ts';
import { ledgerDocument } from './ledger-page.ts';
import type { Money } from './money.ts';
import type { ledgerPage, overview } from './money-operations.ts';
import { overviewDocument } from './overview-page.ts';
import { topUpsDocument } from './topup-page.ts';

type In<O extends { input: z.ZodType }> = z.output<O['input']>;

export interface MoneyArea {
  readonly money: Money;
}

export async function overviewAnswer(
  { money, tasks }: MoneyArea & { readonly tasks: OwnerTasks },
  owner: Owner,
  input: In<typeof overview>,
  call: Call,
) {
  const { agent_id, days } = input;
  const chosen = owner.only(agent_id);
  if (chosen instanceof Refusal) return chosen;
  const seen = await money.overview(owner, { chosen, days });
  const alerts = waitingTaskAlerts(await tasks.waiting(chosen));
  const output = { ...seen, alerts: [...seen.alerts, ...alerts], agent_id: agent_id || null };
  if (!call.wantsPage) return output;
  const owns = async (id: string) => owner.agents.some(({ agentId }) => agentId === id);
  const view = { toast: await doneToast(call.pageInput, owns) };
  return new WithPage(output, (site) => overviewDocument.html(output, site, view));
}

export async function ledgerAnswer({ money }: MoneyArea, owner: Owner, input: In<typeof ledgerPage>, call: Call) {
  const seen = await money.ledger(owner, input, call);
  if (seen instanceof Refusal || seen instanceof FileResponse) return seen;
  const { output, lines } = seen;
  if (!call.wantsPage) return output;
  const { from = '', to = '', capability = '', before_seq } = input;
  const isFirstPage = before_seq === undefined;
  const view = { from, to, capability, isFirstPage, lines, sealedAt: await money.sealedAt(lines) };
  return new WithPage(output, (site) => ledgerDocument.html(output, site, view));
}

export async function topUpsAnswer({ money }: MoneyArea, owner: Owner, _input: object, call: Call) {
  const output = await money.topUps(owner);
  if (!call.wantsPage) return output;
  const view = { agentId: call.pageInput?.['agent_id'] ?? '' };
  return new WithPage(output, (site) => topUpsDocument.html(output, site, view));
}
