import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

testPage('cabinet_export', '/cabinet/export', async ({ json, headers, text }, { agent, owner, service }) => {
  assert.match(String(headers['content-disposition']), /^attachment; filename="/);
  const [one] = json['agents'] as Record<string, unknown[]>[];
  assert.deepEqual([one?.['agent_id'], one?.['ledger']?.length, one?.['keys']?.length], [agent.id, 1, 1]);
  assert.ok(![agent.key, owner.csrf, owner.cookie.slice(4)].some((secret) => text.includes(secret)));

  const keyed = { 'x-agent-key': agent.key };
  const send = async (path: string, body: Record<string, unknown>) => {
    const answer = await service.call(path, { method: 'POST', headers: keyed, body });
    assert.ok(answer.status < 300, answer.text);
  };
  const [tasks, topUps] = [210, 8];
  for (let n = 0; n < tasks; n += 1) await send('/api/tasks', { agent_id: agent.id, need: 'do something nice' });
  for (let n = 0; n < topUps; n += 1) await send('/api/agents/wallet/topup', { tier: 'starter' });
  const [whole] = (await owner.call('/cabinet/export')).json['agents'] as Record<string, unknown[]>[];
  const before = one?.['topups']?.length ?? 0;
  assert.deepEqual(
    [whole?.['tasks']?.length, whole?.['topups']?.length],
    [tasks, before + topUps],
    'more than a page shows',
  );
  const { tasks: exported } = whole as { tasks: { task_id: string }[] };
  const ids = new Set(exported.map(({ task_id }) => task_id));
  assert.deepEqual([ids.size, (whole?.['calls']?.length ?? 0) >= tasks], [tasks, true]);
});
