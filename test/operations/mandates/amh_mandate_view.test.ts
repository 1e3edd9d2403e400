import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { newApiKey } from '#kernel/ids.ts';

const statuses = new PromisedStatuses('amh_mandate_view');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the public view tells no caps; principal and allowed platforms see theirs; a wrong credential sees nothing', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const other = await registered(service);
  const made = await mandate(service, mandateBody(service.now(), { platforms: [shop.id], disclose_remaining: false }));
  await shop.verify(asked(made.mandate_id, 100, 'order 1'));
  const view = async (headers = {}, id = made.mandate_id) =>
    statuses.saw(await service.call(`/api/amh/mandate/${id}`, { headers }));
  const open = (await view()).json;
  assert.deepEqual(['max_commit_cents' in open, 'principal' in open], [false, false]);
  const principal = (await view({ 'x-amh-control': String(made['control_token']) })).json;
  assert.deepEqual([principal['max_commit_cents'], principal['agent_id']], [50_000, 'agent:shopper-7']);
  const platform = (await view({ 'x-amh-key': shop.key })).json;
  assert.deepEqual(['remaining' in platform, (platform['open_holds'] as unknown[]).length], [false, 1]);
  assert.deepEqual((await view({ 'x-amh-key': other.key })).json, open);
  expectProblem(await view({ 'x-amh-control': newApiKey('amhm_') }), 401, 'key_invalid');
  expectProblem(await view({}, 'mnd_0123456789abcdefghjkmnpqrs'), 404, 'mandate_not_found');
  expectProblem(await view({}, 'mnd_1'), 400, 'invalid_parameters');
  await expectLimited(statuses, (limited) => limited.call('/api/amh/mandate/mnd_1'));
});
