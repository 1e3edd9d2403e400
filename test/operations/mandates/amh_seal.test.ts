import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newApiKey } from '#kernel/ids.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { suspensionUnit } from '#areas/mandates/suspension.ts';
import { asked, mandate, mandateBody, payloadHash, registered } from '../../support/mandates.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { limitedService, sharedService, SMALL_BURST } from '../../support/shared-service.ts';

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

test('a seal with as much evidence as the fields allow fits into the body', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const { json: verified } = await shop.verify(asked(id, 1, 'order 1'));
  const url = `https://shop.example/${'x'.repeat(2_027)}`;
  const evidence = Array.from({ length: 32 }, () => ({ sha256: 'a'.repeat(64), url }));
  const { status, text } = await shop.seal(verified['verify_ref'], 'placed', { evidence });
  assert.equal(status, 200, text);
});

test('evidence that cannot be hashed is refused, and the hold stays open', async () => {
  const service = await sharedService();
  const shop = await registered(service);
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const { json: verified } = await shop.verify(asked(id, 1, 'order 1'));
  const seal = (evidence: unknown) => shop.seal(verified['verify_ref'], 'placed', { evidence });
  const url = 'https://shop.example/\ud800';
  const refused = async (evidence: unknown) => {
    const { errors } = expectProblem(await seal(evidence), 400, 'invalid_parameters');
    return (errors as { pointer: string }[])[0]?.pointer;
  };
  assert.equal(await refused('\ud800'), '#/evidence');
  assert.equal(await refused([{ sha256: 'a'.repeat(64), url }]), '#/evidence/0/url');
  assert.equal((await seal('by post')).status, 200);
});

test('a seal whose hold is open is never refused for rate, but counts; every other one is', async () => {
  const { service } = await limitedService();
  const shop = await registered(service);
  const made = await mandate(service, mandateBody(service.now()));
  const { json: first } = await shop.verify(asked(made.mandate_id, 1, 'order 1'));
  const { json: denied } = await shop.verify(asked(made.mandate_id, 90_000, 'order 2'));
  const refused = await exhausted(() => shop.verify(asked(made.mandate_id, 90_000, 'order 3')));
  const waitOf = ({ json }: Answer) => Number(json['retry_after_s']);
  expectProblem(statuses.saw(await shop.seal(denied['verify_ref'], 'refused')), 429, 'slow_down');
  expectProblem(await shop.seal(UNKNOWN, 'placed'), 429, 'slow_down');
  expectProblem(await shop.seal(first['verify_ref'], 'no outcome'), 429, 'slow_down');
  const stranger = await registered(service);
  await exhausted(() => stranger.verify(asked(made.mandate_id, 90_000, 'order 3')));
  expectProblem(await stranger.seal(first['verify_ref'], 'placed'), 429, 'slow_down');

  const placed = await shop.seal(first['verify_ref'], 'placed');
  assert.deepEqual([placed.status, placed.json['late']], [200, false], placed.text);
  const later = await shop.verify(asked(made.mandate_id, 90_000, 'order 3'));
  assert.equal(waitOf(later), waitOf(refused) + 60, 'one call more than the quota, at one a minute');
  expectProblem(await shop.seal(first['verify_ref'], 'placed'), 429, 'slow_down');
});

test('what others call from its address neither uses up the quota of a platform nor keeps its seal out', async () => {
  const { service } = await limitedService();
  const [shop, other] = [await registered(service), await registered(service)];
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const { json: verified } = await shop.verify(asked(id, 1, 'order 1'));
  const { json: second } = await shop.call('/api/amh/keys', {});
  await exhausted(() => other.verify(asked(id, 90_000, 'order 2')));
  assert.equal((await shop.verify(asked(id, 90_000, 'order 2'))).status, 200);
  const anonymous = () => service.call('/api/amh/mandate', { method: 'POST', body: {} });
  await exhausted(anonymous);
  assert.equal((await shop.verify(asked(id, 90_000, 'order 2'))).status, 200);
  // This process has not seen the second key before.
  const { status } = await service.call(PATH, {
    method: 'POST',
    body: { verify_ref: verified['verify_ref'], outcome: 'placed' },
    headers: { 'x-amh-key': String(second['api_key']) },
  });
  assert.equal(status, 200);
  const guess = () => {
    const headers = { 'x-amh-key': newApiKey('amhk_') };
    return service.call(PATH, { method: 'POST', body: { verify_ref: UNKNOWN, outcome: 'placed' }, headers });
  };
  expectProblem(await guess(), 401, 'key_invalid');
  await exhausted(guess);
});

/** The refusal of the call that was one too many. */
async function exhausted(call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call();
  for (let calls = 1; calls <= 2 * SMALL_BURST && answer.status !== 429; calls += 1) answer = await call();
  expectProblem(answer, 429, 'slow_down');
  return answer;
}

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const { key } = await registered(service);
    const body = { verify_ref: UNKNOWN, outcome: 'placed' };
    return { path: PATH, body, headers: { 'x-amh-key': key }, tooManyBytes: 270_000 };
  }));
