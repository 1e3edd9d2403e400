// The same card under two addresses.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectProblem, PromisedStatuses, TestService } from './_harness.ts';

export function testServerCard(operationId: string, path: string): void {
  const statuses = new PromisedStatuses(operationId);
  after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

  test(`${path} says where the MCP server is and names no tool`, async () => {
    await using service = await TestService.start();
    const answer = statuses.saw(await service.call(path));
    assert.equal(answer.headers['content-type'], 'application/mcp-server-card+json');
    const card = JSON.parse(answer.text) as { name: string; remotes: { type: string; url: string }[] };
    assert.equal(card.name, '1.0.0.127/avouch');
    assert.deepEqual(
      card.remotes.map(({ type, url }) => [type, url]),
      [
        ['streamable-http', `${service.url}/mcp/streamable`],
        ['streamable-http', `${service.url}/mcp/paid`],
        ['sse', `${service.url}/mcp/sse`],
      ],
    );
    assert.ok(!('tools' in card));
    expectProblem(statuses.saw(await service.call(`${path}?a=1`)), 400, 'invalid_parameters');
  });
}
