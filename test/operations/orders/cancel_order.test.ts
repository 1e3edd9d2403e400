import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { fundedAgent, money, ordered } from '../../support/orders.ts';
import { suspend } from '../../support/wallet.ts';
import { generalRefusals, keyRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('cancel_order');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN = '/api/v1/orders/ord_0123456789abcdefghjkmnpqrs/cancel';

test('a placed order is cancelled and its fee given back; a quote is left to end by itself', async () => {
  const service = await sharedService();
  const [agent, other] = [await fundedAgent(service), await fundedAgent(service)];
  const placed = await ordered(agent, {}, 10, { sku: 'ES-1-SLOW' });
  const quote = await ordered(agent, { mode: 'quote' });
  assert.deepEqual(await money(agent), ['9.96', '0.20']);
  const path = `/api/v1/orders/${String(placed['order_id'])}/cancel`;
  const key = { 'idempotency-key': 'c-1' };
  // Who is suspended may still let go.
  await suspend(service, agent.id);
  const { status, json, text } = statuses.saw(await agent.post(path, {}, key));
  assert.deepEqual(
    [status, json['state'], json['fee']],
    [200, 'cancelled', { pct: 1, fee_eur: '0.20', state: 'voided' }],
    text,
  );
  assert.equal((await agent.post(path, {}, key)).headers['idempotent-replayed'], 'true');
  assert.deepEqual(await money(agent), ['9.96', '0.00']);
  const early = statuses.saw(await agent.post(`/api/v1/orders/${String(quote['order_id'])}/cancel`, {}));
  assert.deepEqual(expectProblem(early, 409, 'transition_invalid')['allowed'], ['placed', 'expired']);
  expectProblem(statuses.saw(await other.post(path, {})), 404, 'order_not_found');
  await keyRefusals(statuses, (headers) => service.call(path, { method: 'POST', body: {}, headers }));
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const agent = await fundedAgent(service);
    return { path: UNKNOWN, body: {}, headers: { 'x-agent-key': agent.key, 'idempotency-key': 'x' } };
  }));
