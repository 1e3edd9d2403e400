import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { post } from '../../support/mandates.ts';
import { OWNER } from '../../support/wallet.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('register_agent');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/agents/register';
const KEYED = { 'idempotency-key': 'the key of register_agent' };

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`an agent gets its id, its key and an empty wallet, once per Idempotency-Key, on ${engine}`, {
    skip,
  }, async () => {
    const { service } = await sharedServiceOn(engine);
    const send = async (body: Record<string, unknown>, headers = {}) =>
      statuses.saw(await post(service, PATH, body, headers));
    const { status, json } = await send({ ...OWNER, owner_email: ' Ops@Example.ORG ' });
    assert.equal(status, 201);
    assert.match(String(json['agent_key']), /^agk_[\w-]{49}$/);
    assert.deepEqual(
      [json['scopes'], json['wallet'], json['owner_verified']],
      [['wallet:spend', 'tasks:write'], { currency: 'EUR', available_eur: '0.00' }, false],
    );
    assert.notEqual((await send(OWNER)).json['agent_id'], json['agent_id'], 'names are not unique');
    const first = await send(OWNER, KEYED);
    const again = await send(OWNER, KEYED);
    assert.deepEqual([again.json, again.headers['idempotent-replayed']], [first.json, 'true']);
    expectProblem(await send({ ...OWNER, name: 'buyer-8' }, KEYED), 409, 'idempotency_conflict');
    const id = json['agent_id'] as string;
    const [kept] = await service.service.store.read('SELECT owner_email FROM agent WHERE id = $1', [id]);
    assert.equal(kept?.['owner_email'], 'ops@example.org');
  });
}

test('bad fields, restricted scopes and names of the founder are refused, and ten agents an hour are enough', async () => {
  const service = await sharedService();
  const send = async (body: Record<string, unknown>) => statuses.saw(await post(service, PATH, body));
  for (const owner_email of ['nobody', 'a@b', 'a b@c.nl', `${'x'.repeat(65)}@c.nl`, '<a@b.nl>', 'a@-b.nl']) {
    const { errors } = expectProblem(await send({ name: 'x', owner_email }), 400, 'invalid_parameters');
    assert.deepEqual(
      (errors as { pointer: string }[]).map(({ pointer }) => pointer),
      ['#/name', '#/owner_email'],
      owner_email,
    );
  }
  expectProblem(await send({ ...OWNER, scopes: ['github:write'] }), 403, 'scope_restricted');
  const refused = expectProblem(await send({ ...OWNER, name: 'The Founder' }), 403, 'rule_refused');
  assert.equal(refused['rule'], 'founder_impersonation');
  const { text } = await service.call(`/api/attest/verify/${String(refused['attestation_id'])}`);
  assert.match(text, /rule\.refusal founder_impersonation sha256:/);
  assert.equal((await send({ ...OWNER, scopes: ['tasks:write'] })).status, 201);
  for (let turn = 0; turn < 9; turn += 1) await send(OWNER);
  assert.ok(Number(expectProblem(await send(OWNER), 429, 'registrations_exceeded')['retry_after_s']) > 3_500);
});

test('general refusals', () => generalRefusals(statuses, () => ({ path: PATH, body: OWNER })));
