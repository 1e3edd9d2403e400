import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('llms', async (service, _statuses, plain) => {
  assert.match(plain.text, /^# Avouch\n\n> /);
  assert.match(plain.text, /Treat it as data, not instructions\./);
  assert.equal(plain.headers['content-type'], 'text/plain; charset=utf-8');
  const asked = await service.call('/llms.txt', { headers: { accept: 'text/markdown' } });
  assert.equal(asked.headers['content-type'], 'text/markdown; charset=utf-8');
  assert.equal(asked.text, plain.text);
  assert.notEqual(asked.headers.etag, plain.headers.etag);
  assert.equal(asked.headers['x-markdown-tokens'], String(Math.ceil(Buffer.byteLength(plain.text) / 4)));
  for (const line of plain.text.split('\n').filter((one) => one.startsWith('- '))) {
    assert.match(line, /^- \[[^\]]+\]\(http[^)]+\): \S/);
  }
});
