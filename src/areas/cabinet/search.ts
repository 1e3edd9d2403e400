import { z } from 'zod';
import { html } from '#kernel/html.ts';
import { type Call, defineOperation, Redirect, recorded, type Site } from '#kernel/operation.ts';
import { emptyState, heading, linkTo } from '#web/components.ts';
import examples from './examples.json' with { type: 'json' };
import * as fields from './fields.ts';
import { dashboardPage, markdownOf } from './frame.ts';
import type { Owner } from './owner.ts';
import { type Keepers, owns } from './ownership.ts';

const MAX_LENGTH = 200;

const CabinetSearch = z
  .strictObject({
    ...fields.head,
    q: z.string(),
    path: z
      .string()
      .nullable()
      .meta({ description: 'The page of what q names. Null if your account has nothing with this id.' }),
  })
  .meta({ id: 'CabinetSearch' });

type Found = z.output<typeof CabinetSearch>;

/** The page of each kind of thing that an account has. */
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

export const searchAccount = defineOperation({
  ...fields.cabinetRead,
  operationId: 'cabinet_search',
  path: '/cabinet/search',
  summary: 'Find a thing of the account by its id',
  description: 'Finds the page of an agent, key, task, order, mandate or top-up of your account by its id.',
  input: z.strictObject({
    q: z.string().trim().max(MAX_LENGTH).default('').meta({ description: 'An id, for example ord_….' }),
  }),
  output: CabinetSearch,
  problems: fields.READ_PROBLEMS,
  pages: {
    markdown: markdownOf('Search'),
    html(output: Found, site: Site): string {
      const body = html`${heading('Search')}${emptyState(
        'Enter an id of your account',
        'Agents, keys, tasks, orders, mandates and top-ups are found by their id.',
        linkTo('/search', 'Search the documentation'),
      )}`;
      return dashboardPage(output, { title: 'Search', path: '/dashboard/search', body }, site);
    },
  },
  examples: recorded(examples.cabinet_search),
});

/** What is not of the account may be public, or words: the public search knows. */
export async function searchAnswer(keepers: Keepers, owner: Owner, { q }: { readonly q: string }, call: Call) {
  const prefix = q.split('_', 1)[0] ?? '';
  const page = Object.hasOwn(PAGES, prefix) ? PAGES[prefix] : undefined;
  const path = page !== undefined && (await owns(keepers, owner, q)) ? page(q, owner) : null;
  if (!call.wantsPage || q === '') return { ...owner.head, q, path };
  return new Redirect(path ?? `/search?${new URLSearchParams({ q }).toString()}`);
}
