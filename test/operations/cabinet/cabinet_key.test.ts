import assert from 'node:assert/strict';
import { testAction } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';

const PATH = '/cabinet/keys';

testAction('cabinet_key', PATH, {
  prepare: async ({ agent }) => ({ agent_id: agent.id, action: 'create' }),
  missing: { agent_id: 'agt_0123456789abcdefghjkmnpqrs', action: 'create' },
  async check({ json }, { service, owner, agent }) {
    const works = async (key: string) =>
      (await service.call('/api/agents/me', { headers: { 'x-agent-key': key } })).status === 200;
    const second = json['new_key'] as { key_id: string; agent_key: string };
    assert.ok(await works(second.agent_key));
    assert.doesNotMatch((await owner.call(PATH)).text, /agk_/, 'a key is shown once');
    const rotated = await owner.post(PATH, { agent_id: agent.id, action: 'rotate', key_id: agent.keyId });
    const third = rotated.json['new_key'] as { key_id: string; agent_key: string };
    assert.deepEqual([await works(agent.key), await works(third.agent_key)], [false, true]);
    for (const { key_id } of [second, third]) {
      const revoked = await owner.post(PATH, { agent_id: agent.id, action: 'revoke', key_id });
      assert.deepEqual([revoked.status, revoked.json['new_key'], revoked.json['ended_key']], [200, null, key_id]);
    }
    assert.deepEqual([await works(second.agent_key), await works(third.agent_key)], [false, false], 'the last one too');
  },
  async more({ owner, agent }, statuses) {
    const send = async (body: object) => statuses.saw(await owner.post(PATH, { agent_id: agent.id, ...body }));
    await send({ action: 'create' });
    await send({ action: 'create' });
    expectProblem(await send({ action: 'create' }), 409, 'too_many_keys');
    const other = 'key_0123456789abcdefghjkmnpqrs';
    expectProblem(await send({ action: 'revoke', key_id: other }), 404, 'not_of_account');
    expectProblem(await send({ action: 'create', key_id: other }), 400, 'invalid_parameters');
    expectProblem(await send({ action: 'rotate' }), 400, 'invalid_parameters');
  },
});
