import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { expectProblem } from '../../support/client.ts';
import { documentTest } from '../../support/documents.ts';
import { bareService, REGISTRY_KEY } from '../../support/shared-service.ts';

const PATH = '/.well-known/mcp-registry-auth';

documentTest('mcp_registry_auth', async (shared, statuses, { text }) => {
  assert.equal(text, `v=MCPv1; k=ed25519; p=${REGISTRY_KEY['AVOUCH_MCP_REGISTRY_KEY']}\n`);
  const page = readFileSync(new URL('../../../docs/standards.md', import.meta.url), 'utf8');
  assert.ok(page.includes(`\`\`\`text\n${text}\`\`\``), 'the page shows what is served');
  // As the registry asks.
  const asked = await shared.call(PATH, { headers: { accept: 'text/plain', 'user-agent': 'mcp-registry/1.0' } });
  assert.deepEqual([asked.status, asked.headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const { service } = await bareService();
  expectProblem(statuses.saw(await service.call(PATH)), 404, 'unknown_file');
});
