import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';
import { mandate, mandateBody } from '../../support/mandates.ts';

testPage(
  'cabinet_mandates',
  '/cabinet/mandates',
  ({ json }, { agent }) => {
    const list = json['mandates'] as Record<string, unknown>[];
    assert.deepEqual([list.length, list[0]?.['agent_id'], list[0]?.['status']], [1, agent.id, 'active']);
    assert.ok(!('max_commit_cents' in (list[0] ?? {})));
  },
  {
    async prepare({ service, agent }) {
      await mandate(service, { ...mandateBody(service.now()), agent_id: agent.id });
      await mandate(service, mandateBody(service.now()));
      return undefined;
    },
    missing: 'agent_id=agt_0123456789abcdefghjkmnpqrs',
  },
);
