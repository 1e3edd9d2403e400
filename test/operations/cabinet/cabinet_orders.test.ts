import assert from 'node:assert/strict';
import { ownedOrder, testPage, type Visited } from '../../support/cabinet.ts';

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
