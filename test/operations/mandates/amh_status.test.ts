import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { newApiKey } from '#kernel/ids.ts';

const statuses = new PromisedStatuses('amh_status');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN = 'AMH-0123456789ABCDEFGHJKMNPQRS';

test('whoever holds the reference sees the decision, and only its platform the rest', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const { verify_ref: ref } = (await shop.verify(asked(id, 100, 'order 1'))).json;
  const status = async (of: unknown, headers = {}) =>
    statuses.saw(await service.call(`/api/amh/status/${String(of)}`, { headers }));
  const open = await status(ref);
  assert.deepEqual(
    [open.json['state'], open.headers['cache-control'], 'checks' in open.json],
    ['verified', 'no-store', false],
  );
  const own = await status(ref, { 'x-amh-key': shop.key });
  assert.equal((own.json['checks'] as unknown[]).length, 13);
  expectProblem(await status(ref, { 'x-amh-key': newApiKey('amhk_') }), 401, 'key_invalid');
  expectProblem(await status(UNKNOWN), 404, 'verify_ref_not_found');
  expectProblem(await status('AMH-1'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call(`/api/amh/status/${UNKNOWN}`));
});
