import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { keccak256 as reference } from 'viem';
import { refusesWrongTypes } from '../_wrong-types.ts';
import { hexOf } from './hex.ts';
import { keccak256 } from './keccak.ts';

test('nothing hashes to the empty hash that Ethereum writes everywhere', () => {
  const hash = hexOf(keccak256(new Uint8Array(0)));
  assert.equal(hash, '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
});

test('every length around the block size hashes as in viem', () => {
  for (let length = 0; length <= 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7 + length);
    assert.equal(hexOf(keccak256(bytes)), reference(bytes), `length ${length}`);
  }
});

test('any bytes hash as in viem', () => {
  const bytes = fc.uint8Array({ maxLength: 2000 });
  fc.assert(fc.property(bytes, (value) => hexOf(keccak256(value)) === reference(value)));
});

test('only bytes are hashed', () => {
  refusesWrongTypes('bytes', (value: never) => keccak256(value));
});
