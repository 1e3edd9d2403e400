import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackHost } from './loopback.ts';

const OWN = 'localhost 127.0.0.1 127.255.0.9 ::1 [::1] 0:0:0:0:0:0:0:1'.split(' ');
const OTHERS =
  '0.0.0.0 :: 128.0.0.1 [::2] ::ffff:127.0.0.1 localhost.example.nl [localhost] 127.0.0.1.nl 127.0.0.01 127.1'.split(
    ' ',
  );

test('this machine goes by its name and its addresses, with or without brackets, and nothing else is it', () => {
  assert.deepEqual(OWN.filter(isLoopbackHost), OWN);
  assert.deepEqual(['', ...OTHERS].filter(isLoopbackHost), []);
});
