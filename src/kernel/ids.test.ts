import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import {
  apiKeyForm,
  type ByteSource,
  hmacSha256Hex,
  newApiKey,
  newCommandId,
  newId,
  leaseId,
  newLeaseSalt,
  newToken,
  randomBytes,
  randomUnit,
  sameHash,
  sha256Hex,
  tokenHash,
} from './ids.ts';

const zeros: ByteSource = (count) => new Uint8Array(count);
const ones: ByteSource = (count) => new Uint8Array(count).fill(255);
const counting: ByteSource = (count) => Uint8Array.from({ length: count }, (_, i) => i);

test('an id is its prefix and 26 Crockford base32 digits of one 128-bit number', () => {
  assert.equal(newId('tsk_', zeros), 'tsk_00000000000000000000000000');
  assert.equal(newId('tsk_', ones), 'tsk_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  assert.equal(newId('plt_', counting), 'plt_00041061050r3gg28a1c60t3gf');
  assert.match(newId('hold_'), /^hold_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

test('a verification id is written in upper case', () => {
  assert.equal(newId('AMH-', counting), 'AMH-00041061050R3GG28A1C60T3GF');
});

test('the digits of an id are the number that its 16 bytes are', () => {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  const property = fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
    const digits = newId('ord_', () => bytes).slice(4);
    const value = digits.split('').reduce((sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)), 0n);
    assert.equal(value, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
  });
  fc.assert(property);
});

test('a lease id is L and 12 base64url characters, a command id has 22, a token 43', () => {
  assert.equal(newLeaseSalt(counting), 'AAEC');
  assert.equal(leaseId(90_214, 'AAEC'), 'LAAAAAWBmAAEC');
  assert.match(leaseId(2 ** 48 - 1, newLeaseSalt()), /^L[A-Za-z0-9_-]{12}$/);
  assert.equal(newCommandId(counting), 'AAECAwQFBgcICQoLDA0ODw');
  assert.equal(newToken(counting), 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8');
  assert.match(newToken(), /^[A-Za-z0-9_-]{43}$/);
});

test('random bytes of any count are never handed out twice and the caller owns them', () => {
  const seen = new Set<string>();
  for (let i = 0; i < 2000; i++) seen.add(newToken());
  assert.equal(seen.size, 2000);
  const first = randomBytes(16);
  const copy = Uint8Array.from(first);
  randomBytes(16).fill(0);
  assert.deepEqual(first, copy);
  assert.equal(first.buffer.byteLength, 16, 'a view of the pool would show the bytes of others');
  assert.deepEqual(
    [0, 1, 4095, 4096, 4097, 100_000].map((count) => randomBytes(count).length),
    [0, 1, 4095, 4096, 4097, 100_000],
  );
});

test('every byte value of the pool is drawn about as often as the others', () => {
  const counts = new Uint32Array(256);
  for (let i = 0; i < 8000; i++) for (const byte of randomBytes(32)) counts[byte]! += 1;
  // 1,000 expected, standard deviation 32: eight deviations either way.
  assert.ok(counts.every((n) => n > 740 && n < 1260));
});

test('a random unit is at least 0 and below 1', () => {
  assert.equal(randomUnit(zeros), 0);
  assert.ok(randomUnit(ones) < 1);
  assert.notEqual(randomUnit(), randomUnit());
});

test('keys of known bytes have the published text', () => {
  assert.equal(newApiKey('agk_', zeros), `agk_${'A'.repeat(43)}irvl7M`);
  assert.equal(newApiKey('amhk_', zeros), `amhk_${'A'.repeat(43)}8Qnz6p`);
  assert.equal(newApiKey('amhm_', zeros), `amhm_${'A'.repeat(43)}K4gQJi`);
  assert.equal(newApiKey('agk_', counting), 'agk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8PtEd2o');
});

test('every new key has the right form', () => {
  for (const prefix of ['agk_', 'amhk_', 'amhm_'] as const) assert.equal(apiKeyForm(newApiKey(prefix)), 'ok');
});

test('a key with a wrong prefix, length, character or checksum is malformed', () => {
  const key = newApiKey('agk_', counting);
  const wrong = ['', 'agk_', key.slice(0, -1), `${key}A`, ` ${key}`, `${key}\n`, key.replace('agk_', 'amhk_')];
  wrong.push(key.replace('agk_', 'AGK_'), key.replace('agk_', ''), key.replace('AAEC', 'AA+C'), `${key.slice(0, -1)}p`);
  for (const text of wrong) assert.equal(apiKeyForm(text), 'malformed', JSON.stringify(text));
});

test('one changed character of a key is always noticed', () => {
  const key = newApiKey('amhm_', counting);
  const property = fc.property(
    fc.nat(key.length - 1),
    fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_'),
    (at, letter) => {
      const changed = key.slice(0, at) + letter + key.slice(at + 1);
      assert.equal(apiKeyForm(changed), changed === key ? 'ok' : 'malformed');
    },
  );
  fc.assert(property);
});

test('hashes have their published values', () => {
  assert.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(tokenHash('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  // RFC 4231, test case 2.
  assert.equal(
    hmacSha256Hex(Buffer.from('Jefe'), 'what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('hashes are the same only when every character is', () => {
  assert.ok(sameHash(tokenHash('a'), tokenHash('a')));
  assert.ok(!sameHash(tokenHash('a'), tokenHash('b')));
  assert.ok(!sameHash(tokenHash('a'), ''));
  assert.ok(!sameHash('ab', 'é'), 'equal numbers of bytes, different text');
  assert.ok(!sameHash('abc', 'é'), 'different numbers of bytes');
});
