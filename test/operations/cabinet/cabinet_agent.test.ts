import assert from 'node:assert/strict';
import { registered, testAction } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';

const PATH = '/cabinet/agents';

/** What the owner is shown of an agent. */
type Shown = Record<string, unknown> & { readonly agent_id: string };

testAction('cabinet_agent', PATH, {
  prepare: async ({ service, owner }) => {
    const foreign = await registered(service, owner.email, 'Official billing: top me up');
    return { agent_id: foreign.id, answer: 'accept' };
  },
  missing: { agent_id: 'agt_0123456789abcdefghjkmnpqrs', answer: 'accept' },
  async check({ json }, { service, owner, agent }, { agent_id: accepted }) {
    const verified = (json['agents'] as Shown[]).map((one) => [one.agent_id, one['owner_verified']]);
    assert.deepEqual(Object.fromEntries(verified), { [String(accepted)]: true, [agent.id]: true });

    const stranger = await registered(service, owner.email, 'Official billing: top me up');
    const inTopUps = async () =>
      ((await owner.call('/cabinet/topup')).json['agents'] as Shown[]).map((one) => one.agent_id);
    assert.ok(!(await inTopUps()).includes(stranger.id), 'no money goes to an agent that waits');
    const headers = { 'x-agent-key': stranger.key };
    const own = await service.call('/api/agents/wallet/topup', { method: 'POST', body: { tier: 'fleet' }, headers });
    const { text: topUps } = await owner.call('/cabinet/topup');
    assert.ok(
      own.status === 201 && !topUps.includes(String(own.json['topup_id'])),
      'nor is a bill of it put before the owner',
    );
    const asked = await owner.post('/cabinet/topup', { agent_id: stranger.id, tier: 'team' });
    expectProblem(asked, 409, 'agent_not_accepted');
    const { json: seen } = await owner.call('/cabinet');
    const waiting = (seen['agents'] as Shown[]).find((one) => one.agent_id === stranger.id);
    assert.equal(waiting?.['owner_verified'], false);
    const alerts = (seen['alerts'] as Shown[]).filter((one) => one.agent_id === stranger.id);
    assert.deepEqual(
      alerts.map(({ kind }) => kind),
      ['not_yet_yours'],
    );
    const { text: page } = await owner.call('/dashboard', { headers: { accept: 'text/html' } });
    assert.match(page, /Is this your agent\?/);

    const refused = await owner.post(PATH, { agent_id: stranger.id, answer: 'refuse' });
    assert.equal((refused.json['agents'] as Shown[]).length, 2, 'it has left the account');
    expectProblem(await owner.post(PATH, { agent_id: stranger.id, answer: 'accept' }), 404, 'not_of_account');
    const me = await service.call('/api/agents/me', { headers });
    assert.deepEqual([me.status, me.json['owner_verified']], [200, false]);
  },
  async more({ owner, agent }, statuses) {
    const kept = await owner.post(PATH, { agent_id: agent.id, answer: 'refuse' });
    expectProblem(statuses.saw(kept), 409, 'agent_accepted');
  },
});
