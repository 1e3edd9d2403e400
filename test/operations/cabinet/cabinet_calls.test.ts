import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';
import { sharedServiceOn } from '../../support/shared-service.ts';

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
    assert.ok(items.some(({ operation, price_eur }) => operation === 'test_credit' && price_eur === '5.00'));
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
