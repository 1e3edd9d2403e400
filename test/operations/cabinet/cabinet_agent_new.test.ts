import assert from 'node:assert/strict';
import { testAction } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';

const PATH = '/cabinet/keys/agent';

type Agents = readonly { readonly agent_id: string; readonly untrusted_name: string }[];

testAction('cabinet_agent_new', PATH, {
  prepare: async () => ({ name: 'night shift' }),
  async check({ json }, { service, owner }) {
    const { agent_id, agent_key } = json['new_key'] as { agent_id: string; agent_key: string };
    const made = (json['agents'] as Agents).find((one) => one.agent_id === agent_id);
    assert.equal(made?.untrusted_name, 'night shift');
    const me = await service.call('/api/agents/me', { headers: { 'x-agent-key': agent_key } });
    assert.deepEqual([me.status, me.json['owner_verified']], [200, true], 'nobody asks whose it is');
    assert.doesNotMatch((await owner.call('/cabinet/keys')).text, /agk_/, 'a key is shown once');
  },
  async more({ owner }, statuses) {
    const send = async (name: string) => statuses.saw(await owner.post(PATH, { name }));
    expectProblem(await send('x'), 400, 'invalid_parameters');
    expectProblem(await send('The Founder'), 403, 'rule_refused');
  },
});
