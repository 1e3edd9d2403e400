import type { Html } from '#kernel/html.ts';
import type { Call } from '#kernel/operation.ts';
import type { OwnerOrders } from './activity/owner-orders.ts';
import type { OwnerTasks } from './activity/owner-tasks.ts';
import type { Work } from './activity/work.ts';
import { doneToast } from './done.ts';
import type { Owner } from './owner.ts';

/** Who knows what belongs to an account. */
export interface Keepers {
  readonly tasks: Pick<OwnerTasks, 'has'>;
  readonly orders: Pick<OwnerOrders, 'has'>;
  readonly work: Pick<Work, 'hasMandate'>;
  readonly topUps: {
    newestOf(agentId: string, limit: number): Promise<readonly { readonly topup_id: string }[]>;
  };
}

/** More than anybody starts before the message about one is read. */
const MAX_TOPUPS = 50;

type Has = (keepers: Keepers, owner: Owner, id: string) => boolean | Promise<boolean>;

const BY_PREFIX: Readonly<Record<string, Has>> = {
  agt: (_keepers, { agents }, id) => agents.some(({ agentId }) => agentId === id),
  key: (_keepers, { agents }, id) => agents.some(({ keys }) => keys.some(({ keyId }) => keyId === id)),
  tsk: ({ tasks }, owner, id) => tasks.has(owner, id),
  ord: ({ orders }, owner, id) => orders.has(owner, id),
  mnd: ({ work }, owner, id) => work.hasMandate(owner, id),
  tu: async ({ topUps }, { agents }, id) => {
    const lists = await Promise.all(agents.map(({ agentId }) => topUps.newestOf(agentId, MAX_TOPUPS)));
    return lists.flat().some(({ topup_id }) => topup_id === id);
  },
};

/** Whether an id names something of the account. */
export async function owns(keepers: Keepers, owner: Owner, id: string): Promise<boolean> {
  const prefix = id.split('_', 1)[0] ?? '';
  const has = Object.hasOwn(BY_PREFIX, prefix) ? BY_PREFIX[prefix] : undefined;
  return (await has?.(keepers, owner, id)) ?? false;
}

/** What the form before this page did, as its address says. */
export function toastOf(keepers: Keepers, owner: Owner, { pageInput }: Call): Promise<Html> {
  return doneToast(pageInput, (id) => owns(keepers, owner, id));
}
