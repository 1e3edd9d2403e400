import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listedTools } from '../../../src/areas.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const LISTED_TOOLS = listedTools();

const statuses = new PromisedStatuses('mcp_tools');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that no test saw'));

test('the catalogue is the list of tools, for everybody, and is asked for once', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/mcp/tools.json'));
  assert.deepEqual(answer.json, { tools: LISTED_TOOLS });
  assert.equal(answer.headers['cache-control'], 'public, max-age=300');
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  const headers = { 'if-none-match': answer.headers['etag'] as string };
  assert.equal((await service.call('/mcp/tools.json', { headers })).status, 304);
  expectProblem(statuses.saw(await service.call('/mcp/tools.json?a=1')), 400, 'invalid_parameters');
});
