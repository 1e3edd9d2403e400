import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApiKey, newToken } from '#kernel/ids.ts';
import { withoutSecrets } from './secret-shapes.ts';

test('what has the form of a secret is taken out, whatever stands around it', () => {
  const secrets = [
    newApiKey('agk_'),
    newApiKey('amhk_'),
    newToken(),
    'sk_test_FICTIONALFICTIONAL1',
    'ghp_FictionalFictionalFictional123456',
    'AKIAFICTIONAL1234567',
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln',
    `0x${'ab'.repeat(32)}`,
  ];
  for (const secret of secrets) {
    for (const text of [secret, `it used ${secret}, then failed`, `key=${secret}`]) {
      assert.ok(!withoutSecrets(text).includes(secret), text);
    }
  }
  assert.equal(withoutSecrets('password: hunter22 ok'), 'password: [redacted] ok');
  assert.equal(withoutSecrets('https://user:pass1@host/x'), 'https://[redacted]@host/x');
  assert.equal(withoutSecrets('Authorization: Bearer abc.def.ghi'), 'Authorization: Bearer [redacted]');
});

test('ordinary text, links and digests stay', () => {
  for (const text of [
    'Claim the key before you read the brief; the token of the lease was refused twice.',
    'see https://github.com/acme/repo/pull/13 and tsk_0123456789abcdefghjkmnpqrs',
    `sha256 ${'0a'.repeat(32)}`,
    'the password form was slow',
  ]) {
    assert.equal(withoutSecrets(text), text);
  }
});
