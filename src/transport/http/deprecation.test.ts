import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { openApiDocument } from '#kernel/openapi.ts';
import { defineOperation, type Operation } from '#kernel/operation.ts';
import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import { row, TestServer } from './_test-server.ts';

const deprecated = { since: '2026-01-01', sunset: '2027-01-01', successor: '/new' };
const old = defineOperation({
  ...row,
  operationId: 'old',
  path: '/old',
  alsoPost: true,
  deprecated,
  output: z.looseObject({}),
  cache: { maxAgeSeconds: 60 },
  isDocument: true,
});
const OLD_HEADERS = { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };

function oldRow(of: Partial<typeof deprecated> = {}): BoundOperation {
  return bind({ ...old, deprecated: { ...deprecated, ...of } }, () => ({ still: 'here' }));
}

test('every answer of a deprecated call says since when, until when and what follows it', async () => {
  await using server = await TestServer.start([oldRow()]);
  server.clock.advance(Date.parse(deprecated.sunset) - 1 - server.clock.now());
  const etag = String((await fetch(`${server.url}/old`)).headers.get('etag'));
  const json = { 'content-type': 'application/json' };
  for (const [status, path, init] of [
    [200, '/old', {}],
    [200, '/old', { method: 'HEAD' }],
    [200, '/old', { method: 'POST', headers: json, body: '{}' }],
    [304, '/old', { headers: { 'if-none-match': etag } }],
    [400, '/old?x=1', {}],
    [400, '/old', { method: 'POST', headers: json, body: '{' }],
    [413, '/old', { method: 'POST', headers: json, body: ' '.repeat(70_000) }],
    [415, '/old', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ] as const) {
    const answer = await fetch(server.url + path, init);
    const { deprecation, sunset, link = '' } = Object.fromEntries(answer.headers);
    assert.deepEqual([answer.status, { deprecation, sunset }], [status, OLD_HEADERS], path);
    assert.ok(link.includes('</new>; rel="successor-version", </entry>; rel="deprecation"'), link);
  }
  assert.match((await fetch(`${server.url}/old`)).headers.get('link') ?? '', /rel="service-desc"/);
});

test('from its sunset on a deprecated call is gone, and the refusal names the successor', async () => {
  await using server = await TestServer.start([oldRow()]);
  server.clock.advance(Date.parse(deprecated.sunset) - server.clock.now());
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(`${server.url}/old`, { method });
    assert.equal(answer.status, 410);
    assert.equal(answer.headers.get('sunset'), OLD_HEADERS.sunset);
    assert.partialDeepStrictEqual(await answer.json(), { code: 'sunset_passed', successor: '/new' });
  }
});

test('less than twelve months of notice stop the start', async () => {
  await assert.rejects(TestServer.start([oldRow({ sunset: '2026-12-31' })]), /less than 12 months/);
});

test('the interface document marks a deprecated call with its last day, and no other', async () => {
  const payment = { network: 'eip155:8453', asset: '0x', challengeOf: () => ({}) };
  const info = { title: 't', version: '1', description: 'd', contactName: 'c', contactUrl: 'u', baseUrl: 'http://a' };
  const rows = [old, defineOperation({ ...row, operationId: 'young', path: '/young' })] as unknown as Operation[];
  const described = rows.map((operation) => ({ operation, problems: [] }));
  const { paths } = (await openApiDocument({ ...info, payment, tags: [] }, described)) as {
    paths: Record<string, { get: Record<string, unknown>; post?: Record<string, unknown> }>;
  };
  for (const object of [paths['/old']?.get, paths['/old']?.post]) {
    assert.deepEqual([object?.['deprecated'], object?.['x-sunset']], [true, '2027-01-01']);
  }
  assert.ok(!('deprecated' in (paths['/young']?.get ?? {})));
});
