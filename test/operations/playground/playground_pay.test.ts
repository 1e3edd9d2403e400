import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PlaygroundSchema } from '#areas/playground/answer.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited, formRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('playground_pay');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('without a chain nothing is paid and the buyer is said to be missing; what is free is free here too', async () => {
  const service = await sharedService();
  const pay = async (body: Record<string, string>) =>
    statuses.saw(await service.call('/playground/pay', { method: 'POST', body }));
  const { outcome } = PlaygroundSchema.parse((await pay({ operation: 'look', key: 'k' })).json);
  assert.deepEqual([outcome?.status, outcome?.paid_from], [200, null]);
  expectProblem(await pay({ operation: 'spend_fuse', amount_usd: '1' }), 503, 'no_sandbox_buyer');
  await formRefusals(statuses, service, '/playground/pay');
  await expectLimited(statuses, (limited) =>
    limited.call('/playground/pay', { method: 'POST', body: { operation: 'look', key: 'k' } }),
  );
});
