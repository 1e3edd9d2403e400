import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { bill, fundedAgent } from '../../support/orders.ts';
import { expectLimited, keyRefusals, STRANGER } from '../../support/refusals.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('get_calculation');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a calculation is shown again for 30 days, to its agent only', async () => {
  const { service, clock } = await sharedServiceOn('sqlite');
  const [agent, other] = [await fundedAgent(service), await fundedAgent(service)];
  const { json, text } = await agent.post('/api/v1/calculate', bill(3));
  const path = `/api/v1/calculations/${String(json['calculation_id'])}`;
  assert.equal(statuses.saw(await agent.call(path)).text, text);
  expectProblem(statuses.saw(await other.call(path)), 404, 'calculation_not_found');
  expectProblem(statuses.saw(await agent.call('/api/v1/calculations/bom_x')), 400, 'invalid_parameters');
  await keyRefusals(statuses, (headers) => service.call(path, { headers }));
  clock.advance(30 * DAY_MS);
  expectProblem(await agent.call(path), 404, 'calculation_not_found');
  await expectLimited(statuses, (limited) => limited.call(path, { headers: STRANGER }));
});
