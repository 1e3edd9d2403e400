import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { suspensionUnit } from '#areas/mandates/suspension.ts';
import { registered } from '../../support/mandates.ts';
import { newApiKey } from '#kernel/ids.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_key_create');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/amh/keys';

test('a platform has two live keys at most, and both work', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const add = async (headers = {}) => statuses.saw(await shop.call(PATH, {}, headers));
  const { status, json } = await add();
  assert.equal(status, 201);
  expectProblem(await add({ 'x-amh-key': String(json['api_key']) }), 409, 'too_many_keys');
  expectProblem(await add({ 'x-amh-key': newApiKey('amhk_') }), 401, 'key_invalid');
  await service.service.store.run(suspensionUnit, { platformId: shop.id, status: 'suspended' });
  expectProblem(await add(), 403, 'suspended');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => ({
    path: PATH,
    body: {},
    headers: { 'x-amh-key': (await registered(service)).key },
  })));
