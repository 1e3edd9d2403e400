import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownedOrder, testPage, visited, type Visited } from '../../support/cabinet.ts';
import { sharedService } from '../../support/shared-service.ts';
import { OPERATIONS } from '../../../src/areas.ts';

testPage(
  'cabinet_orders',
  '/cabinet/orders',
  ({ json, text }) => {
    const order = json['order'] as Record<string, unknown>;
    assert.deepEqual([order['state'], order['goods_total_eur'], order['cancellable']], ['quoted', '20.00', false]);
    const [first] = order['history'] as { state: string; attestation_id: string }[];
    assert.deepEqual([first?.state, first?.attestation_id.slice(0, 4)], ['quoted', 'ATT-']);
    assert.doesNotMatch(text, /Secret Lane/);
  },
  {
    missing: 'order_id=ord_0123456789abcdefghjkmnpqrs',
    prepare: async (seen: Visited) => `?order_id=${await ownedOrder(seen, { mode: 'quote' })}`,
  },
);

test('an empty list says how an order is made, at the address of its operation', async () => {
  const { owner } = await visited(await sharedService());
  const { text } = await owner.call('/dashboard/orders', { headers: { accept: 'text/html' } });
  const { path = '' } = OPERATIONS.find(({ operationId }) => operationId === 'create_order') ?? {};
  assert.match(text, new RegExp(`await fetch\\(&#39;https?://[^&]+${path}&#39;`));
  assert.match(text, /\.\/avouch call create_order/);
  assert.doesNotMatch(text, /There is no command|has no function/);
});
