import assert from 'node:assert/strict';
import { testAction } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { TestService } from '../../support/service.ts';
import { suspend } from '../../support/wallet.ts';
import { visited } from '../../support/cabinet.ts';
import { sharedCards } from '../../support/topup.ts';

testAction('cabinet_topup', '/cabinet/topup', {
  prepare: async ({ agent }) => ({ agent_id: agent.id, tier: 'team' }),
  missing: { agent_id: 'agt_0123456789abcdefghjkmnpqrs', tier: 'team' },
  check({ json }, { service }) {
    const started = json['started'] as Record<string, unknown>;
    assert.deepEqual([started['status'], started['price_eur']], ['open', 50]);
    assert.ok(String(started['checkout_url']).startsWith(`${service.url}/sandbox/checkout/cs_test_`));
  },
  async more({ owner, agent, service }, statuses) {
    const body = { agent_id: agent.id, tier: 'starter' };
    const send = async () => statuses.saw(await owner.post('/cabinet/topup', body));
    for (let turn = 0; turn < 9; turn += 1) assert.equal((await send()).status, 200);
    expectProblem(await send(), 409, 'too_many_topups');
    await suspend(service, agent.id);
    expectProblem(await send(), 403, 'suspended');
    await using off = await TestService.start({ env: { AVOUCH_WALLET_TOPUP: 'off' } });
    const other = await visited(off);
    const given = { agent_id: other.agent.id, tier: 'team' };
    expectProblem(await other.owner.post('/cabinet/topup', given), 503, 'payments_not_configured');
    const cards = await sharedCards();
    const third = await visited(cards.service);
    cards.simulators.setFault('v1', '500');
    const failed = await third.owner.post('/cabinet/topup', { agent_id: third.agent.id, tier: 'team' });
    cards.simulators.setFault('v1', null);
    expectProblem(statuses.saw(failed), 502, 'processor_unavailable');
  },
});
