import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EMAIL, registered, requestLink } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { TestService } from '../../support/service.ts';
import { generalRefusals } from '../../support/mandates.ts';

const statuses = new PromisedStatuses('request_login_link');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('an owner is mailed, the browser gets its cookie; other sites and installations without mail are refused', async () => {
  await using service = await TestService.start();
  await registered(service);
  const asked = statuses.saw(await requestLink(service));
  assert.deepEqual([asked.status, asked.json], [202, { status: 'sent_if_known', expires_in_s: 900 }]);
  const cookie = String(asked.headers['set-cookie']);
  assert.match(cookie, /^lb=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900$/);
  const again = await requestLink(service, EMAIL, { cookie: cookie.split(';', 1)[0] as string });
  assert.equal(String(again.headers['set-cookie']), cookie, 'a cookie that is there is kept');
  const foreign = { origin: 'https://other.example' };
  expectProblem(statuses.saw(await requestLink(service, EMAIL, foreign)), 403, 'origin');
  const crossing = await requestLink(service, EMAIL, { 'sec-fetch-site': 'cross-site' });
  expectProblem(statuses.saw(crossing), 403, 'cross_site_request');
  expectProblem(statuses.saw(await requestLink(service, 'not an address')), 400, 'invalid_parameters');
  await using off = await TestService.start({ env: { AVOUCH_MAIL: 'off' } });
  expectProblem(statuses.saw(await requestLink(off)), 503, 'mail_not_configured');
});

test('general refusals', () =>
  generalRefusals(statuses, 'AVOUCH_RATE_LOGIN', () => ({
    path: '/api/cabinet/request-link',
    body: { email: EMAIL },
  })));
