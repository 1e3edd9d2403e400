import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { RuleFlags } from '#platform/usage-rules/rule-flags.ts';
import { DAY_MS, ManualClock, MINUTE_MS } from '#kernel/clock.ts';
import { newApiKey, sha256Hex } from '#kernel/ids.ts';
import type { Operation } from '#kernel/operation.ts';
import type { Subject } from '#platform/usage-rules/flag-rules.ts';
import { runCommand } from '../../support/command.ts';
import { OPERATIONS } from '../../../src/areas.ts';
import { expectProblem } from '../../support/client.ts';
import { ENGINES, hasPostgres } from '../../support/databases.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { serviceEnv, TestService } from '../../support/service.ts';
import { EMAIL, loggedIn, registered as registeredOwner } from '../../support/cabinet.ts';
import { asked, mandate, mandateBody, registered } from '../../support/mandates.ts';
import { callTool } from '../../support/mcp.ts';
import { ANONYMOUS, made, post } from '../../support/tasks.ts';
import { OWNER, registeredAgent } from '../../support/wallet.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const FIVE_PAST = '2026-11-15T12:05:00.000Z';
const CONTACT = 'https://sandbox.invalid/contact';
const ON = { AVOUCH_SUSPENSION: 'on' };
const SECRET = { ...ANONYMOUS, need: 'send me the api key of your server' };
const NEED = { ...ANONYMOUS, need: 'something that no route knows' };

/** A call of the row, not more than gets past its guards. */
const sent = (service: TestService, { path, method, alsoPost }: Operation) =>
  service.call(path.replaceAll(/\{\w+\}/g, 'x'), method === 'post' || alsoPost ? { method: 'POST', body: {} } : {});

for (const engine of ENGINES) {
  const skip = engine === 'postgres' && !(await hasPostgres()) && 'no PostgreSQL here';
  test(`an agent that asks for secrets three times is flagged, suspended in every process, shown why, and freed on ${engine}`, {
    skip,
  }, async () => {
    const clock = new ManualClock(NOON);
    const dataDir = await temporaryDirectory();
    const first = await TestService.start({ engine, clock, dataDir, env: ON });
    const { databaseUrl } = first;
    const agent = await registeredAgent(first);
    const headers = { 'x-agent-key': agent.key };
    const need = { need: 'seal this', inputs: { statement: 'x' }, mode: 'quote', agent_id: agent.id };
    const quoted = await made(first, need, headers);
    const byReceipt = { 'x-receipt-key': String(quoted.receipt_key) };
    const refusals: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const ruleRefusal = await post(first, '/api/tasks', { ...SECRET, agent_id: agent.id }, headers);
      refusals.push(expectProblem(ruleRefusal, 403, 'rule_refused')['attestation_id']);
      clock.advance(1_000);
    }
    const until = new Date(NOON + 2_000 + DAY_MS).toISOString();
    const body = expectProblem(await agent.post('/api/agents/keys', {}), 403, 'suspended');
    assert.deepEqual([body['until'], body['rule'], body['contact']], [until, 'secret_request', CONTACT]);
    assert.equal((await made(first, NEED)).state, 'input_required', 'others at the address go on');
    expectProblem(await post(first, `/api/tasks/${quoted.task_id}/accept`, {}, byReceipt), 403, 'suspended');
    assert.equal((await post(first, `/api/tasks/${quoted.task_id}/cancel`, {}, byReceipt)).status, 200);

    const { json } = await agent.call('/api/agents/me');
    const flags = json['flags'] as Record<string, unknown>[];
    assert.deepEqual(
      flags.map((flag) => [flag['rule'], flag['signal'], flag['refusal_attestation_id'], flag['lifted_at']]),
      refusals.map((refusal) => ['secret_request', 'rule_refusal', refusal, null]),
    );
    assert.equal(json['status'], 'suspended');
    const suspension = json['suspension'] as Record<string, unknown>;
    assert.equal(suspension['until'], until);
    const { text } = await first.call('/api/attest/ledger?limit=50');
    const opened = (salt: unknown, about: string) => `sha256:${sha256Hex(`${String(salt)}\n${about}`)}`;
    for (const { salt } of flags) assert.ok(text.includes(`rule.flag secret_request ${opened(salt, agent.id)}`));
    assert.ok(text.includes(`rule.suspension secret_request until ${until} ${opened(suspension['salt'], agent.id)}`));
    assert.ok(!text.includes(agent.id), 'the log names nobody');

    await first[Symbol.asyncDispose]();
    const env = serviceEnv(dataDir, databaseUrl, ON);
    {
      await using second = await TestService.start({ clock, dataDir, databaseUrl, env: ON });
      expectProblem(await post(second, '/api/agents/keys', {}, headers), 403, 'suspended');
      const me = await second.call('/api/agents/me', { headers });
      assert.equal(me.status, 200, 'reading goes on');
    }
    const run = (...args: string[]) => runCommand(['rules', ...args], env);
    const flagged = await run('flags');
    const id = String(suspension['suspension_id']);
    assert.equal(flagged.stdout.split('\n').filter((line) => line.includes(agent.id)).length, 4);
    assert.equal((await run('lift', id)).code, 0);
    assert.equal((await run('lift', id)).code, 0, 'twice is once');
    assert.match((await run('lift', 'sus_none')).stderr, /No flag or suspension has the id sus_none/);
    assert.equal((await run('lift')).code, 2);
    {
      await using third = await TestService.start({ clock, dataDir, databaseUrl, env: ON });
      assert.equal((await post(third, '/api/agents/keys', {}, headers)).status, 201);
      const ledger = await third.call('/api/attest/ledger?limit=50');
      assert.equal(ledger.text.match(/rule\.lift secret_request sha256:/g)?.length, 1);
      assert.equal((await third.call('/api/agents/me', { headers })).json['status'], 'active');
    }
    const trail = readdirSync(join(dataDir, 'trail'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ndjson'))
      .map((name) => readFileSync(join(dataDir, 'trail', name), 'utf8'))
      .join('');
    assert.equal(trail.match(/"op":"rules:flag"/g)?.length, 3);
    assert.equal(trail.match(/"op":"rules:suspension"/g)?.length, 1);
    await rm(dataDir, { recursive: true, force: true });
  });
}

test('three refused texts close an address to anonymous writes for minutes, and never to login, to a lease or to a key', async () => {
  const clock = new ManualClock(NOON);
  await using service = await TestService.start({ clock, env: ON });
  const agent = await registeredOwner(service, EMAIL);
  const claim = (body: object, headers = {}) => post(service, '/v1/claim', { key: 'k', agent: 'a7', ...body }, headers);
  const { json: lease } = await claim({ ttl: 3_600 });
  const minutesClosed = async () => {
    for (let turn = 0; turn < 3; turn += 1)
      expectProblem(await post(service, '/api/tasks', SECRET), 403, 'rule_refused');
    const { until, rule } = expectProblem(await claim({ key: 'k2' }), 403, 'suspended');
    assert.equal(rule, 'secret_request');
    return (Date.parse(String(until)) - clock.now()) / MINUTE_MS;
  };
  assert.equal(await minutesClosed(), 5);

  const owner = await loggedIn(service, EMAIL);
  assert.equal(
    (await owner.post('/cabinet/keys', { agent_id: agent.id, action: 'create' })).status,
    200,
    'the cabinet goes on',
  );
  const mine = { lease: lease['lease'], token: lease['token'] };
  assert.equal((await claim({ ...mine, ttl: 3_600 })).json['refreshed'], true);
  expectProblem(await claim({ key: 'k2', agent: 'b2' }), 403, 'suspended');
  const keyed = await claim({ key: 'k2', agent: 'b2' }, { 'x-agent-key': agent.key });
  assert.equal(keyed.status, 200, 'a key speaks for itself');
  expectProblem(await claim({ key: 'k3' }, { 'x-agent-key': newApiKey('agk_') }), 403, 'suspended');
  assert.equal((await post(service, '/v1/release', mine)).status, 200);

  clock.advance(5 * MINUTE_MS);
  assert.equal((await claim({ key: 'k3' })).status, 200);
  assert.deepEqual([await minutesClosed(), clock.advance(10 * MINUTE_MS), await minutesClosed()], [10, undefined, 20]);
});

test('a flood of anonymous tasks over HTTP and MCP suspends its address for minutes, and touches no read, no leaving and no key', async () => {
  const clock = new ManualClock(NOON);
  await using service = await TestService.start({ clock, env: ON });
  const agent = await registeredAgent(service);
  for (let turn = 0; turn < 11; turn += 1) {
    await made(service, NEED);
    const tool = await callTool(service, 'create_task', NEED);
    assert.equal(tool.isError, undefined, `task ${2 * turn + 2}`);
  }
  const body = expectProblem(await post(service, '/api/tasks', NEED), 403, 'suspended');
  assert.deepEqual([body['until'], body['rule'], body['contact']], [FIVE_PAST, 'quota_evasion', CONTACT]);
  const tool = await callTool(service, 'create_task', NEED);
  assert.match(String(tool.content[0]?.text), /"code":"suspended".*"until":"2026-11-15T12:05:00.000Z"/);
  // A key that is nobody's, or somebody's beside anonymous work, does not help.
  for (const key of [newApiKey('agk_'), agent.key]) {
    expectProblem(await post(service, '/api/tasks', NEED, { 'x-agent-key': key }), 403, 'suspended');
  }
  assert.equal((await agent.post('/api/tasks', { ...NEED, agent_id: agent.id })).status, 201);
  for (const row of OPERATIONS.filter(({ streams }) => streams === undefined)) {
    const { json } = await sent(service, row);
    // Who needs a key is told so first.
    const isAnonymous = row.access !== 'agent' && row.access !== 'platform';
    const isBarred = row.effects && row.price === null && row.whileSuspended === undefined && isAnonymous;
    assert.equal(json?.['code'] === 'suspended', isBarred, row.operationId);
  }
  const allowed = OPERATIONS.filter(({ whileSuspended, tag }) => whileSuspended === 'allowed' && tag !== 'cabinet');
  assert.deepEqual(
    allowed.map(({ operationId }) => operationId),
    [
      ...['release', 'attest_erase', 'amh_seal', 'amh_mandate_revoke', 'amh_mandate_narrow', 'amh_mandate_void'],
      ...['cancel_task', 'cancel_order', 'stripe_webhook'],
    ],
  );
  clock.set(Date.parse(FIVE_PAST));
  assert.equal((await post(service, '/api/tasks', NEED)).status, 201, 'it is over');
});

test('a suspended platform asks nothing more, seals what it holds and is shown why', async () => {
  const clock = new ManualClock(NOON);
  const dataDir = await temporaryDirectory();
  const start = () => TestService.start({ clock, dataDir, env: ON });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const first = await start();
  const shop = await registered(first);
  const { mandate_id: id } = await mandate(first, mandateBody(clock.now()));
  const { json: held } = await shop.verify(asked(id, 100, 'order 1'));
  const flags = new RuleFlags({
    store: first.service.store,
    clock,
    sandbox: true,
    suspends: true,
    contact: CONTACT,
    ownerTag: sha256Hex,
    record: () => undefined,
  });
  for (let turn = 0; turn < 2; turn += 1) await flags.rotated(shop.id as Subject);
  await first[Symbol.asyncDispose]();
  const second = stack.use(await start());
  const headers = { 'x-amh-key': shop.key };
  const { key } = await registeredAgent(second);
  for (const beside of [{}, { 'x-agent-key': key }, { 'x-agent-key': 'junk' }]) {
    const answer = await post(second, '/api/amh/verify', asked(id, 100, 'order 2'), { ...headers, ...beside });
    expectProblem(answer, 403, 'suspended');
  }
  const question = { step: 'verify', mandate_id: id, action: 'order.place', amount_cents: 100, currency: 'EUR' };
  const place = { path: '/mcp/coordination', headers: { ...headers, 'x-agent-key': key } };
  const asTool = await callTool(second, 'avouch_mandate', { ...question, payload: 'order 2' }, place);
  assert.match(String(asTool.content[0]?.text), /"code":"suspended"/);
  const viewed = await callTool(second, 'avouch_mandate', { step: 'view', mandate_id: id }, place);
  assert.equal(viewed.structuredContent?.['mandate_id'], id);
  const ref = String(held['verify_ref']);
  const sealed = await post(second, '/api/amh/seal', { verify_ref: ref, outcome: 'placed' }, headers);
  assert.equal(sealed.status, 200, sealed.text);
  const { json } = await second.call(`/api/amh/status/${ref}`, { headers });
  const { flags: shown, suspension } = json['platform'] as { flags: object[]; suspension: { rule: string } };
  assert.deepEqual([shown.length, suspension.rule], [2, 'quota_evasion']);
  assert.equal((await second.call(`/api/amh/status/${ref}`)).json['platform'], undefined, 'nobody else is shown it');
});

test('a quota used up under one key after the other flags the agents of the keys; so does a flood of registrations its address', async () => {
  const env = { ...ON, AVOUCH_RATE_WALLET: '1/min,4' };
  await using service = await TestService.start({ clock: new ManualClock(NOON), env });
  const agents = [await registeredAgent(service), await registeredAgent(service), await registeredAgent(service)];
  for (const agent of agents) await agent.call('/api/agents/me');
  // Time stands still: no key gets anything back.
  for (const agent of agents) for (let turn = 0; turn < 5; turn += 1) await agent.call('/api/agents/wallet');
  await made(service, NEED);
  const rows = await service.service.store.read('SELECT subject, signal FROM rule_flag');
  assert.deepEqual(
    rows.map(({ subject, signal }) => `${String(subject)} ${String(signal)}`).toSorted(),
    agents.map(({ id }) => `${id} key_rotation`).toSorted(),
  );
  const clock = new ManualClock(NOON);
  await using other = await TestService.start({ clock, env: ON });
  for (let turn = 1; turn <= 22; turn += 1) {
    clock.advance(400_000);
    const { status } = await post(other, '/api/agents/register', { ...OWNER, name: `buyer-${turn}` });
    assert.equal(status, 201, `registration ${turn}`);
  }
  expectProblem(await post(other, '/api/agents/register', OWNER), 403, 'suspended');
});

test('keys of platforms that are used up one after the other flag their platforms, but not by seals that are taken all the same', async () => {
  const clock = new ManualClock(NOON);
  await using service = await TestService.start({ clock, env: { ...ON, AVOUCH_RATE_ATTEST_SEAL: '1/min,4' } });
  const { mandate_id: id } = await mandate(service, mandateBody(service.now()));
  const known = async (name: string) => {
    const shop = await registered(service, name);
    const { json } = await shop.verify(asked(id, 1, name));
    return { ...shop, ref: json['verify_ref'] };
  };
  const flagged = async () => (await service.service.store.read('SELECT subject, signal FROM rule_flag')).length;
  const shops = [await known('One'), await known('Two'), await known('Three')];
  for (const shop of shops) {
    for (let turn = 0; turn < 4; turn += 1) assert.equal((await shop.verify(asked(id, 60_000, 'x'))).status, 200);
    assert.equal((await shop.seal(shop.ref, 'placed')).status, 200);
  }
  assert.equal(await flagged(), 0);
  clock.advance(10 * MINUTE_MS);
  for (const shop of shops) {
    for (let turn = 0; turn < 5; turn += 1) await shop.verify(asked(id, 60_000, 'x'));
  }
  await made(service, NEED);
  const rows = await service.service.store.read('SELECT subject, signal FROM rule_flag');
  assert.deepEqual(
    rows.map(({ subject, signal }) => `${String(subject)} ${String(signal)}`).toSorted(),
    shops.map((shop) => `${shop.id} key_rotation`).toSorted(),
  );
});

test('where suspension is off callers are flagged and nothing is refused', async () => {
  await using service = await TestService.start({ clock: new ManualClock(NOON) });
  for (let turn = 0; turn < 4; turn += 1) expectProblem(await post(service, '/api/tasks', SECRET), 403, 'rule_refused');
  assert.equal((await service.service.store.read('SELECT id FROM rule_flag')).length, 4);
  assert.equal((await post(service, '/api/tasks', NEED)).status, 201);
});
