import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('ai_catalog', async (service, _statuses, { json, headers }) => {
  assert.equal(headers['content-type'], 'application/ai-catalog+json');
  const [{ url, type }] = json['entries'] as [{ url: string; type: string }];
  const card = await service.call(url.slice(service.url.length));
  assert.equal(card.headers['content-type'], type);
});
