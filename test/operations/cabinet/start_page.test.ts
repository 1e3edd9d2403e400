import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { visited } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('start_page');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const OTHER = 'agt_0123456789abcdefghjkmnpqrs';

test('the page begins with a name; its last step shows the name and balance of an agent to its owner alone', async () => {
  const service = await sharedService();
  const first = statuses.saw(await service.call('/start'));
  assert.deepEqual([first.json['step'], first.json['agent'], first.json['email']], [1, null, null]);
  const { agent, owner } = await visited(service);
  const stranger = (await service.call(`/start?step=4&agent_id=${agent.id}`)).json;
  assert.deepEqual(stranger['agent'], {
    agent_id: agent.id,
    untrusted_name: null,
    owner_verified: false,
    available_eur: null,
  });
  const shown = (await owner.call(`/start?step=4&agent_id=${agent.id}`)).json;
  assert.deepEqual(shown['agent'], {
    agent_id: agent.id,
    untrusted_name: agent.name,
    owner_verified: true,
    available_eur: '0.00',
  });
  expectProblem(statuses.saw(await owner.call(`/start?step=4&agent_id=${OTHER}`)), 404, 'not_of_account');
  expectProblem(statuses.saw(await service.call('/start?step=9')), 400, 'invalid_parameters');
});

test('too many calls are refused', async () => {
  await expectLimited(statuses, (service) => service.call('/start'));
});

test('the TypeScript that registers an agent runs as it is printed: it needs no client that nothing defines', async () => {
  const service = await sharedService();
  const { text } = await service.call('/start', { headers: { accept: 'text/html' } });
  const plain = text.replaceAll('&#39;', "'");
  assert.ok(plain.includes(`await fetch('${service.url}/api/agents/register'`), plain);
  assert.doesNotMatch(plain, /client\.register_agent/);
});
