import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

testPage(
  'cabinet_spend',
  '/cabinet/spend',
  ({ json }) => {
    assert.deepEqual([json['whats'], json['totals_eur'], json['total_eur']], [['text.draft'], ['0.02'], '0.02']);
    const days = json['days'] as Record<string, unknown>[];
    assert.deepEqual([days.length, days[0]?.['total_eur'], days[1]?.['amounts_eur']], [7, '0.02', ['0.00']]);
  },
  {
    missing: 'agent_id=agt_0123456789abcdefghjkmnpqrs',
    async prepare({ service, agent }) {
      const body = { capability: 'text.draft', input: { template: 'x' } };
      const headers = { 'x-agent-key': agent.key };
      for (let turn = 0; turn < 2; turn += 1) {
        const { status, text } = await service.call('/capabilities/execute', { method: 'POST', body, headers });
        assert.equal(status, 200, text);
      }
      return `?days=7&agent_id=${agent.id}`;
    },
  },
);
