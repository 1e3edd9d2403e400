import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { fundedAgent, money, ordered } from '../../support/orders.ts';
import { suspend } from '../../support/wallet.ts';
import { generalRefusals, keyRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('place_order');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN = '/api/v1/orders/ord_0123456789abcdefghjkmnpqrs/place';

test('a quote is placed once: the fee is held, a second time does not follow', async () => {
  const service = await sharedService();
  const [agent, other] = [await fundedAgent(service, 140_000), await fundedAgent(service)];
  const quote = await ordered(agent, { mode: 'quote' }, 4);
  const path = `/api/v1/orders/${String(quote['order_id'])}/place`;
  const key = { 'idempotency-key': 'p-1' };
  const { status, json, text } = statuses.saw(await agent.post(path, {}, key));
  assert.deepEqual([status, json['state']], [200, 'placed'], text);
  assert.deepEqual(await money(agent), ['0.12', '0.08']);
  const again = await agent.post(path, {}, key);
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true']);
  const twice = expectProblem(statuses.saw(await agent.post(path, {})), 409, 'transition_invalid');
  assert.deepEqual(
    [twice['from'], twice['to'], twice['allowed']],
    ['placed', 'placed', ['confirmed', 'refused', 'cancelled']],
  );
  expectProblem(statuses.saw(await other.post(path, {})), 404, 'order_not_found');
  await keyRefusals(statuses, (headers) => service.call(path, { method: 'POST', body: {}, headers }));
  const dear = await ordered(agent, { mode: 'quote' }, 4);
  const poor = await agent.post(`/api/v1/orders/${String(dear['order_id'])}/place`, {});
  expectProblem(statuses.saw(poor), 402, 'insufficient_funds');
  await suspend(service, agent.id);
  expectProblem(statuses.saw(await agent.post(path, {})), 403, 'suspended');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const agent = await fundedAgent(service);
    return { path: UNKNOWN, body: {}, headers: { 'x-agent-key': agent.key, 'idempotency-key': 'x' } };
  }));
