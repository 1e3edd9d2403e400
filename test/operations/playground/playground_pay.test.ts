import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Playground } from '#areas/playground/operations.ts';
import { ManualClock } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { TestService } from '../../support/service.ts';
import { expectLimit, formRefusals } from '../../support/page-operations.ts';

const statuses = new PromisedStatuses('playground_pay');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('without a chain nothing is paid and the buyer is said to be missing; what is free is free here too', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_TASKS: '1/min,8' }, clock: new ManualClock() });
  const pay = async (body: Record<string, string>) =>
    statuses.saw(await service.call('/playground/pay', { method: 'POST', body }));
  const { outcome } = Playground.parse((await pay({ operation: 'look', key: 'k' })).json);
  assert.deepEqual([outcome?.status, outcome?.paid_from], [200, null]);
  expectProblem(await pay({ operation: 'spend_fuse', amount_usd: '1' }), 503, 'no_sandbox_buyer');
  await formRefusals(statuses, service, '/playground/pay');
  await expectLimit(statuses, () => pay({ operation: 'look', key: 'k' }));
});
