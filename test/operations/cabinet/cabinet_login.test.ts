import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cookieOf, loginMails, newEmail, postLogin, registered, requestLink } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('cabinet_login');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a link logs in once, in the browser that asked for it', async () => {
  const service = await sharedService();
  const email = newEmail();
  await registered(service, email);
  const browser = cookieOf(await requestLink(service, email));
  const [mail] = await loginMails(service, email);
  const send = async (cookie: string, headers = {}) =>
    statuses.saw(await postLogin(service, { t: mail?.token ?? '' }, cookie, headers));
  expectProblem(await send('lb=x'), 401, 'link_invalid');
  expectProblem(await send(`lb=${'A'.repeat(43)}`), 401, 'link_invalid');
  expectProblem(await send(browser, { origin: 'https://other.example' }), 403, 'origin');
  expectProblem(await send(browser, { 'sec-fetch-site': 'cross-site' }), 403, 'cross_site_request');
  expectProblem(statuses.saw(await postLogin(service, {}, browser)), 400, 'invalid_parameters');
  const entered = await send(browser);
  assert.deepEqual([entered.status, entered.json['next']], [200, '/cabinet']);
  const [session = '', known = ''] = entered.headers['set-cookie'] ?? [];
  assert.match(session, /^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/);
  assert.match(known, /^kb=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
  expectProblem(await send(browser), 401, 'link_invalid');
});

test('a wrong code leads back to the form, and the right one still logs in', async () => {
  const service = await sharedService();
  const email = newEmail();
  await registered(service, email);
  const browser = cookieOf(await requestLink(service, email));
  const [mail] = await loginMails(service, email);
  const code = mail?.code ?? '';
  const wrong = code === '000000' ? '000001' : '000000';
  const refused = await postLogin(service, { code: wrong }, browser, { accept: 'text/html' });
  assert.equal(refused.status, 401);
  assert.match(refused.text, /name="code"[^>]* aria-invalid="true"/);
  const asked = { headers: { accept: 'text/html', cookie: browser } };
  assert.match((await service.call('/dashboard/login', asked)).text, /name="code"/);
  assert.equal((await postLogin(service, { code }, browser)).status, 200);
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => ({
    path: '/cabinet/login',
    body: { code: '000000' },
    headers: { cookie: cookieOf(await requestLink(service)) },
  })));
