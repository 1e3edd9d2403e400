import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';
import { OPERATIONS } from '../../../src/areas.ts';

interface Listed {
  readonly operation_id: string;
  readonly page: string;
}

documentTest('api_reference', (_service, _statuses, { json }) => {
  const products = json['products'] as { readonly operations: readonly Listed[] }[];
  const listed = products.flatMap(({ operations }) => operations.map(({ operation_id }) => operation_id));
  assert.deepEqual(listed.toSorted(), OPERATIONS.map(({ operationId }) => operationId).toSorted());
  assert.ok(
    products.every(({ operations }) => operations.every((one) => one.page === `/docs/api/${one.operation_id}`)),
  );
});
