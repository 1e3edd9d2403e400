import assert from 'node:assert/strict';
import { testAction, type Visited } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { fund, suspend } from '../../support/wallet.ts';

const PATH = '/cabinet/tasks/accept';

async function task({ service, agent }: Visited, need: string): Promise<string> {
  const body = { agent_id: agent.id, need, mode: 'quote' };
  const headers = { 'x-agent-key': agent.key };
  return String((await service.call('/api/tasks', { method: 'POST', body, headers })).json['task_id']);
}

testAction('cabinet_task_accept', PATH, {
  prepare: async (seen) => ({ task_id: await task(seen, 'open bounties') }),
  missing: { task_id: 'tsk_0123456789abcdefghjkmnpqrs' },
  check: ({ json }) => assert.equal((json['task'] as Record<string, unknown>)['state'], 'completed'),
  async more(seen, statuses) {
    const { owner, service, agent } = seen;
    const task_id = await task(seen, 'VAT NL999900018B01');
    const send = async () => statuses.saw(await owner.post(PATH, { task_id }));
    expectProblem(await send(), 402, 'insufficient_funds');
    await fund(service.service.store, agent.id, 10_000);
    const body = { task_id, csrf: owner.csrf };
    const accepted = await owner.post(PATH.replace('cabinet', 'dashboard'), body, { accept: 'text/html' });
    assert.equal(accepted.status, 303, accepted.text);
    const page = await owner.call(accepted.headers.location ?? '', { headers: { accept: 'text/html' } });
    assert.match(page.text, /<\/code> was accepted\. It is charged only if it succeeds\.<\/div>/);
    expectProblem(await send(), 409, 'transition_invalid');
    await suspend(service, agent.id);
    expectProblem(await send(), 403, 'suspended');
  },
});
