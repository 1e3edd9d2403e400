import type { Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { OpenCabinet } from './area.ts';
import type { Owner } from './owner.ts';

type Deps = Pick<OpenCabinet, 'sessions' | 'account' | 'work' | 'money'>;
type Find = (deps: Deps, owner: Owner, ref: string) => Promise<string | undefined> | string | undefined;

const KEYS_PAGE = '/dashboard/keys';

/** What an account has, by the prefix of its ids, with the page that shows it. */
const FINDERS: Readonly<Record<string, Find>> = {
  agt_: (_deps, owner, ref) =>
    owner.agents.some(({ agentId }) => agentId === ref) ? `${KEYS_PAGE}?agent_id=${ref}` : undefined,
  key_: (_deps, owner, ref) =>
    owner.agents.some(({ keys }) => keys.some(({ keyId }) => keyId === ref)) ? KEYS_PAGE : undefined,
  tu_: async ({ money }, owner, ref) => {
    const { topups } = await money.topUps(owner);
    return topups.some(({ topup_id }) => topup_id === ref) ? '/dashboard/topup' : undefined;
  },
  tsk_: async ({ work }, owner, ref) =>
    (await work.tasks(owner, ref)) instanceof Refusal ? undefined : `/dashboard/tasks?task_id=${ref}`,
  ord_: async ({ work }, owner, ref) =>
    (await work.orders(owner, ref)) instanceof Refusal ? undefined : `/dashboard/orders?order_id=${ref}`,
};

/** The page of the dashboard for an id of the account that is signed in; undefined for any other text. */
export async function ownPage(deps: Deps, call: Call, ref: string): Promise<string | undefined> {
  const [prefix = ''] = /^[a-z]+_(?=\w+$)/.exec(ref) ?? [];
  if (!Object.hasOwn(FINDERS, prefix) || call.header?.('cookie') === undefined) return undefined;
  const visitor = await deps.sessions.visitor(call);
  if (visitor instanceof Refusal) return undefined;
  return FINDERS[prefix]?.(deps, await deps.account.owner(visitor), ref);
}
