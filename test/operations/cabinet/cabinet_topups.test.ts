import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPage, visited } from '../../support/cabinet.ts';
import { sharedService } from '../../support/shared-service.ts';

testPage('cabinet_topups', '/cabinet/topup', ({ json }, { agent }) => {
  const [one] = json['agents'] as Record<string, unknown>[];
  assert.deepEqual([one?.['agent_id'], one?.['available_eur']], [agent.id, '5.00']);
  assert.deepEqual([(json['tiers'] as unknown[]).length, json['topups'], json['started']], [3, [], null]);
});

test('top-ups of the same moment stand in the order of their ids, the greater first', async () => {
  const { owner, agent } = await visited(await sharedService());
  for (let turn = 0; turn < 4; turn += 1) await owner.post('/cabinet/topup', { agent_id: agent.id, tier: 'starter' });
  const topUps = (await owner.call('/cabinet/topup')).json['topups'] as { topup_id: string; created_at: string }[];
  const ids = topUps.map(({ topup_id }) => topup_id);
  assert.equal(new Set(topUps.map(({ created_at }) => created_at)).size, 1);
  assert.deepEqual([ids.length, ids], [4, ids.toSorted().toReversed()]);
});
