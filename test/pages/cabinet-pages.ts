// A browser that is logged in, and an account that has something on every page.
import type { BrowserContext } from 'playwright-core';
import { cookieOf, loginMails, ownedOrder, postLogin, registered, requestLink } from '../support/cabinet.ts';
import type { TestService } from '../support/service.ts';
import { mandate, mandateBody } from '../support/mandates.ts';
import { fund } from '../support/wallet.ts';

/** Logs a browser in without its pages. */
export async function enterAs(
  service: TestService,
  context: BrowserContext,
  email: string,
  headers: Record<string, string> = {},
): Promise<void> {
  const browser = cookieOf(await requestLink(service, email));
  const [mail] = await loginMails(service, email);
  const cookie = cookieOf(await postLogin(service, { t: mail?.token ?? '' }, browser, headers));
  const [name = '', value = ''] = (cookie.split(';', 1)[0] as string).split('=');
  await context.addCookies([{ name, value, url: service.url }]);
}

const SHOWN = 'shown@example.org';
const made = new WeakMap<TestService, Promise<Account>>();
const entered = new WeakMap<BrowserContext, Promise<void>>();
/** One session for all browsers: three mails a quarter of an hour are fewer than tests have browsers. */
const cookies = new WeakMap<TestService, Promise<{ name: string; value: string; url: string }>>();

interface Account {
  readonly taskId: string;
  readonly orderId: string;
  /** A task that waits for answers. */
  readonly askingId: string;
  readonly keyId: string;
  readonly mandateId: string;
}

/** An account with money, calls, a task, an order and a mandate; made once for each service. */
async function account(service: TestService): Promise<Account> {
  const agent = await registered(service, SHOWN, 'buyer-7');
  await registered(service, SHOWN, 'night shift: watches tenders in three regions');
  const { store } = service.service;
  await fund(store, agent.id, 10_000_000);
  const headers = { 'x-agent-key': agent.key };
  const post = async (path: string, body: Record<string, unknown>) =>
    (await service.call(path, { method: 'POST', body, headers })).json;
  for (const [capability, input] of [
    ['text.draft', { template: 'x' }],
    ['text.draft', { template: 'y' }],
    ['text.redact', { text: 'Call Anna' }],
  ] as const) {
    await post('/capabilities/execute', { capability, input });
  }
  const need = 'Summarise this contract for me, with the dates and the parties in it, and say what is unusual';
  const task = await post('/api/tasks', { agent_id: agent.id, need, inputs: { text: 'A contract. It ends.' } });
  const asking = await post('/api/tasks', { agent_id: agent.id, need: 'do something nice' });
  await post('/api/agents/wallet/topup', { tier: 'team' });
  const { mandate_id } = await mandate(service, { ...mandateBody(Date.now()), agent_id: agent.id });
  const visited = { service, agent, owner: undefined as never };
  const orderId = await ownedOrder(visited, { supplier: 'OTHER' });
  const askingId = String(asking['task_id']);
  return { taskId: String(task['task_id']), orderId, askingId, keyId: agent.keyId, mandateId: mandate_id };
}

/** What the pages of the table need: the account, and a browser that is logged in. */
export async function shownAccount(service: TestService, context: BrowserContext): Promise<Account> {
  made.set(service, made.get(service) ?? account(service));
  const given = await (made.get(service) as Promise<Account>);
  cookies.set(service, cookies.get(service) ?? sessionOf(service));
  const cookie = await (cookies.get(service) as ReturnType<typeof sessionOf>);
  entered.set(context, entered.get(context) ?? context.addCookies([cookie]));
  await entered.get(context);
  return given;
}

async function sessionOf(service: TestService): Promise<{ name: string; value: string; url: string }> {
  const browser = cookieOf(await requestLink(service, SHOWN));
  const [mail] = await loginMails(service, SHOWN);
  const cookie = cookieOf(await postLogin(service, { t: mail?.token ?? '' }, browser));
  const { agents, csrf } = (await service.call('/cabinet', { headers: { cookie } })).json;
  const headers = { cookie, 'x-csrf-token': String(csrf) };
  for (const { agent_id } of agents as { agent_id: string }[]) {
    await service.call('/cabinet/agents', { method: 'POST', headers, body: { agent_id, answer: 'accept' } });
  }
  const [name = '', value = ''] = (cookie.split(';', 1)[0] as string).split('=');
  return { name, value, url: service.url };
}
