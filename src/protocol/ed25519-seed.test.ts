import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { refusesWrongTypes } from './_wrong-types.ts';
import { ed25519PrivateKeyFromSeed, ed25519PublicBytes } from './ed25519.ts';

test('RFC 8032 section 7.1 TEST 2: a seed of 32 bytes gives its key', () => {
  const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
  const publicKey = ed25519PublicBytes(createPublicKey(ed25519PrivateKeyFromSeed(seed)));
  assert.equal(
    Buffer.from(publicKey).toString('hex'),
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  );
});

test('anything but 32 bytes is no seed', () => {
  for (const length of [0, 31, 33, 64])
    assert.throws(() => ed25519PrivateKeyFromSeed(new Uint8Array(length)), TypeError);
  refusesWrongTypes('nothing', (value) => ed25519PrivateKeyFromSeed(value));
});
