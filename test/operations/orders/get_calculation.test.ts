import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { TestService } from '../../support/service.ts';
import { bill, fundedAgent } from '../../support/orders.ts';
import { keyRefusals } from '../../support/wallet.ts';

const statuses = new PromisedStatuses('get_calculation');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('a calculation is shown again for 30 days, to its agent only', async () => {
  const clock = new ManualClock(Date.now());
  await using service = await TestService.start({ clock, env: { AVOUCH_RATE_WALLET: '1/min,9' } });
  const [agent, other] = [await fundedAgent(service), await fundedAgent(service)];
  const { json, text } = await agent.post('/api/v1/calculate', bill(3));
  const path = `/api/v1/calculations/${String(json['calculation_id'])}`;
  assert.equal(statuses.saw(await agent.call(path)).text, text);
  expectProblem(statuses.saw(await other.call(path)), 404, 'calculation_not_found');
  expectProblem(statuses.saw(await agent.call('/api/v1/calculations/bom_x')), 400, 'invalid_parameters');
  await keyRefusals(statuses, (headers) => service.call(path, { headers }));
  clock.advance(30 * 86_400_000);
  expectProblem(await agent.call(path), 404, 'calculation_not_found');
  let last = await agent.call(path);
  for (let turn = 0; turn < 12 && last.status !== 429; turn += 1) last = await agent.call(path);
  expectProblem(statuses.saw(last), 429, 'slow_down');
});
