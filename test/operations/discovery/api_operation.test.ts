import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiOperation } from '#areas/discovery/pages/reference.ts';
import { expectProblem } from '../../support/client.ts';
import { documentTest } from '../../support/documents.ts';
import { toolCallIn, toolsAt } from '../../support/mcp.ts';
import { sharedService } from '../../support/shared-service.ts';
import { OPERATIONS } from '../../../src/areas.ts';

documentTest(
  'api_operation',
  async (service, statuses, { json }) => {
    const parameters = json['parameters'] as { name: string; required: boolean; in: string }[];
    assert.deepEqual(
      parameters.filter(({ required }) => required).map(({ name }) => name),
      ['key', 'agent'],
    );
    expectProblem(statuses.saw(await service.call('/docs/api/nonsense')), 404, 'unknown_page');
  },
  '/docs/api/claim',
);

test('every operation has a page with its parameters and errors', async () => {
  const service = await sharedService();
  for (const { operationId, path } of OPERATIONS) {
    const described = ApiOperation.parse((await service.call(`/docs/api/${operationId}`)).json);
    assert.equal(described.path, path);
    assert.ok(described.problems.length > 0, operationId);
    const page = await service.call(`/docs/api/${operationId}`, { headers: { accept: 'text/html' } });
    assert.equal(page.status, 200, operationId);
    for (const heading of page.text.match(/<h[1-6][^>]*>.*?<\/h[1-6]>/gs) ?? [])
      assert.doesNotMatch(heading.replaceAll(/<[^>]*>/g, ''), /_/, operationId);
  }
});

/** Those whose work no operation does. */
const OWN_TOOLS = ['check_counterparty_nl', 'record_counterparty_check', 'verify_astranl', 'ground_astranl'];

test('the page of an operation names its tool at whichever MCP endpoint has it, with arguments that the tool takes', async () => {
  const service = await sharedService();
  const paths = ['/mcp/streamable', '/mcp/coordination', '/mcp/paid'];
  const tools = new Map(
    await Promise.all(
      paths.map(async (path) => [path, new Map((await toolsAt(service, path)).map((one) => [one.name, one]))] as const),
    ),
  );
  const told = new Set<string>();
  for (const { operationId } of OPERATIONS) {
    const described = ApiOperation.parse((await service.call(`/docs/api/${operationId}`)).json);
    const page = await service.call(`/docs/api/${operationId}`, { headers: { accept: 'text/html' } });
    const call = toolCallIn(page.text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
    if (described.tool === null) {
      assert.deepEqual([described.mcp_endpoint, call], [null, undefined], operationId);
      continue;
    }
    told.add(described.tool);
    const listed = tools.get(described.mcp_endpoint ?? '')?.get(described.tool);
    assert.ok(listed !== undefined, `${operationId}: no ${described.tool} at ${described.mcp_endpoint}`);
    assert.ok(!page.text.includes('There is no MCP tool for this call.'), operationId);
    assert.deepEqual([call?.path, call?.name], [described.mcp_endpoint, described.tool], operationId);
    const given = Object.keys(call?.arguments ?? {});
    const known = Object.keys(listed.inputSchema.properties);
    assert.deepEqual(
      given.filter((name) => !known.includes(name)),
      [],
      operationId,
    );
    assert.deepEqual(
      (listed.inputSchema.required ?? []).filter((name) => !given.includes(name)),
      [],
      operationId,
    );
  }
  const all = [...tools.values()].flatMap((at) => [...at.keys()]);
  assert.deepEqual(all.filter((name) => !told.has(name)).toSorted(), OWN_TOOLS.toSorted());
});
