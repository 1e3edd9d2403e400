import assert from 'node:assert/strict';
import { documentTest } from '../../support/documents.ts';

documentTest('entry', async (service, _statuses, { json }) => {
  const calls = json['first_calls'] as { url: string; curl: string; expect: { status: number; fields: string[] } }[];
  assert.equal(calls.length, 3);
  for (const { url, curl, expect } of calls) {
    assert.equal(curl, `curl -s '${url}'`);
    const answer = await service.call(url.slice(service.url.length));
    assert.equal(answer.status, expect.status, url);
    for (const field of expect.fields) assert.ok(field in answer.json, `${url} ${field}`);
  }
  const { json: seal } = await service.call((calls[2] as { url: string }).url.slice(service.url.length));
  assert.deepEqual([seal['valid'], seal['seq']], [true, 0]);
});
