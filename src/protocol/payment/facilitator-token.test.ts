import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { suite, test } from 'node:test';
import { importJWK, jwtVerify } from 'jose';
import { sha256Hex } from '#kernel/ids.ts';
import { facilitatorSecret, facilitatorToken } from './facilitator-token.ts';

/** The seed of RFC 8032, test 1, and its public key. */
const SECRET = 'nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2DXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg==';
const KEY_ID = '11111111-2222-3333-4444-555555555555';
const CALL = {
  method: 'POST',
  url: 'https://api.cdp.coinbase.com/platform/v2/x402/settle',
  nonce: '000102030405060708090a0b0c0d0e0f',
  nowSeconds: 1_794_700_800,
} as const;

function keyOf(secret: string) {
  return { keyId: KEY_ID, privateKey: facilitatorSecret(secret) ?? assert.fail('not a secret') };
}

suite('a token for a facilitator', () => {
  test('equals the vector byte for byte', () => {
    const token = facilitatorToken(keyOf(SECRET), CALL);
    assert.equal(token.length, 469);
    assert.equal(sha256Hex(token), '683c49ce2f5db26b830b87834d7dd056d043722ac0ce891b3f454a751bdc99f8');
    const signature = '5Qg8oIWWD43zvOtmoWAwi-1amw0HbF6h7zzjvT4ZsqAhQXXPHBGDJU_0DZ0Pv_mDkHakRLw3xwVQX5HEMGHvDw';
    assert.equal(token.split('.')[2], signature);
  });

  const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  for (const [alg, secret] of [
    ['EdDSA', SECRET],
    ['ES256', pem],
  ] as const) {
    test(`is verified by jose with ${alg}, for two minutes, and not with one changed character`, async () => {
      const key = keyOf(secret);
      const token = facilitatorToken(key, CALL);
      const publicKey = await importJWK(createPublicKey(key.privateKey).export({ format: 'jwk' }), alg);
      const verify = (text: string, afterSeconds: number) =>
        jwtVerify(text, publicKey, {
          algorithms: [alg],
          issuer: 'cdp',
          subject: KEY_ID,
          currentDate: new Date((CALL.nowSeconds + afterSeconds) * 1000),
        });
      const { payload, protectedHeader } = await verify(token, 119);
      assert.deepEqual(payload['uris'], ['POST api.cdp.coinbase.com/platform/v2/x402/settle']);
      assert.deepEqual({ ...protectedHeader }, { alg, kid: KEY_ID, typ: 'JWT', nonce: CALL.nonce });
      assert.equal('aud' in payload, false);
      await assert.rejects(verify(token, 120), { code: 'ERR_JWT_EXPIRED' });
      await assert.rejects(verify(token, -1), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
      const at = token.indexOf('.') + 5;
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      await assert.rejects(verify(changed, 1));
    });
  }
});

test('a secret is 64 bytes whose halves belong together, or a P-256 key in PEM', () => {
  const pemOf = (namedCurve: string) =>
    generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const bytes = Buffer.from(SECRET, 'base64');
  const wrong = [
    '',
    'secret',
    bytes.subarray(0, 32).toString('base64'),
    bytes.toString('hex'),
    bytes.with(63, (bytes[63] ?? 0) ^ 1).toString(),
    Buffer.from(bytes.with(63, (bytes[63] ?? 0) ^ 1)).toString('base64'),
    pemOf('secp384r1'),
    pemOf('P-256').replace('A', '!'),
  ];
  for (const text of wrong) assert.equal(facilitatorSecret(text), undefined, text.slice(0, 40));
  assert.equal(facilitatorSecret(pemOf('P-256'))?.asymmetricKeyType, 'ec');
});
