import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { suite, test } from 'node:test';
import fc from '#properties';
import { ed25519KeyId, ed25519PublicBytes, ed25519Sign, ed25519Verify } from './ed25519.ts';

interface Vector {
  readonly name: string;
  readonly seed: string;
  readonly publicKey: string;
  readonly message: string;
  readonly signature: string;
}

/** RFC 8032 section 7.1. */
const RFC8032_VECTORS: readonly Vector[] = [
  {
    name: 'TEST 1',
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    name: 'TEST 2',
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    name: 'TEST 3',
    seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
];

const RFC8410_PKCS8_PREFIX = '302e020100300506032b657004220420';

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

function privateKeyOf(seed: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(RFC8410_PKCS8_PREFIX + seed, 'hex'), format: 'der', type: 'pkcs8' });
}

for (const { name, seed, publicKey, message, signature } of RFC8032_VECTORS) {
  suite(`RFC 8032 ${name}`, () => {
    const privateKey = privateKeyOf(seed);
    const parts = { publicKey: bytes(publicKey), message: bytes(message), signature: bytes(signature) };
    const verify = (changed: Partial<typeof parts>) => {
      const used = { ...parts, ...changed };
      return ed25519Verify(used.publicKey, used.message, used.signature);
    };

    test('the public key, the signature and the verdict are those of the standard', () => {
      assert.deepEqual(Buffer.from(ed25519PublicBytes(createPublicKey(privateKey))).toString('hex'), publicKey);
      assert.equal(Buffer.from(ed25519Sign(privateKey, parts.message)).toString('hex'), signature);
      assert.equal(verify({}), true);
    });

    for (const part of ['publicKey', 'message', 'signature'] as const) {
      test(`every change of one bit of the ${part} is refused`, () => {
        for (let bit = 0; bit < parts[part].length * 8; bit += 1) {
          const changed = Uint8Array.from(parts[part]);
          changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          assert.equal(verify({ [part]: changed }), false, `bit ${bit}`);
        }
      });
    }

    for (const [part, length] of [
      ['publicKey', 32],
      ['signature', 64],
    ] as const) {
      test(`a ${part} of any other length than ${length} bytes is refused`, () => {
        for (let other = 0; other <= 2 * length; other += 1) {
          if (other === length) continue;
          const changed = new Uint8Array(other);
          changed.set(parts[part].subarray(0, other));
          assert.equal(verify({ [part]: changed }), false, `${other} bytes`);
        }
      });
    }

    test('a longer or shorter message is refused', () => {
      assert.equal(verify({ message: bytes(`${message}00`) }), false);
      if (message !== '') assert.equal(verify({ message: bytes(message.slice(2)) }), false);
    });
  });
}

test('what one key signed is never accepted for another', () => {
  for (const signer of RFC8032_VECTORS) {
    for (const other of RFC8032_VECTORS) {
      const isOwn = signer === other;
      assert.equal(ed25519Verify(bytes(other.publicKey), bytes(signer.message), bytes(signer.signature)), isOwn);
    }
  }
});

test('every message that was signed is accepted, and by its own bytes only', () => {
  const [{ seed, publicKey } = assert.fail()] = RFC8032_VECTORS;
  const privateKey = privateKeyOf(seed);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.uint8Array({ maxLength: 2_000 }), (message, other) => {
      const signature = ed25519Sign(privateKey, message);
      assert.equal(signature.length, 64);
      assert.equal(ed25519Verify(bytes(publicKey), message, signature), true);
      assert.equal(ed25519Verify(bytes(publicKey), other, signature), Buffer.compare(message, other) === 0);
    }),
  );
});

test('random bytes are never a signature, and never an exception', () => {
  const block = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  fc.assert(
    fc.property(block(32), fc.uint8Array(), block(64), (publicKey, message, signature) => {
      assert.equal(ed25519Verify(publicKey, message, signature), false);
    }),
  );
});

test('a value that is no byte array is never accepted in any place', () => {
  const [{ publicKey, message, signature } = assert.fail()] = RFC8032_VECTORS;
  const right = [bytes(publicKey), bytes(message), bytes(signature)];
  const wrong: unknown[] = [
    publicKey,
    'x'.repeat(32),
    'x'.repeat(64),
    { length: 32 },
    { length: 64 },
    [...bytes(publicKey)],
    7,
    null,
  ];
  for (let place = 0; place < right.length; place += 1) {
    for (const value of wrong) {
      let accepted: unknown = false;
      try {
        accepted = Reflect.apply(ed25519Verify, undefined, right.with(place, value as Uint8Array));
      } catch (error) {
        assert.ok(error instanceof TypeError, String(error));
      }
      assert.equal(accepted, false, `place ${place}: ${JSON.stringify(value)}`);
    }
  }
});

test('a key is named by the first 8 bytes of the SHA-256 of its raw public key, in hex', () => {
  for (const { publicKey } of RFC8032_VECTORS) {
    assert.equal(ed25519KeyId(bytes(publicKey)), hash('sha256', bytes(publicKey), 'hex').slice(0, 16));
  }
  assert.equal(ed25519KeyId(bytes(RFC8032_VECTORS[0]?.publicKey ?? '')), '21fe31dfa154a261');
});
