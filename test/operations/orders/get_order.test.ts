import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { fundedAgent, ordered } from '../../support/orders.ts';
import { suspend } from '../../support/wallet.ts';
import { expectLimited, keyRefusals, STRANGER } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('get_order');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('an order is shown to its agent only, also when suspended, and of the address only the country', async () => {
  const service = await sharedService();
  const [agent, other] = [await fundedAgent(service), await fundedAgent(service)];
  const order = await ordered(agent, { mode: 'quote' });
  const path = `/api/v1/orders/${String(order['order_id'])}`;
  const { json, text } = statuses.saw(await agent.call(path));
  assert.deepEqual(json, order);
  assert.ok(!text.includes('Secret Lane'));
  expectProblem(statuses.saw(await other.call(path)), 404, 'order_not_found');
  expectProblem(statuses.saw(await agent.call('/api/v1/orders/ord_x')), 400, 'invalid_parameters');
  await keyRefusals(statuses, (headers) => service.call(path, { headers }));
  await suspend(service, agent.id);
  assert.equal((await agent.call(path)).status, 200);
  await expectLimited(statuses, (limited) => limited.call(path, { headers: STRANGER }));
});
