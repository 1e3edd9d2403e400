import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { registeredAgent, suspend } from '../../support/wallet.ts';
import { generalRefusals, keyRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('revoke_key');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a revoked key opens nothing; the last one stays, and keys of others are not found', async () => {
  const service = await sharedService();
  const agent = await registeredAgent(service);
  const other = await registeredAgent(service);
  const pathOf = (keyId: string) => `/api/agents/keys/${keyId}/revoke`;
  const revoke = async (keyId: string, headers = {}) => statuses.saw(await agent.post(pathOf(keyId), {}, headers));
  expectProblem(await revoke(agent.keyId), 409, 'last_key');
  expectProblem(await revoke(other.keyId), 404, 'key_not_found');
  const { json } = await agent.post('/api/agents/keys', {});
  const headers = { 'x-agent-key': String(json['agent_key']) };
  const revoked = await revoke(agent.keyId, headers);
  assert.equal(revoked.status, 200);
  assert.match(String(revoked.json['last_used_at']), /^20/);
  expectProblem(await revoke(agent.keyId), 401, 'key_invalid');
  assert.deepEqual((await revoke(agent.keyId, headers)).json, revoked.json, 'revoking twice is harmless');
  await keyRefusals(statuses, (sent) => service.call(pathOf(agent.keyId), { method: 'POST', body: {}, headers: sent }));
  await suspend(service, agent.id);
  expectProblem(await revoke(agent.keyId, headers), 403, 'suspended');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const { key, keyId } = await registeredAgent(service);
    return { path: `/api/agents/keys/${keyId}/revoke`, body: {}, headers: { 'x-agent-key': key } };
  }));
