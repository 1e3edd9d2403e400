import assert from 'node:assert/strict';
import { testPage } from '../_cabinet.ts';

testPage('cabinet_export', '/cabinet/export', ({ json, headers, text }, { agent, owner }) => {
  assert.match(String(headers['content-disposition']), /^attachment; filename="/);
  const [one] = json['agents'] as Record<string, unknown[]>[];
  assert.deepEqual([one?.['agent_id'], one?.['ledger']?.length, one?.['keys']?.length], [agent.id, 1, 1]);
  assert.ok(![agent.key, owner.csrf, owner.cookie.slice(4)].some((secret) => text.includes(secret)));
});
