import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ledger } from '#ledger/steps.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { TestService } from '../../support/service.ts';
import { keyRefusals, registeredAgent } from '../../support/wallet.ts';

const statuses = new PromisedStatuses('get_wallet');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/agents/wallet';

test('a wallet shows what was posted, what is held and what is available, and the tiers in numbers', async () => {
  await using service = await TestService.start({ env: { AVOUCH_RATE_WALLET: '1/min,6' } });
  const agent = await registeredAgent(service);
  await agent.fund(9_990_000);
  const hold = { holdId: 'hold_1', agentId: agent.id, amountMicro: 50_000, idem: 'h', ref: null, lifeMs: null };
  await service.service.store.runAll([ledger.hold(hold)]);
  const { status, json, text } = statuses.saw(await agent.call(PATH));
  assert.equal(status, 200, text);
  const { as_of: _, tiers, ...rest } = json;
  assert.deepEqual(rest, {
    agent_id: agent.id,
    currency: 'EUR',
    posted_eur: '9.99',
    held_eur: '0.05',
    available_eur: '9.94',
    posted_micro: 9_990_000,
    held_micro: 50_000,
    available_micro: 9_940_000,
    frozen: false,
    receivable_eur: '0.00',
    open_topups: [],
    sandbox: true,
  });
  assert.deepEqual(
    (tiers as Record<string, unknown>[]).map(({ tier, price_eur, credit_eur }) => [tier, price_eur, credit_eur]),
    [
      ['starter', 10, 10],
      ['team', 50, 50],
      ['fleet', 100, 100],
    ],
  );
  expectProblem(statuses.saw(await agent.call(`${PATH}?x=1`)), 400, 'invalid_parameters');
  await keyRefusals(statuses, (headers) => service.call(PATH, { headers }));
  let last = await agent.call(PATH);
  for (let turn = 0; turn < 8 && last.status !== 429; turn += 1) last = await agent.call(PATH);
  expectProblem(statuses.saw(last), 429, 'slow_down');
  const other = await registeredAgent(service);
  for (let turn = 0; turn < 4; turn += 1)
    assert.equal((await other.call(PATH)).status, 200, 'each key has its own limit');
});
