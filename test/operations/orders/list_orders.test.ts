import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { type Body, fundedAgent, ordered } from '../../support/orders.ts';
import { expectLimited, keyRefusals, STRANGER } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('list_orders');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/v1/orders';

test('orders come newest first, a page at a time, those of the agent only', async () => {
  const service = await sharedService();
  const [agent, other] = [await fundedAgent(service), await fundedAgent(service)];
  const ids: unknown[] = [];
  for (let turn = 0; turn < 3; turn += 1) ids.unshift((await ordered(agent, { mode: 'quote' }))['order_id']);
  const page = async (query: string) => statuses.saw(await agent.call(`${PATH}?${query}`));
  const { json } = await page('limit=2');
  const { json: rest } = await page(`limit=2&before=${String(json['next_before'])}`);
  const shown = [json, rest].flatMap(({ items }) => (items as Body[]).map(({ order_id }) => order_id));
  assert.deepEqual([new Set(shown), rest['next_before']], [new Set(ids), null]);
  assert.deepEqual((await other.call(PATH)).json, { items: [], next_before: null });
  expectProblem(statuses.saw(await other.call(`${PATH}?before=${String(ids[0])}`)), 404, 'order_not_found');
  expectProblem(await page('limit=0'), 400, 'invalid_parameters');
  await keyRefusals(statuses, (headers) => service.call(PATH, { headers }));
  await expectLimited(statuses, (limited) => limited.call(PATH, { headers: STRANGER }));
});
