import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { TestService } from '../../support/service.ts';
import { keyRefusals, registeredAgent, suspend } from '../../support/wallet.ts';

const statuses = new PromisedStatuses('get_agent');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/agents/me';

test('an agent sees itself and when its keys were used, also while it is suspended', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_WALLET: '1/min,8' } });
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
  let last = await agent.call(PATH);
  for (let turn = 0; turn < 8 && last.status !== 429; turn += 1) last = await agent.call(PATH);
  expectProblem(statuses.saw(last), 429, 'slow_down');
});
