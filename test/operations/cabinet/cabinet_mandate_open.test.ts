import assert from 'node:assert/strict';
import { newApiKey } from '#kernel/ids.ts';
import { testAction } from '../../support/cabinet.ts';
import { expectProblem } from '../../support/client.ts';
import { mandate, mandateBody } from '../../support/mandates.ts';

testAction('cabinet_mandate_open', '/cabinet/mandates', {
  async prepare({ service, agent }) {
    const made = await mandate(service, { ...mandateBody(service.now()), agent_id: agent.id });
    return { mandate_id: made.mandate_id, control_token: made.control_token, action: 'revoke' };
  },
  missing: { mandate_id: 'mnd_0123456789abcdefghjkmnpqrs', control_token: newApiKey('amhm_'), action: 'view' },
  async check({ json }, { owner }, body) {
    assert.equal((json['opened'] as Record<string, unknown>)['status'], 'revoked');
    const seen = await owner.post('/cabinet/mandates', { ...body, action: 'view' });
    const opened = seen.json['opened'] as Record<string, unknown>;
    assert.deepEqual([opened['status'], typeof opened['max_commit_cents']], ['revoked', 'number']);
    assert.ok(!seen.text.includes(String(body['control_token'])));
  },
  async more({ owner, service, agent }, statuses) {
    const { mandate_id } = await mandate(service, { ...mandateBody(service.now()), agent_id: agent.id });
    const send = async (control_token: string) =>
      statuses.saw(await owner.post('/cabinet/mandates', { mandate_id, control_token, action: 'view' }));
    expectProblem(await send('amhm_x'), 401, 'key_malformed');
    expectProblem(await send(newApiKey('amhm_')), 401, 'key_invalid');
    const other = await mandate(service, mandateBody(service.now()));
    const foreign = { mandate_id: other.mandate_id, control_token: other.control_token, action: 'view' };
    expectProblem(await owner.post('/cabinet/mandates', foreign), 404, 'not_of_account');
  },
});
