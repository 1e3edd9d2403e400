import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { suspensionUnit } from '#areas/mandates/suspension.ts';
import { asked, mandate, mandateBody, payloadHash, registered } from '../../support/mandates.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_seal');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/amh/seal';
const UNKNOWN = 'AMH-0123456789ABCDEFGHJKMNPQRS';

test('an outcome is sealed with its receipt; what does not fit the verified is refused and changes nothing', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const { verify_ref: ref } = (await shop.verify(asked(id, 100, 'order 1'))).json;
  const seal = async (outcome: string, more = {}) => statuses.saw(await shop.seal(ref, outcome, more));
  expectProblem(await seal('placed', { final_amount_cents: 101 }), 409, 'amount_exceeds_verified');
  expectProblem(await seal('placed', { payload_hash: payloadHash('other') }), 409, 'payload_mismatch');
  const { status, json } = await seal('placed', { payload_hash: payloadHash('order 1').slice(7).toUpperCase() });
  assert.deepEqual([status, json['committed_cents']], [200, 100]);
  const { json: checked } = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer: json } });
  assert.equal(checked['valid'], true, JSON.stringify(checked));
  expectProblem(await seal('placed', { external_ref: 'again' }), 409, 'transition_invalid');
  const { json: cancelled } = await seal('cancelled');
  assert.deepEqual([cancelled['refunded_cents'], cancelled['committed_cents']], [100, 0]);
  expectProblem(statuses.saw(await shop.seal(UNKNOWN, 'placed')), 404, 'verify_ref_not_found');
  const keyless = { method: 'POST', body: { verify_ref: UNKNOWN, outcome: 'placed' } };
  expectProblem(statuses.saw(await service.call(PATH, keyless)), 401, 'key_missing');
  await service.service.store.run(suspensionUnit, { platformId: shop.id, status: 'suspended' });
  expectProblem(await seal('refused'), 403, 'suspended');
});

test('a committed amount is raised only while the mandate has room for it', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now(), { max_commit_cents: 100 }));
  const { verify_ref: ref } = (await shop.verify(asked(id, 100, 'order 1'))).json;
  await shop.seal(ref, 'placed', { final_amount_cents: 40 });
  await shop.verify(asked(id, 50, 'order 2'));
  expectProblem(await shop.seal(ref, 'confirmed', { final_amount_cents: 100 }), 409, 'amount_exceeds_verified');
  const { json } = await shop.seal(ref, 'confirmed', { final_amount_cents: 50 });
  assert.equal(json['committed_cents'], 50);
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const { key } = await registered(service);
    return { path: PATH, body: { verify_ref: UNKNOWN, outcome: 'placed' }, headers: { 'x-amh-key': key } };
  }));
