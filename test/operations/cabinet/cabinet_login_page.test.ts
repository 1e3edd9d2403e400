import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('cabinet_login_page');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the login page offers mail, link and code, and opening it changes nothing', async () => {
  const service = await sharedService();
  const shown = statuses.saw(await service.call('/cabinet/login'));
  assert.deepEqual([shown.json['mail'], shown.json['outbox']], ['outbox', '/sandbox/outbox']);
  const page = await service.call('/dashboard/login', { headers: { accept: 'text/html' } });
  assert.equal(page.headers['cache-control'], 'no-store');
  for (const name of ['email', 't']) assert.ok(page.text.includes(`name="${name}"`), name);
  assert.ok(!page.text.includes('name="code"'), 'no code before an email was requested');
  assert.equal(page.headers['set-cookie'], undefined);
  expectProblem(statuses.saw(await service.call('/cabinet/login?t=x')), 400, 'invalid_parameters');
});
