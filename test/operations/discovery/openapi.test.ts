import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPERATIONS } from '../../../src/areas.ts';
import { expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('openapi');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

test('the document describes every operation of the table, and answers 304 to its own ETag', async () => {
  const service = await sharedService();
  const answer = statuses.saw(await service.call('/openapi.json'));
  const document = answer.json as {
    openapi: string;
    info: { version: string };
    paths: Record<string, Record<string, unknown>>;
  };
  assert.deepEqual([document.openapi, document.info.version], ['3.1.0', '1.1.0']);
  for (const { path, method, alsoPost } of OPERATIONS) {
    assert.ok(document.paths[path]?.[method], `${method} ${path}`);
    if (alsoPost) assert.ok(document.paths[path]?.['post'], `post ${path}`);
  }
  const again = await service.call('/openapi.json', { headers: { 'if-none-match': String(answer.headers.etag) } });
  assert.deepEqual([again.status, again.text], [304, '']);
  expectProblem(statuses.saw(await service.call('/openapi.json?pretty')), 400, 'invalid_parameters');
});
