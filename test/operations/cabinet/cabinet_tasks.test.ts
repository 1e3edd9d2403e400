import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPage, visited } from '../../support/cabinet.ts';
import { toolCallIn } from '../../support/mcp.ts';
import { sharedService } from '../../support/shared-service.ts';
import { OPERATIONS } from '../../../src/areas.ts';

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

test('an empty list says in every language how a task is made, at the address of its operation', async () => {
  const { owner, agent } = await visited(await sharedService());
  const page = (await owner.call('/dashboard/tasks', { headers: { accept: 'text/html' } })).text;
  const text = page.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  const { path = '' } = OPERATIONS.find(({ operationId }) => operationId === 'create_task') ?? {};
  assert.match(text, new RegExp(`await fetch\\('https?://[^']+${path}'`));
  assert.match(text, /\.\/avouch call create_task/);
  const call = toolCallIn(text);
  assert.deepEqual([call?.path, call?.name], ['/mcp/streamable', 'create_task']);
  assert.equal(new Map(Object.entries(call?.arguments ?? {})).get('agent_id'), agent.id);
  assert.doesNotMatch(text, /There is no (?:MCP tool|command)|has no function/);
});
