import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EMAIL, newEmail, registered, requestLink } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { generalRefusals } from '../../support/refusals.ts';
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

test('general refusals', () =>
  generalRefusals(statuses, () => ({
    path: '/api/cabinet/request-link',
    body: { email: EMAIL },
  })));
