import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { registeredAgent, suspend } from '../../support/wallet.ts';
import { expectLimited, keyRefusals, STRANGER } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('get_agent');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/agents/me';

test('an agent sees itself and when its keys were used, also while it is suspended', async () => {
  const service = await sharedService();
  const agent = await registeredAgent(service);
  const first = statuses.saw(await agent.call(PATH));
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(
    [first.json['agent_id'], first.json['founder'], first.json['key_id']],
    [agent.id, false, agent.keyId],
  );
  assert.doesNotMatch(first.text, /example\.org/, 'a key that leaked must not tell who the owner is');
  await suspend(service, agent.id);
  const [key] = (await agent.call(PATH)).json['keys'] as Record<string, unknown>[];
  assert.match(String(key?.['last_used_at']), /^20/);
  assert.equal((await agent.call(PATH)).json['status'], 'suspended');
  expectProblem(statuses.saw(await agent.call(`${PATH}?x=1`)), 400, 'invalid_parameters');
  await keyRefusals(statuses, (headers) => service.call(PATH, { headers }));
  await expectLimited(statuses, (limited) => limited.call(PATH, { headers: STRANGER }));
});
