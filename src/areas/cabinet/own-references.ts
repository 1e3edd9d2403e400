import type { Call } from '#kernel/operation.ts';
import { Refusal } from '#kernel/problem.ts';
import type { OpenCabinet } from './area.ts';
import type { Owner } from './owner.ts';
import { type Keepers, owns } from './ownership.ts';

type Deps = Keepers & Pick<OpenCabinet, 'sessions' | 'account'>;

/** The page of each kind of thing that an account has, by the prefix of its ids. */
const PAGES: Readonly<Record<string, (id: string, owner: Owner) => string>> = {
  agt: (id) => `/dashboard/keys?agent_id=${id}`,
  key: (id, { agents }) => {
    const agent = agents.find(({ keys }) => keys.some(({ keyId }) => keyId === id));
    return `/dashboard/keys?agent_id=${agent?.agentId ?? ''}`;
  },
  mnd: (id) => `/dashboard/mandates?mandate_id=${id}`,
  ord: (id) => `/dashboard/orders?order_id=${id}`,
  tsk: (id) => `/dashboard/tasks?task_id=${id}`,
  tu: () => '/dashboard/topup',
};

/** The page of the dashboard for an id of the account that is signed in; undefined for any other text. */
export async function ownPage(deps: Deps, call: Call, ref: string): Promise<string | undefined> {
  const [, prefix = ''] = /^([a-z]+)_\w+$/.exec(ref) ?? [];
  if (!Object.hasOwn(PAGES, prefix) || call.header?.('cookie') === undefined) return undefined;
  const visitor = await deps.sessions.visitor(call);
  if (visitor instanceof Refusal) return undefined;
  const owner = await deps.account.owner(visitor);
  return (await owns(deps, owner, ref)) ? PAGES[prefix]?.(ref, owner) : undefined;
}
