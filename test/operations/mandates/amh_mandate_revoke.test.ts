import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isoTime } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { mandate, mandateBody, post, signer } from '../../support/mandates.ts';
import { newApiKey } from '#kernel/ids.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_mandate_revoke');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN = 'mnd_0123456789abcdefghjkmnpqrs';
const PATH = `/api/amh/mandate/${UNKNOWN}/revoke`;

test('only the principal revokes, by token or by a fresh signature, and the log says so without the reason', async () => {
  const service = await sharedService();
  const { publicKey, sign } = signer(0x13);
  const unsigned = mandateBody(service.now(), { nonce: 'n-0001-0123456789abcdef', principal_pubkey: publicKey });
  const made = await mandate(service, { ...unsigned, principal_signature: sign(unsigned) });
  const revoke = async (body: Record<string, unknown>, headers = {}) =>
    statuses.saw(await post(service, `/api/amh/mandate/${made.mandate_id}/revoke`, body, headers));
  expectProblem(await revoke({}, { 'x-amh-control': newApiKey('amhm_') }), 401, 'key_invalid');
  const signed = (nonce: string, at: string) => {
    const stated = { nonce, at };
    return { ...stated, principal_signature: sign({ op: 'revoke', mandate_id: made.mandate_id, ...stated }) };
  };
  const now = isoTime(service.now());
  expectProblem(await revoke(signed('n-0001-0123456789abcdef', now)), 409, 'nonce_reused');
  expectProblem(await revoke(signed('r-0001-0123456789abcdef', '2020-01-01T00:00:00Z')), 400, 'invalid_parameters');
  const { status, json } = await revoke({ ...signed('r-0002-0123456789abcdef', now), reason: 'no longer trusted' });
  assert.deepEqual([status, json['status']], [200, 'revoked']);
  const { json: verified } = await service.call(`/api/attest/verify/${String(json['attestation_id'])}`);
  assert.deepEqual(verified['claim'], { statement: `amh.mandate.revoked sha256:${String(made['mandate_sha256'])}` });
  expectProblem(
    statuses.saw(await post(service, PATH, {}, { 'x-amh-control': newApiKey('amhm_') })),
    404,
    'mandate_not_found',
  );
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const made = await mandate(service, mandateBody(service.now()));
    const headers = { 'x-amh-control': String(made['control_token']) };
    return { path: `/api/amh/mandate/${made.mandate_id}/revoke`, body: {}, headers };
  }));
