import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

testPage('cabinet_overview', '/cabinet', ({ json }, { agent }) => {
  const [one] = json['agents'] as Record<string, unknown>[];
  assert.deepEqual(
    [one?.['agent_id'], one?.['posted_eur'], one?.['held_eur'], one?.['available_eur'], one?.['owner_verified']],
    [agent.id, '5.00', '0.00', '5.00', true],
  );
  assert.deepEqual([json['total_available_eur'], json['alerts']], ['5.00', []]);
});
