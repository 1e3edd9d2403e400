import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newEmail, registered, requestLink } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('sandbox_outbox');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('mails of the sandbox are read with their links, newest first', async () => {
  const { service, clock } = await sharedServiceOn('sqlite');
  const email = newEmail();
  await registered(service, email);
  await requestLink(service, email);
  clock.advance(1_000);
  await requestLink(service, email);
  const load = async (query = '', headers = {}) =>
    statuses.saw(await service.call(`/sandbox/outbox${query}`, { headers }));
  const mails = (await load()).json as unknown as { to: string; links: string[]; created_at: string }[];
  const [newest, older] = mails.filter(({ to }) => to === email);
  assert.ok(newest !== undefined && older !== undefined && newest.created_at > older.created_at);
  assert.ok(newest.links[0]?.startsWith(`${service.url}/dashboard/login#`));
  const page = await load('', { accept: 'text/html' });
  assert.match(page.text, /The sandbox sends no real email/);
  assert.ok(page.text.includes(`href="${newest.links[0]}"`));
  assert.match((await load('', { accept: 'text/markdown' })).text, /^# Sandbox outbox/);
  expectProblem(await load('?surprise=1'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/sandbox/outbox'));
});

test('pages of other sites read neither the outbox nor a checkout', async () => {
  const { service } = await sharedServiceOn('sqlite');
  for (const path of ['/sandbox/outbox', '/sandbox/checkout/cs_test_none']) {
    for (const method of ['GET', 'OPTIONS']) {
      const { status, headers } = await service.call(path, {
        method,
        headers: { origin: 'https://elsewhere.example' },
      });
      assert.ok(status < 500, `${path} ${status}`);
      const open = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(open, [], `${method} ${path}`);
    }
  }
  const { headers } = await service.call('/v1/look?q=x', { headers: { origin: 'https://elsewhere.example' } });
  assert.equal(headers['access-control-allow-origin'], '*', 'other calls are for every page');
});
