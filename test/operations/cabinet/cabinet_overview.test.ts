import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

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
