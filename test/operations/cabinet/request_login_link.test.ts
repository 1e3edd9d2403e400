import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cookieOf, EMAIL, loginMails, newEmail, postLogin, registered, requestLink } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { TestService } from '../../support/service.ts';
import { bareService, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('request_login_link');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('an owner is mailed, the browser gets its cookie; other sites and installations without mail are refused', async () => {
  const service = await sharedService();
  const email = newEmail();
  await registered(service, email);
  const asked = statuses.saw(await requestLink(service, email));
  assert.deepEqual([asked.status, asked.json], [202, { status: 'sent_if_known', expires_in_s: 900 }]);
  const cookie = String(asked.headers['set-cookie']);
  assert.match(cookie, /^lb=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/);
  const again = await requestLink(service, email, { cookie: cookie.split(';', 1)[0] as string });
  assert.equal(String(again.headers['set-cookie']), cookie, 'a cookie that is there is kept');
  const foreign = { origin: 'https://other.example' };
  expectProblem(statuses.saw(await requestLink(service, email, foreign)), 403, 'origin');
  const crossing = await requestLink(service, email, { 'sec-fetch-site': 'cross-site' });
  expectProblem(statuses.saw(crossing), 403, 'cross_site_request');
  expectProblem(statuses.saw(await requestLink(service, 'not an address')), 400, 'invalid_parameters');
  const off = await bareService();
  expectProblem(statuses.saw(await requestLink(off.service)), 503, 'mail_not_configured');
});

test('an owner is mailed after a stranger has asked in its name as often as one may', async () => {
  await using service = await TestService.start({ env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } });
  const email = newEmail();
  await registered(service, email);
  const ask = (address: string, cookie?: string) =>
    requestLink(service, email, { 'x-forwarded-for': address, ...(cookie !== undefined && { cookie }) });
  const mails = async () => (await loginMails(service, email)).length;
  const browser = cookieOf(await ask('198.51.100.1'));
  const [mail] = await loginMails(service, email);
  const entered = await postLogin(service, { t: mail?.token ?? '' }, browser, { 'x-forwarded-for': '198.51.100.1' });
  const before = await mails();
  for (let turn = 0; turn < 5; turn += 1) await ask('203.0.113.9');
  assert.equal(await mails(), before + 3);
  await ask('198.51.100.2', cookieOf(entered));
  assert.equal(await mails(), before + 4);
  // Strangers at many addresses use the day up, and not what is kept for a browser that has logged in.
  for (let turn = 0; turn < 20; turn += 1) await ask(`203.0.113.${20 + turn}`);
  assert.equal(await mails(), 20);
  await ask('198.51.100.3', cookieOf(entered));
  assert.equal(await mails(), 21);
});

test('general refusals', () =>
  generalRefusals(statuses, () => ({
    path: '/api/cabinet/request-link',
    body: { email: EMAIL },
  })));
