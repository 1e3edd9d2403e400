import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { AGENT, openToken, type Signer, USER } from '../../support/ap2.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { asked, mandateBody, post, registered, signer } from '../../support/mandates.ts';
import { generalRefusals } from '../../support/refusals.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('amh_mandate');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/amh/mandate';
const body = (service: TestService, more = {}) => mandateBody(service.now(), more);

test('the smallest body gives an active, unsigned mandate with its control token and its entry in the log', async () => {
  const service = await sharedService();
  const { status, json, text } = statuses.saw(await post(service, PATH, body(service)));
  assert.equal(status, 201, text);
  assert.deepEqual([json['status'], json['assurance']], ['active', 'unsigned']);
  assert.match(String(json['control_token']), /^amhm_[\w-]{49}$/);
  assert.deepEqual(json['remaining'], { commit_cents: 50_000, period_cents: null, actions: null });
  const { json: verified } = await service.call(`/api/attest/verify/${String(json['attestation_id'])}`);
  const statement = `amh.mandate.created sha256:${String(json['mandate_sha256'])}`;
  assert.deepEqual([verified['valid'], verified['claim']], [true, { statement }]);
});

test('what is wrong is named, field by field, and nothing is stored', async () => {
  const service = await sharedService();
  const rows: readonly [object, string][] = [
    [{ max_commit_cents: 2 ** 53 }, '#/max_commit_cents'],
    [{ max_commit_cents: '100' }, '#/max_commit_cents'],
    [{ max_commit_cents: 1.5 }, '#/max_commit_cents'],
    [{ per_action_cap_cents: 50_001 }, '#/per_action_cap_cents'],
    [{ valid_until: '2020-01-01' }, '#/valid_until'],
    [{ valid_until: '2026-02-30' }, '#/valid_until'],
    [{ valid_until: new Date(service.now() + 400 * DAY_MS).toISOString() }, '#/valid_until'],
    [{ currency: 'eur' }, '#/currency'],
    [{ period: { unit: 'day' } }, '#/period'],
    [{ actions: ['order.eat'] }, '#/actions/0'],
    [{ agent_id: 'a\u0000b' }, '#/agent_id'],
    [{ principal_pubkey: signer(1).publicKey }, '#/principal_signature'],
    [{ agent_pubkey: 'AAAA' }, '#/agent_pubkey'],
    [{ nonce: 'short' }, '#/nonce'],
  ];
  const kept = () => service.service.store.read('SELECT id FROM amh_mandate');
  const before = await kept();
  for (const [more, pointer] of rows) {
    const { errors } = expectProblem(await post(service, PATH, body(service, more)), 400, 'invalid_parameters');
    assert.ok(
      (errors as { pointer: string }[]).some((fault) => fault.pointer === pointer),
      `${pointer}: ${JSON.stringify(errors)}`,
    );
  }
  assert.deepEqual(await kept(), before);
});

test('a nonce is signed once', async () => {
  const service = await sharedService();
  const { publicKey, sign } = signer(0x12);
  const unsigned = body(service, { nonce: 'n-0001-0123456789abcdef', principal_pubkey: publicKey });
  const signed = { ...unsigned, principal_signature: sign(unsigned) };
  statuses.saw(await post(service, PATH, signed));
  expectProblem(statuses.saw(await post(service, PATH, signed)), 409, 'nonce_reused');
});

test('an open mandate of AP2 is imported once, with the key that signed it', async () => {
  const service = await sharedService();
  const open_payment_mandate = openToken(service.now());
  const given = (user: Signer) => ({ agent_id: 'agent:7', ap2: { open_payment_mandate, user_jwk: user.jwk } });
  const first = statuses.saw(await post(service, PATH, given(USER)));
  const again = statuses.saw(await post(service, PATH, given(USER)));
  assert.deepEqual([first.status, again.status, again.json['mandate_id']], [201, 200, first.json['mandate_id']]);
  expectProblem(statuses.saw(await post(service, PATH, given(AGENT))), 400, 'signature_invalid');
});

test('a mandate with as many long counterparties as the fields allow fits into the body', async () => {
  const service = await sharedService();
  const counterparties = Array.from({ length: 256 }, (_, row) => '貿'.repeat(197) + String(row).padStart(3, '0'));
  const { status, json, text } = await post(service, PATH, body(service, { counterparties }));
  assert.equal(status, 201, text);
  const shop = await registered(service);
  const counterparty = counterparties[255] as string;
  const verified = await shop.verify(asked(String(json['mandate_id']), 1, 'order', { counterparty }));
  assert.deepEqual([verified.json['ok'], verified.json['reason']], [true, 'within_mandate']);
});

test('general refusals', () =>
  generalRefusals(statuses, (service) => ({ path: PATH, body: body(service), tooManyBytes: 270_000 })));
