import assert from 'node:assert/strict';
import { ownedOrder, testAction } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';

testAction('cabinet_order_cancel', '/cabinet/orders', {
  prepare: async (seen) => ({ order_id: await ownedOrder(seen, { supplier: 'OTHER' }) }),
  missing: { order_id: 'ord_0123456789abcdefghjkmnpqrs' },
  check({ json }) {
    const order = json['order'] as Record<string, unknown>;
    assert.deepEqual([order['state'], order['fee_state']], ['cancelled', 'voided']);
  },
  async more({ owner }, statuses) {
    const [order] = (await owner.call('/cabinet/orders')).json['orders'] as { order_id: string }[];
    const send = async () => statuses.saw(await owner.post('/cabinet/orders', { order_id: order?.order_id }));
    expectProblem(await send(), 409, 'transition_invalid');
  },
});
