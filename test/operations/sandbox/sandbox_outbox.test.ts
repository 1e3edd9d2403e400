import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EMAIL, registered, requestLink } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { TestService } from '../../support/service.ts';

const statuses = new PromisedStatuses('sandbox_outbox');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('mails of the sandbox are read with their links, newest first', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_TASKS: '1/min,6' } });
  await registered(service);
  await requestLink(service);
  await requestLink(service);
  const load = async (query = '', headers = {}) =>
    statuses.saw(await service.call(`/sandbox/outbox${query}`, { headers }));
  const mails = (await load()).json as unknown as { to: string; links: string[]; created_at: string }[];
  assert.deepEqual([mails.length, mails[0]?.to], [2, EMAIL]);
  assert.ok(mails[0]?.links[0]?.startsWith(`${service.url}/cabinet/login#`));
  const page = await load('', { accept: 'text/html' });
  assert.match(page.text, /No mail leaves this machine/);
  assert.ok(page.text.includes(`href="${mails[0]?.links[0]}"`));
  assert.match((await load('', { accept: 'text/markdown' })).text, /^# Sandbox outbox/);
  expectProblem(await load('?surprise=1'), 400, 'invalid_parameters');
  let last = await load();
  for (let turn = 0; turn < 8 && last.status !== 429; turn += 1) last = await load();
  expectProblem(last, 429, 'slow_down');
});
