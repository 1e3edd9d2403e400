import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalTexts, coveredSha256, signedPart, signedTexts } from './coverage.ts';

const ANSWER = { b: 1, 'a/b': ['x', { y: null }], 'a~1': 'two', 7: true, at: '2026-11-18T00:00:00.000Z' };

test('a whole answer is covered by the pointers of its members, and has the digest that a reader finds by them', () => {
  const { covers, result_sha256 } = signedPart(ANSWER);
  assert.deepEqual(covers, ['/7', '/b', '/a~1b', '/a~01', '/at']);
  assert.equal(coveredSha256(ANSWER, covers), result_sha256);
  assert.deepEqual(signedPart(ANSWER, covers), { covers, result_sha256 });
  assert.deepEqual(signedTexts(canonicalTexts(ANSWER)), { covers, result_sha256 });
});

test('an answer that lacks a member is not signed, as a whole or in part', () => {
  const lacking = { ...ANSWER, b: undefined };
  assert.throws(() => signedPart(lacking));
  assert.throws(() => signedPart(lacking, ['/b']));
  assert.equal(coveredSha256(lacking, ['/b']), undefined);
});
