import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPage, visited } from '../../support/cabinet.ts';
import { sharedService, sharedServiceOn } from '../../support/shared-service.ts';
import { fund } from '../../support/wallet.ts';

testPage(
  'cabinet_calls',
  '/cabinet/calls',
  ({ json, text }, { agent }) => {
    const items = json['items'] as Record<string, unknown>[];
    assert.deepEqual(
      items.filter(({ status }) => status !== null).map(({ operation, status, code }) => [operation, status, code]),
      [
        ['get_topup', 404, 'topup_not_found'],
        ['get_wallet', 200, null],
      ],
    );
    assert.ok(!text.includes(agent.key));
  },
  {
    missing: 'agent_id=agt_0123456789abcdefghjkmnpqrs',
    async prepare({ service, agent }) {
      const headers = { 'x-agent-key': agent.key };
      await service.call('/api/agents/wallet', { headers });
      (await sharedServiceOn('sqlite')).clock.advance(1_000);
      await service.call(`/api/agents/wallet/topup/tu_${'0'.repeat(20)}`, { headers });
      return undefined;
    },
  },
);

test('a credit has one sign in the list of calls and in the ledger', async () => {
  const { service, agent, owner } = await visited(await sharedService());
  await fund(service.service.store, agent.id, 5_000_000);
  const itemsOf = async (path: string) => (await owner.call(path)).json['items'] as Record<string, unknown>[];
  const [credit] = (await itemsOf('/cabinet/calls')).filter(({ operation }) => operation === 'test_credit');
  const [entry] = await itemsOf('/cabinet/ledger');
  assert.deepEqual([credit?.['price_eur'], entry?.['amount_eur']], ['5.00', '5.00']);
});
