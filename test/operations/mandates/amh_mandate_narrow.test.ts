import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isoTime } from '#kernel/clock.ts';
import { newApiKey } from '#kernel/ids.ts';
import { expectProblem } from '../../support/client.ts';
import { asked, KNOWN_PLATFORM, mandate, mandateBody, post, registered, signer } from '../../support/mandates.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_mandate_narrow');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const UNKNOWN = '/api/amh/mandate/mnd_0123456789abcdefghjkmnpqrs/narrow';

test('the principal takes platforms away, by token or by signature; the log says so, and none can be added', async () => {
  const service = await sharedService();
  const [shop, other] = [await registered(service), await registered(service, 'Another Shop')];
  const { publicKey, sign } = signer(0x14);
  const unsigned = mandateBody(service.now(), { nonce: 'n-0001-0123456789abcdef', principal_pubkey: publicKey });
  const made = await mandate(service, { ...unsigned, principal_signature: sign(unsigned) });
  assert.deepEqual([made['open_to'], made['flags']], ['any_platform', ['open_mandate']]);
  const control = { 'x-amh-control': String(made['control_token']) };
  const narrow = async (body: Record<string, unknown>, headers = {}) =>
    statuses.saw(await post(service, `/api/amh/mandate/${made.mandate_id}/narrow`, body, headers));
  const signed = (platforms: readonly string[], nonce: string) => {
    const stated = { platforms, nonce, at: isoTime(service.now()) };
    return { ...stated, principal_signature: sign({ op: 'narrow', mandate_id: made.mandate_id, ...stated }) };
  };
  expectProblem(await narrow({ platforms: [shop.id] }, { 'x-amh-control': newApiKey('amhm_') }), 401, 'key_invalid');
  expectProblem(await narrow({ platforms: [] }, control), 400, 'invalid_parameters');
  expectProblem(await narrow(signed([shop.id], 'n-0001-0123456789abcdef')), 409, 'nonce_reused');
  const swapped = { ...signed([shop.id], 'w-0001-0123456789abcdef'), platforms: [other.id] };
  expectProblem(await narrow(swapped), 400, 'signature_invalid');
  const both = [shop.id, other.id].toSorted();
  const first = await narrow(signed([other.id, shop.id, other.id], 'w-0002-0123456789abcdef'));
  assert.deepEqual([first.status, first.json['open_to'], first.json['platforms']], [200, 'listed_platforms', both]);
  assert.deepEqual((await narrow({ platforms: both }, control)).json, first.json, 'the same list, the same answer');
  const { json: verified } = await service.call(`/api/attest/verify/${String(first.json['attestation_id'])}`);
  assert.deepEqual(verified['claim'], { statement: `amh.mandate.narrowed sha256:${String(made['mandate_sha256'])}` });
  assert.equal((await narrow({ platforms: [shop.id] }, control)).status, 200);
  expectProblem(await narrow({ platforms: both }, control), 409, 'not_narrower');
  const reason = async (platform: typeof shop) =>
    (await platform.verify(asked(made.mandate_id, 1, platform.id))).json['reason'];
  assert.deepEqual([await reason(shop), await reason(other)], ['within_mandate', 'platform_not_allowed']);
  const view = (await service.call(`/api/amh/mandate/${made.mandate_id}`, { headers: control })).json;
  assert.deepEqual([view['open_to'], view['platforms'], view['flags']], ['listed_platforms', [shop.id], []]);
  expectProblem(
    statuses.saw(
      await post(service, UNKNOWN, { platforms: [KNOWN_PLATFORM] }, { 'x-amh-control': newApiKey('amhm_') }),
    ),
    404,
    'mandate_not_found',
  );
});

test('a mandate that asks for the key of its agent is open to any platform, and no stranger can use it up', async () => {
  const service = await sharedService();
  const made = await mandate(service, mandateBody(service.now(), { agent_pubkey: signer(0x22).publicKey }));
  assert.deepEqual([made['open_to'], made['flags']], ['any_platform', []]);
  const stranger = await registered(service);
  const { json } = await stranger.verify(asked(made.mandate_id, 1, 'taken'));
  assert.deepEqual([json['ok'], json['reason']], [false, 'signature_invalid']);
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => {
    const made = await mandate(service, mandateBody(service.now()));
    const headers = { 'x-amh-control': String(made['control_token']) };
    return { path: `/api/amh/mandate/${made.mandate_id}/narrow`, body: { platforms: [KNOWN_PLATFORM] }, headers };
  }));
