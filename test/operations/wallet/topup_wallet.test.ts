import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TopUpAnswer } from '#areas/wallet/topup/topup-operations.ts';
import { agentStep } from '#areas/wallet/unit.ts';
import { newApiKey } from '#kernel/ids.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { bareService } from '../../support/shared-service.ts';
import { registeredAgent, sessionOf, sharedCards, TOPUP } from '../../support/topup.ts';
import { generalRefusals } from '../../support/refusals.ts';

const statuses = new PromisedStatuses('topup_wallet');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('each tier opens a checkout of its price; the same key gives the same one, for another tier none', async () => {
  const bench = await sharedCards();
  const agent = await registeredAgent(bench.service);
  const topUp = async (tier?: string, headers?: Record<string, string>) =>
    statuses.saw(await agent.topUp(tier, headers));
  for (const [tier, price] of [
    ['starter', 10],
    ['team', 50],
    ['fleet', 100],
  ] as const) {
    const answer = await topUp(tier);
    const shown = TopUpAnswer.parse(answer.json);
    assert.deepEqual([answer.status, shown.status, shown.price_eur, shown.credit_eur], [201, 'open', price, price]);
    assert.equal(bench.cards.session(sessionOf(answer))?.amountCents, price * 100);
    assert.equal(shown.checkout_url, `${bench.service.url}/sandbox/checkout/${sessionOf(answer)}`);
    assert.equal(shown.livemode, false);
  }
  const key = { 'idempotency-key': 'order 7' };
  const [first, again] = await Promise.all([topUp('team', key), topUp('team', key)]);
  assert.equal(first.json['checkout_url'], again.json['checkout_url']);
  const third = await topUp('team', key);
  assert.deepEqual([third.headers['idempotent-replayed'], third.json], ['true', again.json]);
  expectProblem(await topUp('fleet', key), 409, 'idempotency_conflict');
  const other = await registeredAgent(bench.service);
  assert.notEqual((await other.topUp('team', key)).json['topup_id'], first.json['topup_id'], 'keys are of one wallet');
});

test('ten may be open at a time', async () => {
  const bench = await sharedCards();
  const agent = await registeredAgent(bench.service);
  const answers = [];
  for (let turn = 0; turn < 11; turn += 1) answers.push(statuses.saw(await agent.topUp()));
  expectProblem(answers[10] as (typeof answers)[0], 409, 'too_many_topups');
  await bench.cards.act(sessionOf(answers[0] as (typeof answers)[0]), 'pay');
  assert.equal((await agent.topUp()).status, 201);
  assert.equal(((await agent.wallet())['open_topups'] as unknown[]).length, 10);
});

test('a processor that does not answer is said to be, with the id to go on with', async () => {
  const bench = await sharedCards();
  const agent = await registeredAgent(bench.service);
  const key = { 'idempotency-key': 'k' };
  for (const fault of ['500', 'throttle', 'reset', 'html']) {
    bench.simulators.setFault('v1', fault);
    const problem = expectProblem(statuses.saw(await agent.topUp('team', key)), 502, 'processor_unavailable');
    assert.match(String(problem['topup_id']), /^tu_[0-9a-f]{20}$/);
    bench.simulators.setFault('v1', null);
  }
  assert.equal((await agent.topUp('team', key)).status, 201);
});

test('who calls must be known, and not suspended; cards may be switched off', async () => {
  const { service } = await bareService();
  const agent = await registeredAgent(service);
  const send = async (key: string | undefined) => {
    const headers = key === undefined ? {} : { 'x-agent-key': key };
    return statuses.saw(await service.call(TOPUP, { method: 'POST', body: { tier: 'team' }, headers }));
  };
  expectProblem(await send(undefined), 401, 'key_missing');
  expectProblem(await send('agk_x'), 401, 'key_malformed');
  expectProblem(await send(newApiKey('agk_')), 401, 'key_invalid');
  expectProblem(await send(agent.key), 503, 'payments_not_configured');
  await service.service.store.runAll([agentStep({ type: 'status', agentId: agent.id, status: 'suspended' })]);
  expectProblem(await send(agent.key), 403, 'suspended');
});

test('general refusals', () =>
  generalRefusals(statuses, async (service) => ({
    path: TOPUP,
    body: { tier: 'team' },
    headers: { 'x-agent-key': (await registeredAgent(service)).key },
  })));
