import assert from 'node:assert/strict';
import { testPage } from '../../support/cabinet.ts';

testPage('cabinet_keys', '/cabinet/keys', ({ json, text }, { agent }) => {
  const [one] = json['agents'] as { agent_id: string; keys: { key_id: string; revoked_at: unknown }[] }[];
  assert.deepEqual([one?.agent_id, one?.keys[0]?.key_id, one?.keys[0]?.revoked_at], [agent.id, agent.keyId, null]);
  assert.ok(!text.includes(agent.key) && json['new_key'] === null);
});
