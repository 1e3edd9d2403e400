import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overviewDocument } from '#areas/cabinet/money/overview-page.ts';
import { CabinetOverview } from '#areas/cabinet/shapes.ts';
import { testPage, visited } from '../../support/cabinet.ts';
import { sharedService } from '../../support/shared-service.ts';

testPage(
  'cabinet_overview',
  '/cabinet',
  ({ json }, { agent }) => {
    const [one] = json['agents'] as Record<string, unknown>[];
    assert.deepEqual(
      [one?.['agent_id'], one?.['posted_eur'], one?.['held_eur'], one?.['available_eur'], one?.['owner_verified']],
      [agent.id, '5.00', '0.00', '5.00', true],
    );
    assert.deepEqual([json['total_available_eur'], json['alerts']], ['5.00', []]);
    const [newest] = json['recent'] as Record<string, unknown>[];
    assert.deepEqual([newest?.['agent_id'], newest?.['amount_eur']], [agent.id, '5.00']);
    const balance = json['balance'] as Record<string, unknown>[];
    assert.deepEqual(
      [balance.length, balance.at(-2)?.['balance_eur'], balance.at(-1)?.['balance_eur']],
      [30, '0.00', '5.00'],
    );
  },
  { missing: 'agent_id=agt_0123456789abcdefghjkmnpqrs' },
);

test('an agent without a key and a task that waits for its owner are alerts', async () => {
  const { service, owner, agent } = await visited(await sharedService());
  const body = { agent_id: agent.id, need: 'do something nice' };
  await service.call('/api/tasks', { method: 'POST', body, headers: { 'x-agent-key': agent.key } });
  await owner.post('/cabinet/keys', { agent_id: agent.id, action: 'revoke', key_id: agent.keyId });
  const { alerts } = (await owner.call('/cabinet')).json as { alerts: { kind: string; agent_id: string }[] };
  assert.deepEqual(
    alerts.map(({ kind, agent_id }) => [kind, agent_id]),
    [
      ['no_key', agent.id],
      ['task_waits', agent.id],
    ],
  );
  const { text } = await owner.call('/dashboard', { headers: { accept: 'text/html' } });
  assert.match(text, /A task waits for your answer\. <a href="\/dashboard\/tasks\?show=needs_you[^"]*">Answer<\/a>/);
});

test('a count of calls that was ended is shown as such', async () => {
  const { owner } = await visited(await sharedService());
  const overview = CabinetOverview.parse((await owner.call('/cabinet')).json);
  const site = { service: 'S', sandbox: true, baseUrl: () => 'https://a.example', nowMs: () => 0 };
  const shown = (calls_24h: (typeof overview)['calls_24h']) =>
    overviewDocument.html({ ...overview, calls_24h }, site).replaceAll(/<[^>]*>/g, ' ');
  assert.match(shown({ total: 10_000, failed: 12, at_least: true }), /10,000\+\s+12 failed/);
  assert.match(shown({ total: 10_000, failed: 10_000, at_least: true }), /10,000\+\s+10,000\+ failed/);
  assert.match(shown({ total: 10_000, failed: 0, at_least: false }), /10,000\s+0 failed/);
});
