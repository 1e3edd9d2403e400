import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSitePages } from './site-pages.ts';

const first = (q: string) => findSitePages(q)[0]?.path;

test('words that people use for a public page find it first', () => {
  assert.deepEqual(
    {
      redis: first('redis'),
      lease: first('lease'),
      leases: first('Leases'),
      pricing: first('pricing'),
      cost: first('how much does it cost'),
      start: first('get started'),
      connect: first('connect claude'),
      signIn: first('sign in'),
      signUp: first('sign up'),
      receipt: first('verify a receipt'),
      status: first('uptime'),
      mandates: first('mandate'),
    },
    {
      redis: '/product/coordination',
      lease: '/product/coordination',
      leases: '/product/coordination',
      pricing: '/pricing',
      cost: '/pricing',
      start: '/start',
      connect: '/mcp',
      signIn: '/dashboard',
      signUp: '/start',
      receipt: '/verify',
      status: '/system/status',
      mandates: '/product/mandates',
    },
  );
});

test('a page that only mentions a word is found if no page is about it', () => {
  assert.deepEqual(
    findSitePages('unnoticed').map(({ path }) => path),
    ['/product/proof'],
  );
  assert.ok(!findSitePages('verify').some(({ path }) => path === '/product/mcp'));
});

test('no page is found for words that none has, and none for small words alone', () => {
  assert.deepEqual(findSitePages('zzqx'), []);
  assert.deepEqual(findSitePages('lease zzqx'), []);
  assert.deepEqual(findSitePages('how to'), []);
  assert.deepEqual(findSitePages(''), []);
});
