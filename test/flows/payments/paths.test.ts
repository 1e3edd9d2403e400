import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { OPERATIONS } from '../../../src/areas.ts';
import { PaidService } from '../../support/paid-service.ts';

const REQUESTS = 3_000;
const AT_ONCE = 64;
const PATHS = OPERATIONS.filter(({ price }) => price !== null).map(({ path }) => path);

/** What has led other gates past their own door. */
const TRICKS: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path}/..`,
  (path) => `/v1/..${path}`,
  (path) => `/./${path.slice(1)}`,
  (path) => `/x/..${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1', '/V1'),
  (path) => path.replace('/v1/', '/v1%2f'),
  (path) => path.replace('/v1/', '/v1%2F'),
  (path) => path.replace('/v1/', '/v1%252f'),
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/v1\\'),
  (path) => path.replace('-', '%2d'),
  (path) => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path};a=b`,
  (path) => `${path}%3f`,
  (path) => `${path}.json`,
  (path) => `${path}%23`,
  (path) => `http://other.example${path}`,
  (path) => path,
];
const QUERIES = ['', '?', '?amount_usd=1', '?system=a', '?budget_period_usd=10', '?_method=GET', '?x-http-method=get'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'PROPFIND', 'QUERY'];
const HEADERS: readonly Record<string, string>[] = [
  {},
  { 'x-http-method-override': 'GET' },
  { 'x-original-url': '/v1/check', 'x-rewrite-url': '/v1/check' },
  { 'x-forwarded-prefix': '/v1' },
  { 'payment-response': 'e30=' },
  { authorization: 'Bearer paid' },
  { 'payment-signature': 'e30=' },
  { 'idempotency-key': 'a-key-that-nobody-has-used' },
];

test('no spelling of a path, method or header reaches a paid handler without a payment', async (t) => {
  await using paid = await PaidService.start();
  const variant = fc.record({
    path: fc.constantFrom(...PATHS),
    tricks: fc.array(fc.constantFrom(...TRICKS), { minLength: 1, maxLength: 3 }),
    query: fc.constantFrom(...QUERIES),
    method: fc.constantFrom(...METHODS),
    headers: fc.constantFrom(...HEADERS),
  });
  const seed = Date.now() % 2 ** 31;
  t.diagnostic(`seed ${seed}`);
  const variants = fc.sample(variant, { numRuns: REQUESTS, seed });
  const seen = new Map<number, number>();
  for (let from = 0; from < variants.length; from += AT_ONCE) {
    const batch = variants.slice(from, from + AT_ONCE).map(async ({ path, tricks, query, method, headers }) => {
      const tricked = tricks.reduce((text, trick) => trick(text), path);
      // Anything else is no request at all, and HTTP clients trip over the answer to it.
      const spelt = `${/^(?:\/|http:)/.test(tricked) ? '' : '/'}${tricked}${query}`;
      const answer = await paid.call(spelt, headers, method);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      const isPreflight = method === 'OPTIONS' && answer.status === 204;
      assert.ok(isPreflight || (answer.status >= 400 && answer.status < 500), `${method} ${spelt}: ${answer.status}`);
    });
    await Promise.all(batch);
  }
  t.diagnostic([...seen].map(([status, count]) => `${status}: ${count}`).join(', '));
  assert.ok((seen.get(402) ?? 0) > REQUESTS / 100, 'the gate itself was met');
  assert.deepEqual([paid.chain.settleCalls, await paid.states()], [0, []]);
});
