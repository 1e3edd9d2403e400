// Every page that people see: the table of the screenshots and of the tests that hold for all pages.
import { shownAccount } from './cabinet-pages.ts';
import type { BrowserContext } from 'playwright-core';
import { EXPLORER_PAGES } from './explorer-pages.ts';
import type { TestService } from '../support/service.ts';
import { registeredAgent } from '../support/topup.ts';

interface Given {
  readonly service: TestService;
  /** Where a page belongs to somebody, the need logs this browser in. */
  readonly context: BrowserContext;
}

export interface PageRow {
  /** The name of its pictures. */
  readonly name: string;
  readonly path: string;
  /** The test file that visits it. */
  readonly group: 'public' | 'explorer' | 'cabinet' | 'docs';
  /** For a page that has no other form at its address. */
  readonly isPageOnly?: true;
  /** The status of its answer where it is not 200. */
  readonly status?: number;
  /** Makes what the page shows; a path that it gives is visited instead. */
  readonly needs?: (given: Given) => Promise<string | undefined>;
}

/** A top-up that waits for its card. */
async function openCheckout({ service }: Given): Promise<string> {
  const agent = await registeredAgent(service);
  return new URL(String((await agent.topUp()).json['checkout_url'])).pathname;
}

/** The page that its payer comes back to. */
async function openTopUp({ service }: Given): Promise<string> {
  const agent = await registeredAgent(service);
  return `/wallet/topups/${String((await agent.topUp()).json['topup_id'])}`;
}

/** A task whose link somebody was sent. */
async function sentTask({ service }: Given): Promise<string> {
  const body = { agent_id: 'anonymous', need: 'open bounties' };
  return `/tasks/${String((await service.call('/api/tasks', { method: 'POST', body })).json['receipt_id'])}`;
}

const CABINET = ['ledger', 'spend', 'topup', 'tasks', 'orders', 'calls', 'mandates', 'keys', 'sessions', 'account'];

type Account = Awaited<ReturnType<typeof shownAccount>>;

/** Pages that ask before something is done, and those that a message or a form is on. */
const QUESTIONS: Readonly<Record<string, (account: Account) => string>> = {
  'task-asks': ({ askingId }) => `/tasks?task_id=${askingId}`,
  'task-cancel': ({ askingId }) => `/tasks?task_id=${askingId}&confirm=cancel`,
  'tasks-empty': () => '/tasks?show=failed',
  'order-cancel': ({ orderId }) => `/orders?order_id=${orderId}&confirm=cancel`,
  'mandate-revoke': ({ mandateId }) => `/mandates?mandate_id=${mandateId}&confirm=revoke`,
  'key-revoke': ({ keyId }) => `/keys?confirm=revoke&key_id=${keyId}`,
  'key-rotate': ({ keyId }) => `/keys?confirm=rotate&key_id=${keyId}`,
  'key-revoked': ({ keyId }) => `/keys?done=key_revoked&id=${keyId}`,
  'agent-new': () => '/keys?confirm=new_agent',
  'sign-out-everywhere': () => '/sessions?confirm=all',
};

function ownAccount(path: string) {
  return async ({ service, context }: Given) => {
    await shownAccount(service, context);
    return path;
  };
}

export const PAGES: readonly PageRow[] = [
  ...EXPLORER_PAGES,
  { name: 'home', path: '/', group: 'public' },
  { name: 'connect', path: '/connect', group: 'public' },
  ...['coordination', 'proof', 'checks', 'mandates', 'wallet', 'mcp'].map((name) => ({
    name: `product-${name}`,
    path: `/product/${name}`,
    group: 'public' as const,
  })),
  { name: 'pricing', path: '/pricing', group: 'public' },
  { name: 'mcp', path: '/mcp', group: 'public', isPageOnly: true },
  { name: 'status', path: '/system/status', group: 'public' },
  { name: 'protocols', path: '/protocols', group: 'public' },
  { name: 'protocol-budget', path: '/protocols/aba-1', group: 'public' },
  { name: 'protocol-briefs', path: '/protocols/acb-1', group: 'public' },
  { name: 'protocol-mandates', path: '/protocols/amh-0', group: 'public' },
  { name: 'schemas', path: '/api/attest/schemas', group: 'public' },
  { name: 'rules', path: '/api/rules-of-engagement', group: 'public' },
  { name: 'sanctions-quality', path: '/v1/sanctions/quality', group: 'public' },
  { name: 'docs', path: '/docs', group: 'public' },
  { name: 'docs-page', path: '/docs/coordination', group: 'public' },
  { name: 'design', path: '/design', group: 'public' },
  { name: 'pillars', path: '/api/strategy/pillars', group: 'public' },
  { name: 'docs-problem', path: '/problems/held', group: 'public' },
  ...Object.entries({
    'docs-start': '/docs/quickstart',
    'docs-errors': '/docs/errors',
    'docs-api': '/docs/api',
    'docs-operation': '/docs/api/claim',
    'search-words': '/search?q=lease',
    'search-none': '/search?q=zzqx',
    'protocol-coordination': '/protocols/aca-1',
    'json-look': '/v1/look?key=acme/repo%2312',
    'json-check': '/v1/check?amount_usd=1',
    'json-bounties': '/v1/bounties',
    'json-health': '/api/v1/health',
    'json-ledger': '/api/attest/ledger',
    'json-keys': '/.well-known/avouch-keys.json',
    'json-tools': '/mcp/tools.json',
    'json-data': '/api/data/summary',
    'json-preview': '/v1/budget/preview',
    'json-sth': '/api/astralock/sth',
  }).map(([name, path]): PageRow => ({ name, path, group: 'docs' })),
  { name: 'not-found', path: '/nowhere', group: 'public', status: 404 },
  { name: 'wrong-method', path: '/api/amh/seal', group: 'public', status: 405 },
  { name: 'bad-input', path: '/v1/look?keyy=1', group: 'public', status: 400 },
  { name: 'payment-required', path: '/v1/eu-vat-check?vat_number=NL000099998B57', group: 'public', status: 402 },
  { name: 'checkout', path: '/sandbox/checkout', group: 'public', needs: openCheckout },
  { name: 'start', path: '/start', group: 'public' },
  { name: 'start-money', path: '/start?step=4&agent_id=agt_0123456789abcdefghjkmnpqrs', group: 'public' },
  { name: 'top-up-return', path: '/wallet/topups', group: 'public', needs: openTopUp },
  { name: 'task', path: '/tasks', group: 'public', needs: sentTask },
  { name: 'payment-wrong', path: '/v1/eu-vat-check?vat_number=12', group: 'public', status: 402 },
  { name: 'cabinet-login', path: '/dashboard/login', group: 'cabinet' },
  { name: 'sandbox-outbox', path: '/sandbox/outbox', group: 'cabinet', needs: ownAccount('/sandbox/outbox') },
  ...CABINET.map((name) => ({
    name: `cabinet-${name}`,
    path: `/dashboard/${name}`,
    group: 'cabinet' as const,
    needs: ownAccount(`/dashboard/${name}`),
  })),
  { name: 'cabinet', path: '/dashboard', group: 'cabinet', needs: ownAccount('/dashboard') },
  {
    name: 'cabinet-task',
    path: '/dashboard/tasks',
    group: 'cabinet',
    needs: async ({ service, context }) => `/dashboard/tasks?task_id=${(await shownAccount(service, context)).taskId}`,
  },
  {
    name: 'cabinet-order',
    path: '/dashboard/orders',
    group: 'cabinet',
    needs: async ({ service, context }) =>
      `/dashboard/orders?order_id=${(await shownAccount(service, context)).orderId}`,
  },
  ...Object.entries(QUESTIONS).map(([name, address]) => ({
    name: `cabinet-${name}`,
    path: '/dashboard',
    group: 'cabinet' as const,
    needs: async ({ service, context }: Given) => `/dashboard${address(await shownAccount(service, context))}`,
  })),
  {
    name: 'cabinet-not-found',
    path: '/dashboard/ledger',
    group: 'cabinet',
    status: 404,
    needs: ownAccount('/dashboard/ledger?agent_id=agt_0123456789abcdefghjkmnpqrs'),
  },
];
