import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { suspensionUnit } from '#areas/mandates/suspension.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { newApiKey } from '#kernel/ids.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_verify');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/amh/verify';
const UNKNOWN = 'mnd_0123456789abcdefghjkmnpqrs';

test('an answer carries checks, receipt and place in the log; unknown keys and mandates are refused', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const { status, json } = statuses.saw(await shop.verify(asked(id, 100, 'order 1')));
  assert.deepEqual([status, json['decision'], json['reserved_cents']], [200, 'ALLOW', 100]);
  const { json: checked } = await service.call('/v1/receipts/verify', { method: 'POST', body: { answer: json } });
  assert.equal(checked['valid'], true, JSON.stringify(checked));
  const body = asked(id, 100, 'order 2');
  const with_ = async (key: string) => statuses.saw(await shop.verify(body, { 'x-amh-key': key }));
  expectProblem(await with_(newApiKey('amhk_')), 401, 'key_invalid');
  expectProblem(await with_(newApiKey('amhm_')), 401, 'key_malformed');
  expectProblem(statuses.saw(await shop.verify(asked(UNKNOWN, 100, 'order 1'))), 404, 'mandate_not_found');
});

test('broken calls are not sealed and name every field by the codes of the protocol', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const rows: readonly [object, string, string][] = [
    [{ amount_cents: -1 }, '#/amount_cents', 'amount_invalid'],
    [{ amount_cents: 0.5 }, '#/amount_cents', 'amount_invalid'],
    [{ amount_cents: '5' }, '#/amount_cents', 'amount_invalid'],
    [{ amount_cents: 2 ** 53 }, '#/amount_cents', 'amount_invalid'],
    [{ payload_hash: 'abc' }, '#/payload_hash', 'payload_hash_invalid'],
    [{ action: 'order.eat' }, '#/action', 'not_allowed'],
    [{ action: 'custom' }, '#/custom_action', 'missing'],
    [{ custom_action: 'crane.rent' }, '#/custom_action', 'not_allowed'],
    [{ hold_seconds: 59 }, '#/hold_seconds', 'too_small'],
    [{ ap2: { presentation: '\ud800', aud: 'a', nonce: 'n' } }, '#/ap2/presentation', 'unclean_text'],
    [{ ap2: { presentation: 'a~', aud: '\ud800', nonce: 'n' } }, '#/ap2/aud', 'unclean_text'],
    [{ ap2: { presentation: 'a~', aud: 'a', nonce: '\ud800' } }, '#/ap2/nonce', 'unclean_text'],
  ];
  for (const [more, pointer, code] of rows) {
    const { errors } = expectProblem(await shop.verify(asked(id, 1, 'x', { ...more })), 400, 'invalid_parameters');
    const fault = (errors as { pointer: string; code: string }[])[0];
    assert.deepEqual([fault?.pointer, fault?.code], [pointer, code]);
  }
  const differing = { 'idempotency-key': 'a' };
  expectProblem(await shop.verify(asked(id, 1, 'x', { request_id: 'b' }), differing), 400, 'invalid_parameters');
  const stored = await service.service.store.read('SELECT ref FROM amh_verification WHERE mandate_id = $1', [id]);
  assert.deepEqual(stored, []);
});

test('a key for another body is a conflict, and a suspended platform is told so', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  await shop.verify(asked(id, 1, 'x', { request_id: 'k' }));
  const conflict = statuses.saw(await shop.verify(asked(id, 2, 'x', { request_id: 'k' })));
  expectProblem(conflict, 409, 'idempotency_conflict');
  await service.service.store.run(suspensionUnit, { platformId: shop.id, status: 'suspended' });
  expectProblem(statuses.saw(await shop.verify(asked(id, 2, 'y'))), 403, 'suspended');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const { key } = await registered(service);
    return { path: PATH, body: asked(UNKNOWN, 100, 'x'), headers: { 'x-amh-key': key }, tooManyBytes: 270_000 };
  }));
