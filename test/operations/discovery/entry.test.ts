import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../../src/areas.ts';
import { documentTest } from '../../support/documents.ts';
import { sharedService } from '../../support/shared-service.ts';

const MAX_BYTES = 8_192;

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

test('the entry is short in every form that programs read, and names the surfaces, the prices and where the rest stands', async () => {
  const service = await sharedService();
  const { json, text } = await service.call('/entry');
  const markdown = await service.call('/entry.md');
  for (const form of [text, markdown.text]) {
    assert.ok(Buffer.byteLength(form) < MAX_BYTES, `${Buffer.byteLength(form)} bytes`);
  }
  const full = (await service.call('/entry/full')).json;
  type Surface = Record<'id' | 'title' | 'what' | 'auth', unknown>;
  const shown = (full['surfaces'] as Surface[]).map(({ id, title, what, auth }) => ({ id, title, what, auth }));
  assert.deepEqual(json['surfaces'], shown);
  const priced = OPERATIONS.filter(({ price, walletPrice }) => price !== null || walletPrice !== undefined);
  assert.deepEqual(
    (json['prices'] as { operation_id: string; amount: string }[]).map((row) => `${row.operation_id} ${row.amount}`),
    priced.map(({ operationId, price, walletPrice }) => `${operationId} ${price?.usdc ?? walletPrice?.eur}`),
  );
  const links = json['links'] as Record<string, string>;
  assert.equal(links['full'], `${service.url}/entry/full`);
  assert.equal(links['onboarding'], `${service.url}/agent-discovery/onboarding`);
  for (const link of Object.values(links)) {
    assert.equal((await service.call(link.slice(service.url.length))).status, 200, link);
  }
});
