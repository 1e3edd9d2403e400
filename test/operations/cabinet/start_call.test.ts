import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loginMails, newEmail, registered } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited, FORM, formRefusals, STRANGER } from '../../support/refusals.ts';
import { lockDatabase } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('start_call');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the first call says whose key it is; from the page it emails a code, and never repeats the key', async () => {
  const service = await sharedService();
  const email = newEmail();
  const agent = await registered(service, email);
  const send = async (agent_key: string, headers: Record<string, string> = {}) =>
    statuses.saw(await service.call('/start/call', { method: 'POST', body: { agent_key }, headers }));
  const called = await send(agent.key);
  assert.deepEqual([called.json['status'], (called.json['agent'] as { agent_id: string }).agent_id], [200, agent.id]);
  assert.equal((await loginMails(service, email)).length, 0, 'programs get no email');
  const page = await service.call('/start/call', {
    method: 'POST',
    body: new URLSearchParams({ agent_key: agent.key, owner_email: email }).toString(),
    headers: { accept: 'text/html', 'content-type': FORM },
  });
  const [mail] = await loginMails(service, email);
  assert.match(page.text, new RegExp(`name="code"[^>]*value="${mail?.code}"`));
  assert.ok(!page.text.includes(agent.key));
  expectProblem(await send('agk_x'), 401, 'key_malformed');
  expectProblem(await send(STRANGER['x-agent-key'] as string), 401, 'key_invalid');
  expectProblem(await send(agent.key, { origin: 'https://other.example' }), 403, 'origin');
});

test('calls of a wrong form are refused, and too many of them; what cannot be stored is not half done', async () => {
  await formRefusals(statuses, await sharedService(), '/start/call');
  const email = newEmail();
  const { key } = await registered(await sharedService(), email);
  const owner = await sharedService();
  {
    using _lock = lockDatabase(owner.dataDir);
    const body = new URLSearchParams({ agent_key: key, owner_email: email }).toString();
    const headers = { accept: 'text/html', 'content-type': FORM };
    assert.equal(statuses.saw(await owner.call('/start/call', { method: 'POST', body, headers })).status, 503);
  }
  await expectLimited(statuses, (limited) => limited.call('/start/call', { method: 'POST', body: { surprise: 1 } }));
});
