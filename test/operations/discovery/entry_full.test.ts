import assert from 'node:assert/strict';
import { OPERATIONS } from '../../../src/areas.ts';
import { documentTest } from '../../support/documents.ts';

/** What only one of the two forms has, or has in a form of its own. */
const OWN = new Set(['manifest', 'links', 'surfaces', 'prices', 'limits', 'errors']);

documentTest('entry_full', async (service, _statuses, { json }) => {
  const { json: short } = await service.call('/entry');
  const shared = Object.keys(short).filter((name) => !OWN.has(name));
  assert.ok(shared.length > 10);
  for (const name of shared) assert.deepEqual(json[name], short[name], name);
  const shown = (json['surfaces'] as { operations: { operation_id: string; path: string }[] }[]).flatMap(
    ({ operations }) => operations,
  );
  assert.deepEqual(
    new Set(shown.map(({ operation_id, path }) => `${operation_id} ${path}`)),
    new Set(OPERATIONS.map(({ operationId, path }) => `${operationId} ${path}`)),
  );
  assert.ok((json['limits'] as object[]).length > 20);
});
