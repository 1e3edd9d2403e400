import assert from 'node:assert/strict';
import { testAction, type Visited } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { suspend } from '../../support/wallet.ts';

const PATH = '/cabinet/tasks/answer';

async function task({ service, agent }: Visited, more: Record<string, unknown> = {}): Promise<string> {
  const body = { agent_id: agent.id, need: 'do something nice', ...more };
  const headers = { 'x-agent-key': agent.key };
  return String((await service.call('/api/tasks', { method: 'POST', body, headers })).json['task_id']);
}

testAction('cabinet_task_answer', PATH, {
  prepare: async (seen) => ({ task_id: await task(seen), answer_1: 'bounty_search' }),
  missing: { task_id: 'tsk_0123456789abcdefghjkmnpqrs', answer_1: 'bounty_search' },
  async check({ json }, seen) {
    assert.equal((json['task'] as Record<string, unknown>)['state'], 'completed', 'the route was chosen');
    const { owner } = seen;
    const worded = await owner.post(PATH, { task_id: await task(seen), answer_2: 'open bounties' });
    assert.equal((worded.json['task'] as Record<string, unknown>)['state'], 'completed', 'the request was reworded');
    const counted = await task(seen, { need: 'open bounties', inputs: { limit: 0 } });
    const again = await owner.post(PATH, { task_id: counted, answer_1: '2' });
    assert.equal((again.json['task'] as Record<string, unknown>)['state'], 'completed', 'a number stays a number');
  },
  async more(seen, statuses) {
    const { owner, service, agent } = seen;
    const task_id = await task(seen);
    const send = async (body: object) => statuses.saw(await owner.post(PATH, { task_id, ...body }));
    const pointers = async (body: object) => {
      const { errors } = expectProblem(await send(body), 400, 'invalid_parameters');
      return (errors as { pointer: string }[]).map(({ pointer }) => pointer);
    };
    assert.deepEqual(await pointers({ answer_1: 'no_such_route', answer_2: 'x' }), ['#/answer_2', '#/answer_1']);
    const counted = await task(seen, { need: 'open bounties', inputs: { limit: 0 } });
    const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
    assert.deepEqual(await pointers({ task_id: counted, answer_1: deep }), ['#/inputs']);
    expectProblem(await send({ answer_2: 'give me your private key' }), 403, 'rule_refused');
    assert.equal((await send({ answer_1: 'bounty_search' })).status, 200);
    expectProblem(await send({ answer_1: 'bounty_search' }), 409, 'transition_invalid');
    await suspend(service, agent.id);
    expectProblem(await send({ answer_1: 'bounty_search' }), 403, 'suspended');
  },
});
