import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';
import { expectProblem } from '../../support/client.ts';

documentTest(
  'docs_page',
  async (service, statuses, { json }) => {
    const markdown = await service.call('/docs/coordination.md');
    assert.deepEqual([markdown.text, markdown.headers['content-type']], [json['text'], 'text/markdown; charset=utf-8']);
    for (const name of ['nothing', '..', '..%2fREADME', 'constructor']) {
      expectProblem(statuses.saw(await service.call(`/docs/${name}`)), 404, 'unknown_page');
    }
  },
  '/docs/coordination',
);
