import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isoTime } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { mandate, mandateBody, payloadHash, post, signer } from '../../support/mandates.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_mandate_approve');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN = 'mnd_0123456789abcdefghjkmnpqrs';
const PATH = `/api/amh/mandate/${UNKNOWN}/approve`;
const ASKED = { action: 'order.place', amount_cents: 18_000, currency: 'EUR', payload_hash: payloadHash('order 1') };

test('the principal approves by token or signature, each nonce once', async () => {
  const service = await sharedService();
  const { publicKey, sign } = signer(0x11);
  const unsigned = mandateBody(service.now(), { nonce: 'n-0001-0123456789abcdef', principal_pubkey: publicKey });
  const made = await mandate(service, { ...unsigned, principal_signature: sign(unsigned) });
  const approve = async (body: Record<string, unknown>, headers = {}) =>
    statuses.saw(await post(service, `/api/amh/mandate/${made.mandate_id}/approve`, body, headers));
  const stated = { ...ASKED, nonce: 'a-0001-0123456789abcdef', at: isoTime(service.now()) };
  const signed = { ...stated, principal_signature: sign({ op: 'approve', mandate_id: made.mandate_id, ...stated }) };
  const { status, json } = await approve(signed);
  assert.equal(status, 201);
  assert.match(String(json['approval_ref']), /^apr_/);
  expectProblem(await approve(signed), 409, 'nonce_reused');
  expectProblem(await approve({ ...signed, amount_cents: 18_001 }), 400, 'signature_invalid');
  expectProblem(await approve(ASKED), 401, 'key_missing');
  const control = { 'x-amh-control': String(made['control_token']) };
  assert.equal((await approve(ASKED, control)).status, 201);
  expectProblem(statuses.saw(await post(service, PATH, ASKED, control)), 404, 'mandate_not_found');
});

test('a payload has one identity: only the action custom has a name, and it needs one', async () => {
  const service = await sharedService();
  const made = await mandate(service, mandateBody(service.now()));
  const control = { 'x-amh-control': String(made['control_token']) };
  const path = `/api/amh/mandate/${made.mandate_id}/approve`;
  const approve = async (more: object) => statuses.saw(await post(service, path, { ...ASKED, ...more }, control));
  const refused = async (more: object, code: string) => {
    const { errors } = expectProblem(await approve(more), 400, 'invalid_parameters');
    const [fault] = errors as { pointer: string; code: string }[];
    assert.deepEqual([fault?.pointer, fault?.code], ['#/custom_action', code]);
  };
  await refused({ custom_action: 'crane.rent' }, 'not_allowed');
  await refused({ action: 'custom' }, 'missing');
  await refused({ action: 'custom', custom_action: null }, 'missing');
  assert.equal((await approve({ custom_action: null })).status, 201);
  assert.equal((await approve({ action: 'custom', custom_action: 'crane.rent' })).status, 201);
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const made = await mandate(service, mandateBody(service.now()));
    const headers = { 'x-amh-control': String(made['control_token']) };
    return { path: `/api/amh/mandate/${made.mandate_id}/approve`, body: ASKED, headers };
  }));
