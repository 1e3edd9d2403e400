import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostUrls, withOptions } from './postgres-hosts.ts';

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

test('options in the address are sent before ours, which then hold, and the rest of the address stays', () => {
  const ours = '-c synchronous_commit=on';
  for (const url of ['postgres://one/db', 'postgres://u@/db?host=/run/pg'])
    assert.deepEqual(withOptions(url, ours), { connectionString: url, options: ours });
  const given = 'postgres://u@/db?host=/run/pg&options=-c%20search_path%3Da%20-c+jit%3Don';
  const { connectionString, options } = withOptions(given, ours);
  assert.equal(options, `-c search_path=a -c jit=on ${ours}`);
  assert.deepEqual(new URL(connectionString.replace('@', '@x')).searchParams.get('host'), '/run/pg');
});
