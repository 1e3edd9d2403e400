import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiOperation } from '#areas/discovery/pages/reference.ts';
import { expectProblem } from '../../support/client.ts';
import { documentTest } from '../../support/documents.ts';
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
