import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { registeredAgent, suspend } from '../../support/wallet.ts';
import { generalRefusals, keyRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('rotate_key');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/agents/keys';

test('a second key lives beside the first, a third does not; a repeated call shows the same one', async () => {
  const service = await sharedService();
  const agent = await registeredAgent(service);
  const rotate = async (headers = {}) => statuses.saw(await agent.post(PATH, {}, headers));
  const second = await rotate({ 'idempotency-key': 'k' });
  assert.equal(second.status, 201, second.text);
  assert.deepEqual((await rotate({ 'idempotency-key': 'k' })).json, second.json);
  const headers = { 'x-agent-key': String(second.json['agent_key']) };
  assert.equal((await agent.call('/api/agents/me', { headers })).json['agent_id'], agent.id);
  expectProblem(await rotate(), 409, 'too_many_keys');
  await keyRefusals(statuses, (sent) => service.call(PATH, { method: 'POST', body: {}, headers: sent }));
  await suspend(service, agent.id);
  expectProblem(await rotate(), 403, 'suspended');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const { key } = await registeredAgent(service);
    return { path: PATH, body: {}, headers: { 'x-agent-key': key } };
  }));
