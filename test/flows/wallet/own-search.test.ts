import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedOrder, visited } from '../../support/cabinet.ts';
import { sharedService } from '../../support/shared-service.ts';

test('search leads an owner from an id of the account to its page, and nobody from the ids of others', async () => {
  const service = await sharedService();
  const [mine, other] = [await visited(service), await visited(service)];
  const { owner, agent } = mine;
  const found = async (q: string) => {
    const headers = { accept: 'text/html' };
    const { status, headers: given } = await owner.call(`/search?${new URLSearchParams({ q })}`, { headers });
    return status === 303 ? given.location : null;
  };
  const orderId = await ownedOrder(mine, { supplier: 'OTHER' });
  const topUp = await owner.post('/cabinet/topup', { agent_id: agent.id, tier: 'starter' });
  const { topup_id } = topUp.json['started'] as { topup_id: string };
  assert.equal(await found(orderId), `/dashboard/orders?order_id=${orderId}`);
  assert.equal(await found(` ${agent.keyId} `), `/dashboard/keys?agent_id=${agent.id}`);
  assert.equal(await found(agent.id), `/dashboard/keys?agent_id=${agent.id}`);
  assert.equal(await found(topup_id), '/dashboard/topup');
  for (const q of [other.agent.id, other.agent.keyId, 'how do leases work', 'agt_', '__proto___x']) {
    assert.equal(await found(q), null, q);
  }
});
