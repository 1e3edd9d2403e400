// Owners of agents over HTTP: registered, asked for a mail, read it in the outbox, logged in.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, type CallOptions, expectProblem } from './client.ts';
import { PromisedStatuses } from './promised-statuses.ts';
import type { TestService } from './service.ts';
import { ordered } from './orders.ts';
import { agentOf, fund } from './wallet.ts';
import { expectLimited, generalRefusals } from './refusals.ts';
import { limitedService, sharedService } from './shared-service.ts';

export const EMAIL = 'ops@example.org';

type Called = Pick<TestService, 'call'>;

let owners = 0;

/** An address that nobody has used yet: where a service is shared, each test has an owner of its own. */
export function newEmail(): string {
  owners += 1;
  return `owner-${owners}@example.org`;
}

export interface OwnedAgent {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly keyId: string;
}

export async function registered(
  service: Called,
  owner_email = EMAIL,
  name = 'buyer-7',
  headers: Record<string, string> = {},
): Promise<OwnedAgent> {
  const body = { name, owner_email };
  const { status, json, text } = await service.call('/api/agents/register', { method: 'POST', body, headers });
  assert.equal(status, 201, text);
  return { name, id: String(json['agent_id']), key: String(json['agent_key']), keyId: String(json['key_id']) };
}

/** What a browser would send back. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ');
}

export function requestLink(service: Called, email = EMAIL, headers: Record<string, string> = {}): Promise<Answer> {
  return service.call('/api/cabinet/request-link', { method: 'POST', body: { email }, headers });
}

export interface LoginMail {
  readonly token: string;
  readonly code: string;
}

/** The login mails of the outbox to an address, newest first. */
export async function loginMails(service: Called, email = EMAIL): Promise<LoginMail[]> {
  const mails = (await service.call('/sandbox/outbox')).json as unknown as { to: string; text: string }[];
  return mails
    .filter(({ to, text }) => to === email && /\/dashboard\/login[^#\s]*#/.test(text))
    .map(({ text }) => ({
      token: /login[^#\s]*#([\w-]{43})/.exec(text)?.[1] ?? '',
      code: /code there: (\d{6})/.exec(text)?.[1] ?? '',
    }));
}

export function postLogin(service: Called, body: Record<string, string>, cookie: string, headers = {}) {
  return service.call('/cabinet/login', { method: 'POST', body, headers: { cookie, ...headers } });
}

export interface LoggedIn {
  readonly email: string;
  readonly cookie: string;
  readonly csrf: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** With the csrf value. */
  post(path: string, body: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
}

/** The address must have an agent. */
export async function loggedIn(service: Called, email = EMAIL): Promise<LoggedIn> {
  const before = new Set((await loginMails(service, email)).map(({ token }) => token));
  const browser = cookieOf(await requestLink(service, email));
  const mail = (await loginMails(service, email)).find(({ token }) => !before.has(token));
  assert.ok(mail !== undefined, 'a mail was sent');
  const entered = await postLogin(service, { t: mail.token }, browser);
  assert.equal(entered.status, 200, entered.text);
  const cookie = cookieOf(entered);
  const call = (path: string, { headers = {}, ...rest }: CallOptions = {}) =>
    service.call(path, { ...rest, headers: { cookie, ...headers } });
  const csrf = String((await call('/cabinet/sessions')).json['csrf']);
  const post = (path: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    call(path, { method: 'POST', body, headers: { 'x-csrf-token': csrf, ...headers } });
  return { email, cookie, csrf, call, post };
}

/** The owner says that the agent is theirs. */
async function accept(owner: LoggedIn, { id }: Pick<OwnedAgent, 'id'>): Promise<void> {
  const { status, text } = await owner.post('/cabinet/agents', { agent_id: id, answer: 'accept' });
  assert.equal(status, 200, text);
}

export interface Visited {
  readonly service: TestService;
  readonly agent: OwnedAgent;
  readonly owner: LoggedIn;
}

/** A new owner with one agent, logged in. */
export async function visited(service: TestService): Promise<Visited> {
  const email = newEmail();
  const agent = await registered(service, email, `buyer of ${email}`);
  const owner = await loggedIn(service, email);
  await accept(owner, agent);
  return { service, agent, owner };
}

/** An order of an agent that has an owner. */
export async function ownedOrder(
  { service, agent }: Visited,
  more: { readonly mode?: string; readonly supplier?: string } = {},
): Promise<string> {
  const known = agentOf(service, agent);
  await known.fund(5_000_000);
  const { supplier } = more;
  const order = await ordered(known, more, 10, supplier === undefined ? {} : { supplier });
  return String(order['order_id']);
}

/** What every page of the cabinet promises, with what the page is to show. */
export function testPage(
  operationId: string,
  path: string,
  check: (answer: Answer, visited: Visited) => void | Promise<void>,
  given: { readonly missing?: string; readonly prepare?: (visited: Visited) => Promise<string | undefined> } = {},
): void {
  const statuses = new PromisedStatuses(operationId);
  after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));
  test(`${path} shows its owner what is theirs and nobody else anything`, async () => {
    const service = await sharedService();
    const seen = await visited(service);
    await fund(service.service.store, seen.agent.id, 5_000_000);
    const query = (await given.prepare?.(seen)) ?? '';
    const saw = async (answer: Promise<Answer>) => statuses.saw(await answer);
    const shown = await saw(seen.owner.call(`${path}${query}`));
    assert.equal(shown.status, 200, shown.text);
    assert.equal(shown.headers['cache-control'], 'no-store');
    await check(shown, seen);
    expectProblem(await saw(service.call(path)), 401, 'no_session');
    const asPage = { headers: { accept: 'text/html' } };
    const place = path.replace('/cabinet', '/dashboard');
    const sent = await service.call(place, asPage);
    const isPage = operationId !== 'cabinet_export';
    assert.equal(sent.status, isPage ? 303 : 401);
    if (isPage) {
      const signIn = new URL(sent.headers.location ?? '', service.url);
      const [next = ''] = (signIn.searchParams.get('next') ?? '').split('?', 1);
      assert.deepEqual([signIn.pathname, next], ['/dashboard/login', place]);
      const moved = await service.call(`${path}?a=b%20c`, asPage);
      assert.deepEqual([moved.status, moved.headers.location, moved.headers.vary], [308, `${place}?a=b%20c`, 'Accept']);
    }
    expectProblem(await saw(seen.owner.call(`${path}?surprise=1`)), 400, 'invalid_parameters');
    if (given.missing !== undefined) {
      expectProblem(await saw(seen.owner.call(`${path}?${given.missing}`)), 404, 'not_of_account');
    }
  });

  test(`${path} is limited for each session apart from its address`, async () => {
    const { service } = await limitedService();
    const { owner } = await visited(service);
    await expectLimited(statuses, () => owner.call(path));
    assert.equal((await service.call(path)).status, 401);
  });
}

type Body = Record<string, unknown>;

/** What every call of the cabinet that changes something promises. */
export function testAction(
  operationId: string,
  path: string,
  given: {
    /** Makes what the call is about and gives its body. */
    readonly prepare: (visited: Visited) => Promise<Body>;
    readonly check: (answer: Answer, visited: Visited, body: Body) => void | Promise<void>;
    /** A body about what is not there. */
    readonly missing?: Body;
    /** Further refusals, each by its own test. */
    readonly more?: (visited: Visited, statuses: PromisedStatuses) => Promise<void>;
  },
): void {
  const statuses = new PromisedStatuses(operationId);
  after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));
  test(`${operationId} is done for its owner, from a page of the session alone`, async () => {
    const service = await sharedService();
    const seen = await visited(service);
    const { owner } = seen;
    const body = await given.prepare(seen);
    const saw = async (answer: Promise<Answer>) => statuses.saw(await answer);
    const send = (headers: Record<string, string>) => saw(service.call(path, { method: 'POST', body, headers }));
    const token = { 'x-csrf-token': owner.csrf };
    expectProblem(await send({}), 401, 'no_session');
    expectProblem(await send(token), 401, 'no_session');
    expectProblem(await send({ cookie: owner.cookie }), 403, 'csrf');
    const cookie = { cookie: owner.cookie, ...token };
    expectProblem(await send({ ...cookie, origin: 'https://other.example' }), 403, 'csrf');
    expectProblem(await send({ ...cookie, 'sec-fetch-site': 'cross-site' }), 403, 'cross_site_request');
    if (given.missing !== undefined) expectProblem(await saw(owner.post(path, given.missing)), 404, 'not_of_account');
    const place = path.replace('/cabinet', '/dashboard');
    expectProblem(await service.call(place, { method: 'POST', body, headers: { cookie: owner.cookie } }), 403, 'csrf');
    const foreign = { ...cookie, 'sec-fetch-site': 'cross-site' };
    expectProblem(await service.call(place, { method: 'POST', body, headers: foreign }), 403, 'cross_site_request');
    const done = await saw(owner.post(path, body, { origin: service.url }));
    assert.equal(done.status, 200, done.text);
    await given.check(done, seen, body);
    await given.more?.(seen, statuses);
  });
  test('general refusals', () =>
    generalRefusals(statuses, async (service) => {
      const seen = await visited(service);
      const body = await given.prepare(seen);
      return { path, body, headers: { cookie: seen.owner.cookie, 'x-csrf-token': seen.owner.csrf } };
    }));
}
