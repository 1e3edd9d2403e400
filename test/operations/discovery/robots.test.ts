import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('robots', (_service, _statuses, { text, headers }) => {
  for (const path of ['/v1/claim', '/v1/release', '/v1/mark', '/v1/brief', '/cabinet', '/dashboard', '/mcp/']) {
    assert.ok(text.includes(`Disallow: ${path}\n`), path);
  }
  assert.equal(headers['cache-control'], 'public, max-age=86400');
});
