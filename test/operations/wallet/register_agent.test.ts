import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { agentUnit } from '#areas/wallet/unit.ts';
import { HOUR_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { post } from '../../support/mandates.ts';
import { OWNER } from '../../support/wallet.ts';
import { generalRefusals } from '../../support/refusals.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
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

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`agents that were erased count for their address until their hour is over, on ${engine}`, { skip }, async () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15, 10));
    await using service = await TestService.start({ engine, clock });
    const { store } = service.service;
    const body = { ...OWNER, owner_email: 'often@example.org' };
    const register = async (times: number) => {
      for (let turn = 0; turn < times; turn += 1) assert.equal((await post(service, PATH, body)).status, 201);
    };
    const erase = () => store.run(agentUnit, { type: 'erase_owner', email: body.owner_email });
    const addresses = async () => (await store.read('SELECT DISTINCT addr FROM agent')).map(({ addr }) => addr);
    await register(10);
    await erase();
    assert.deepEqual(JSON.stringify(await store.read('SELECT * FROM agent')).includes(body.owner_email), false);
    expectProblem(await post(service, PATH, body), 429, 'registrations_exceeded');
    clock.advance(HOUR_MS);
    await register(1);
    clock.advance(HOUR_MS);
    await erase();
    assert.ok((await addresses()).includes(''), 'then the address is forgotten');
  });
}

test('a registration is repeatable for ten minutes, until its key was used, and from its own address only', async () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 15, 10));
  await using service = await TestService.start({ clock, env: { AVOUCH_TRUSTED_PROXIES: '127.0.0.1' } });
  const send = async (key: string, address = '198.51.100.7') =>
    (await post(service, PATH, OWNER, { 'idempotency-key': key, 'x-forwarded-for': address })).json;
  const first = await send(KEYED['idempotency-key']);
  clock.advance(9 * MINUTE_MS);
  assert.deepEqual(await send(KEYED['idempotency-key']), first);
  const elsewhere = await send(KEYED['idempotency-key'], '198.51.100.8');
  assert.notEqual(elsewhere['agent_id'], first['agent_id']);
  assert.notEqual(elsewhere['agent_key'], first['agent_key']);
  clock.advance(60_000);
  const later = await send(KEYED['idempotency-key']);
  assert.notEqual(later['agent_id'], first['agent_id'], 'what was kept is over');
  assert.notEqual(later['agent_key'], first['agent_key']);

  const used = await send('the key of an agent that goes to work');
  const headers = { 'x-agent-key': String(used['agent_key']) };
  assert.equal((await service.call('/api/agents/me', { headers })).status, 200);
  const lastUse = async () => {
    const { keys } = (await service.call('/api/agents/me', { headers })).json as { keys: { last_used_at: unknown }[] };
    return keys[0]?.last_used_at !== null;
  };
  await until('the use of the key is noted', lastUse);
  assert.deepEqual(await send('the key of an agent that goes to work'), { ...used, agent_key: null });
});

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
