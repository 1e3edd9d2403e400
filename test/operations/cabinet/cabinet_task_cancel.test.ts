import assert from 'node:assert/strict';
import { testAction } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';

testAction('cabinet_task_cancel', '/cabinet/tasks', {
  async prepare({ service, agent }) {
    const body = { agent_id: agent.id, need: 'do something nice' };
    const headers = { 'x-agent-key': agent.key };
    const { json } = await service.call('/api/tasks', { method: 'POST', body, headers });
    return { task_id: json['task_id'] };
  },
  missing: { task_id: 'tsk_0123456789abcdefghjkmnpqrs' },
  async check({ json }, { owner }, body) {
    assert.equal((json['task'] as Record<string, unknown>)['state'], 'canceled');
    const page = await owner.post('/cabinet/tasks', body, { accept: 'text/html' });
    assert.equal(page.status, 409, 'a task ends once');
  },
  async more({ owner }, statuses) {
    const [task] = (await owner.call('/cabinet/tasks')).json['tasks'] as { task_id: string }[];
    const send = async () => statuses.saw(await owner.post('/cabinet/tasks', { task_id: task?.task_id }));
    expectProblem(await send(), 409, 'transition_invalid');
  },
});
