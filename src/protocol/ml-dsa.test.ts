import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { flipBit, refusesWrongTypes } from './_wrong-types.ts';
import { mlDsa44PrivateKeyFromSeed, mlDsa44PublicBytes, mlDsa44Sign, mlDsa44Verify } from './ml-dsa.ts';

const privateKey = mlDsa44PrivateKeyFromSeed(new Uint8Array(32).fill(8));
const publicKey = mlDsa44PublicBytes(createPublicKey(privateKey));
const message = Buffer.from('message');
const signature = mlDsa44Sign(privateKey, message);

test('FIPS 204: a seed gives one key of 1312 bytes, and its signatures of 2420 bytes verify', () => {
  const again = mlDsa44PublicBytes(createPublicKey(mlDsa44PrivateKeyFromSeed(new Uint8Array(32).fill(8))));
  assert.deepEqual([publicKey.length, signature.length, again], [1312, 2420, publicKey]);
  assert.notDeepEqual(mlDsa44Sign(privateKey, message), signature, 'hedged: no two are alike');
  assert.ok(mlDsa44Verify(publicKey, message, signature));
  const made = generateKeyPairSync('ml-dsa-44');
  assert.ok(mlDsa44Verify(mlDsa44PublicBytes(made.publicKey), message, mlDsa44Sign(made.privateKey, message)));
});

test('a changed bit of key, message or signature is refused', () => {
  for (let bit = 0; bit < message.length * 8; bit += 1) {
    assert.equal(mlDsa44Verify(publicKey, flipBit(message, bit), signature), false);
  }
  for (let bit = 0; bit < signature.length * 8; bit += 211) {
    assert.equal(mlDsa44Verify(publicKey, message, flipBit(signature, bit)), false);
  }
  for (let bit = 0; bit < publicKey.length * 8; bit += 211) {
    assert.equal(mlDsa44Verify(flipBit(publicKey, bit), message, signature), false);
  }
});

test('another length of key, signature or seed is refused', () => {
  const longer = (bytes: Uint8Array) => Buffer.concat([bytes, Uint8Array.of(0)]);
  for (const wrong of [publicKey.subarray(1), publicKey.subarray(0, 32), longer(publicKey), new Uint8Array(0)]) {
    assert.equal(mlDsa44Verify(wrong, message, signature), false);
  }
  for (const wrong of [signature.subarray(1), signature.subarray(0, 64), longer(signature), new Uint8Array(0)]) {
    assert.equal(mlDsa44Verify(publicKey, message, wrong), false);
  }
  for (const length of [0, 31, 33]) assert.throws(() => mlDsa44PrivateKeyFromSeed(new Uint8Array(length)), TypeError);
});

test('values of the wrong type are refused in every place', () => {
  refusesWrongTypes('nothing', (value) => mlDsa44PrivateKeyFromSeed(value));
  refusesWrongTypes('nothing', (value) => mlDsa44Verify(value, message, signature));
  refusesWrongTypes('nothing', (value) => mlDsa44Verify(publicKey, value, signature));
  refusesWrongTypes('nothing', (value) => mlDsa44Verify(publicKey, message, value));
  assert.equal(mlDsa44Verify('x'.repeat(1312) as never, message, signature), false);
});
