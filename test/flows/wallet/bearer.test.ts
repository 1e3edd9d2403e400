import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApiKey } from '#kernel/ids.ts';
import { expectProblem } from '../../support/client.ts';
import { sharedService } from '../../support/shared-service.ts';
import { registeredAgent } from '../../support/wallet.ts';

const PATH = '/api/agents/me';

test('Authorization: Bearer with an agent key is taken as X-Agent-Key', async () => {
  const service = await sharedService();
  const agent = await registeredAgent(service);
  const byKey = await agent.call(PATH);
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    const answer = await service.call(PATH, { headers: { authorization: `${scheme} ${agent.key}` } });
    assert.deepEqual([answer.status, answer.json['agent_id']], [200, byKey.json['agent_id']], scheme);
  }
  const both = { authorization: `Bearer ${agent.key}`, 'x-agent-key': agent.key };
  assert.equal((await service.call(PATH, { headers: both })).status, 200);
});

test('two different keys are 400 key_conflict, over HTTP and over MCP', async () => {
  const service = await sharedService();
  const agent = await registeredAgent(service);
  const headers = { authorization: `Bearer ${newApiKey('agk_')}`, 'x-agent-key': agent.key };
  expectProblem(await service.call(PATH, { headers }), 400, 'key_conflict');
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const mcp = await service.call('/mcp', { method: 'POST', headers, body });
  assert.equal(mcp.status, 400);
  assert.match(mcp.text, /key_conflict/);
});

test('a credential of another kind is no agent key, and a call that needs no key works with any', async () => {
  const service = await sharedService();
  for (const authorization of ['Basic YTpi', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'Bearer', 'agk_x']) {
    expectProblem(await service.call(PATH, { headers: { authorization } }), 401, 'key_missing');
    const free = { authorization, 'x-agent-key': newApiKey('agk_') };
    assert.equal((await service.call('/v1/look?key=acme/repo%2314', { headers: free })).status, 200);
  }
  const unknown = await service.call(PATH, { headers: { authorization: `Bearer ${newApiKey('agk_')}` } });
  expectProblem(unknown, 401, 'key_invalid');
});

test('no document tells clients to start an OAuth flow', async () => {
  const service = await sharedService();
  for (const path of ['', '/mcp', '/mcp/streamable', '/mcp/paid']) {
    const answer = await service.call(`/.well-known/oauth-protected-resource${path}`);
    assert.equal(answer.status, 404, path);
  }
  assert.equal((await service.call('/.well-known/oauth-authorization-server')).status, 404);
  const refused = await service.call(PATH);
  assert.equal(refused.status, 401);
  assert.doesNotMatch(JSON.stringify(refused.headers), /resource_metadata/);
});
