import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { suspensionUnit } from '#areas/mandates/suspension.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_key_revoke');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/amh/keys/key_0123456789abcdefghjkmnpqrs/revoke';

test('a revoked key opens nothing; the last one stays, and keys of others are not found', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const other = await registered(service);
  const revoke = async (keyId: string, headers = {}) =>
    statuses.saw(await shop.call(`/api/amh/keys/${keyId}/revoke`, {}, headers));
  expectProblem(await revoke(shop.keyId), 409, 'last_key');
  expectProblem(await revoke(other.keyId), 404, 'key_not_found');
  const made = await mandate(service, mandateBody(service.now()));
  assert.equal((await shop.verify(asked(made.mandate_id, 100, 'a'))).status, 200);
  const second = String((await shop.call('/api/amh/keys', {})).json['api_key']);
  assert.equal((await revoke(shop.keyId, { 'x-amh-key': second })).status, 200);
  expectProblem(await revoke(shop.keyId), 401, 'key_invalid');
  expectProblem(await shop.verify(asked(made.mandate_id, 100, 'b')), 401, 'key_invalid');
  assert.equal((await revoke(shop.keyId, { 'x-amh-key': second })).status, 200, 'revoking twice is harmless');
  await service.service.store.run(suspensionUnit, { platformId: shop.id, status: 'suspended' });
  expectProblem(await revoke(shop.keyId, { 'x-amh-key': second }), 403, 'suspended');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => ({
    path: PATH,
    body: {},
    headers: { 'x-amh-key': (await registered(service)).key },
  })));
