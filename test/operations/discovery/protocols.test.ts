import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('protocols', async (service, _statuses, { json }) => {
  const rows = json['protocols'] as { path: string; version: string }[];
  assert.ok(rows.length >= 7);
  for (const { path } of rows) {
    const page = await service.call(path, { headers: { accept: 'text/html' } });
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'], path);
  }
});
