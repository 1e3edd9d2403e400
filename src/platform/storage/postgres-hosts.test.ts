import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostUrls } from './postgres-hosts.ts';

const SPLIT: readonly (readonly [string, readonly string[]])[] = [
  ['postgres://one/db', ['postgres://one/db']],
  ['postgresql://u:p,w@one:1/db?x=a,b', ['postgresql://u:p,w@one:1/db?x=a,b']],
  ['postgres://u@/db?host=/run/pg', ['postgres://u@/db?host=/run/pg']],
  [
    'postgres://u:p@one:1,two:2,[::1]:3/db?x=1',
    ['one:1', 'two:2', '[::1]:3'].map((host) => `postgres://u:p@${host}/db?x=1`),
  ],
];

test('an address with several hosts is one address for each, and every other one stays as it is', () => {
  for (const [url, expected] of SPLIT) assert.deepEqual(hostUrls(url), expected);
});
