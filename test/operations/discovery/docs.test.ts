import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('docs', async (service, _statuses, { json }) => {
  const pages = json['pages'] as { name: string; path: string; title: string }[];
  assert.ok(pages.some(({ name }) => name === 'coordination'));
  assert.ok(!pages.some(({ name }) => name === 'operations'), 'pages for operators are not for callers');
  for (const { path, title } of pages) {
    const { status, text } = await service.call(path, { headers: { accept: 'text/html' } });
    assert.equal(status, 200, path);
    assert.equal(text.match(/<h1>/g)?.length, 1, path);
    assert.doesNotMatch(text, /^\|/m, `${path} has a table that was not made one`);
    assert.ok(text.includes('<h1>') && title !== '', path);
  }
});
