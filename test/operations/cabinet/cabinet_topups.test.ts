import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

testPage('cabinet_topups', '/cabinet/topup', ({ json }, { agent }) => {
  const [one] = json['agents'] as Record<string, unknown>[];
  assert.deepEqual([one?.['agent_id'], one?.['available_eur']], [agent.id, '5.00']);
  assert.deepEqual([(json['tiers'] as unknown[]).length, json['topups'], json['started']], [3, [], null]);
});
