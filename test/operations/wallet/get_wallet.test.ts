import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ledger } from '#platform/ledger/steps.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { registeredAgent } from '../../support/wallet.ts';
import { expectLimited, keyRefusals } from '../../support/refusals.ts';
import { limitedService, sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('get_wallet');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

const PATH = '/api/agents/wallet';

test('a wallet shows what was posted, what is held and what is available, and the tiers in numbers', async () => {
  const service = await sharedService();
  const agent = await registeredAgent(service);
  await agent.fund(9_990_000);
  const hold = {
    holdId: `hold_${agent.id}`,
    agentId: agent.id,
    amountMicro: 50_000,
    idem: `h ${agent.id}`,
    ref: null,
    lifeMs: null,
  };
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
});

test('each key has its own limit', async () => {
  const { service } = await limitedService();
  const [agent, other] = [await registeredAgent(service), await registeredAgent(service)];
  await expectLimited(statuses, () => agent.call(PATH));
  assert.equal((await other.call(PATH)).status, 200);
});
