import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isoTime } from '#kernel/clock.ts';
import { newApiKey } from '#kernel/ids.ts';
import { expectProblem } from '../../support/client.ts';
import { asked, KNOWN_PLATFORM, mandate, mandateBody, post, registered, signer } from '../../support/mandates.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_mandate_void');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN = '/api/amh/mandate/mnd_0123456789abcdefghjkmnpqrs/void';

test('the principal voids what a stranger took, by token or by signature, and nothing of a platform that it named', async () => {
  const service = await sharedService();
  const [shop, stranger] = [await registered(service), await registered(service, 'Stranger')];
  const { publicKey, sign } = signer(0x15);
  const unsigned = mandateBody(service.now(), { nonce: 'n-0001-0123456789abcdef', principal_pubkey: publicKey });
  const made = await mandate(service, { ...unsigned, principal_signature: sign(unsigned) });
  const path = `/api/amh/mandate/${made.mandate_id}`;
  const control = { 'x-amh-control': String(made['control_token']) };
  const take = async (body: Record<string, unknown>, headers = {}) =>
    statuses.saw(await post(service, `${path}/void`, body, headers));
  const signed = (platform_id: string, nonce: string) => {
    const stated = { platform_id, nonce, at: isoTime(service.now()) };
    return { ...stated, principal_signature: sign({ op: 'void', mandate_id: made.mandate_id, ...stated }) };
  };
  await shop.verify(asked(made.mandate_id, 300, 'order 1'));
  const { json: taken } = await stranger.verify(asked(made.mandate_id, 49_700, 'order 2'));
  expectProblem(await take({ platform_id: stranger.id }, control), 409, 'platform_known');
  await post(service, `${path}/narrow`, { platforms: [shop.id] }, control);
  expectProblem(await take({ platform_id: shop.id }, control), 409, 'platform_known');
  expectProblem(await take({ platform_id: 'plt_1' }, control), 400, 'invalid_parameters');
  expectProblem(await take({ platform_id: stranger.id }, { 'x-amh-control': newApiKey('amhm_') }), 401, 'key_invalid');
  expectProblem(await take(signed(stranger.id, 'n-0001-0123456789abcdef')), 409, 'nonce_reused');
  const swapped = { ...signed(shop.id, 'v-0001-0123456789abcdef'), platform_id: stranger.id };
  expectProblem(await take(swapped), 400, 'signature_invalid');
  const { status, json } = await take(signed(stranger.id, 'v-0002-0123456789abcdef'));
  assert.deepEqual([status, json['returned_cents'], json['more']], [200, 49_700, false]);
  assert.deepEqual(json['voided'], [{ verify_ref: taken['verify_ref'], state: 'verified', returned_cents: 49_700 }]);
  const { json: verified } = await service.call(`/api/attest/verify/${String(json['attestation_id'])}`);
  assert.deepEqual(verified['claim'], { statement: `amh.mandate.voided sha256:${String(made['mandate_sha256'])}` });
  const again = await take({ platform_id: stranger.id }, control);
  assert.deepEqual([again.json['voided'], again.json['attestation_id']], [[], null], 'there is nothing left to void');
  expectProblem(
    statuses.saw(
      await post(service, UNKNOWN, { platform_id: KNOWN_PLATFORM }, { 'x-amh-control': newApiKey('amhm_') }),
    ),
    404,
    'mandate_not_found',
  );
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const made = await mandate(service, mandateBody(service.now(), { platforms: [KNOWN_PLATFORM] }));
    const headers = { 'x-amh-control': String(made['control_token']) };
    const body = { platform_id: 'plt_0123456789abcdefghjkmnpqrt' };
    return { path: `/api/amh/mandate/${made.mandate_id}/void`, body, headers };
  }));
