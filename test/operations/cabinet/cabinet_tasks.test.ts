import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

testPage(
  'cabinet_tasks',
  '/cabinet/tasks',
  ({ json }) => {
    const task = json['task'] as Record<string, unknown>;
    assert.deepEqual(
      [task['untrusted_need'], task['state'], task['cancellable']],
      ['do something nice', 'input_required', true],
    );
    const { steps, chain_ok } = task['evidence'] as { steps: unknown[]; chain_ok: boolean };
    assert.deepEqual([steps.length, chain_ok, (json['tasks'] as unknown[]).length], [1, true, 1]);
  },
  {
    missing: 'task_id=tsk_0123456789abcdefghjkmnpqrs',
    async prepare({ service, agent }) {
      const body = { agent_id: agent.id, need: 'do something nice' };
      const headers = { 'x-agent-key': agent.key };
      const { json } = await service.call('/api/tasks', { method: 'POST', body, headers });
      return `?task_id=${String(json['task_id'])}`;
    },
  },
);
