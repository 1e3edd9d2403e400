import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedOrder, testPage, visited } from '../../support/cabinet.ts';
import { sharedService } from '../../support/shared-service.ts';

testPage(
  'cabinet_search',
  '/cabinet/search',
  ({ json }, { agent }) => assert.equal(json['path'], `/dashboard/keys?agent_id=${agent.id}`),
  { prepare: async ({ agent }) => `?q=${agent.id}` },
);

test('an id of the account leads to its page, and anything else to the public search', async () => {
  const service = await sharedService();
  const [mine, other] = [await visited(service), await visited(service)];
  const { owner, agent } = mine;
  const found = async (q: string) => {
    const headers = { accept: 'text/html' };
    const { status, headers: given } = await owner.call(`/dashboard/search?${new URLSearchParams({ q })}`, { headers });
    assert.equal(status, 303, q);
    return given.location;
  };
  const orderId = await ownedOrder(mine, { supplier: 'OTHER' });
  const topUp = await owner.post('/cabinet/topup', { agent_id: agent.id, tier: 'starter' });
  const { topup_id } = topUp.json['started'] as { topup_id: string };
  assert.equal(await found(orderId), `/dashboard/orders?order_id=${orderId}`);
  assert.equal(await found(` ${agent.keyId} `), `/dashboard/keys?agent_id=${agent.id}`);
  assert.equal(await found(agent.id), `/dashboard/keys?agent_id=${agent.id}`);
  assert.equal(await found(topup_id), '/dashboard/topup');
  for (const q of [other.agent.id, other.agent.keyId, 'how do leases work', 'agt_', '__proto___x']) {
    assert.equal(await found(q), `/search?${new URLSearchParams({ q })}`, q);
  }
});
