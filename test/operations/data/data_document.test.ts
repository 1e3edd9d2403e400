import { expectProblem } from '../../support/client.ts';
import { testDataOperation } from './data-operations.ts';

testDataOperation('data_document', {
  path: '/api/data/documents',
  good: [`?id=${encodeURIComponent('docs:docs/coordination.md#work-keys')}`],
  bad: { '?id=': ['id'] },
  async more(service, saw) {
    expectProblem(saw(await service.call('/api/data/documents?id=docs:none')), 404, 'document_not_found');
  },
});
