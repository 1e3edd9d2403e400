import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { suite, test } from 'node:test';
import { flipBit, refusesWrongTypes } from './_wrong-types.ts';
import { formatCheckpoint } from './checkpoint.ts';
import {
  type Cosigner,
  checkpointVerifier,
  cosignatureV1Message,
  ed25519Cosigner,
  mlDsa44Cosigner,
  subtreeV1Message,
} from './cosignature.ts';
import { ed25519PrivateKeyFromSeed, ed25519Sign } from './ed25519.ts';
import { mlDsa44PrivateKeyFromSeed } from './ml-dsa.ts';
import { ed25519NoteSigner } from './note.ts';

const NOW = 1_800_000_000;
const seed = new Uint8Array(32).fill(6);
const origin = 'log.example/astralock';
const root = new Uint8Array(32).fill(3);
const text = formatCheckpoint({ origin, size: 9, root });
const statement = { cosignerName: 'w.example', timeSeconds: NOW, origin, start: 0, end: 9, root };

function judge({ key }: Cosigner, signature: Uint8Array, other: { text?: string; now?: number } = {}): string {
  return checkpointVerifier(key, other.now ?? NOW).verify(other.text ?? text, signature).result;
}

const cosigners = [
  ['Ed25519 cosignature/v1', ed25519Cosigner('w.example', ed25519PrivateKeyFromSeed(seed)), 72],
  ['ML-DSA-44 subtree/v1', mlDsa44Cosigner('w.example', mlDsa44PrivateKeyFromSeed(seed)), 2428],
] as const;

for (const [kind, cosigner, length] of cosigners) {
  suite(`C2SP tlog-cosignature, ${kind}`, () => {
    const { name, keyId, signature } = cosigner.cosign(text, NOW);

    test('a cosignature is eight bytes of time and the signature, and verifies with its time', () => {
      assert.deepEqual([name, keyId, signature.length], ['w.example', cosigner.key.keyId, length]);
      assert.equal(Buffer.from(signature).readBigUInt64BE(), BigInt(NOW));
      const verdict = checkpointVerifier(cosigner.key, NOW).verify(text, signature);
      assert.deepEqual(verdict, { result: 'good', timeSeconds: BigInt(NOW) });
    });

    test('another time, size, root or origin is refused', () => {
      for (let bit = 0; bit < 64; bit += 1)
        assert.equal(judge(cosigner, flipBit(signature, bit), { now: 2 ** 52 }), 'bad');
      for (const change of [{ size: 10 }, { root: flipBit(root, 0) }, { origin: 'log.example/astralocK' }]) {
        const changed = formatCheckpoint({ origin, size: 9, root, ...change });
        assert.equal(judge(cosigner, signature, { text: changed }), 'bad');
      }
      assert.equal(judge(cosigner, signature, { text: text.slice(0, -1) }), 'bad');
    });

    test('a changed bit of the signature and another length are refused', () => {
      const step = length > 100 ? 97 : 1;
      for (let bit = 64; bit < length * 8; bit += step) assert.equal(judge(cosigner, flipBit(signature, bit)), 'bad');
      for (const wrong of [0, 1, 7, 8, 9, length - 1])
        assert.equal(judge(cosigner, signature.subarray(0, wrong)), 'bad');
      assert.equal(judge(cosigner, Buffer.concat([signature, Uint8Array.of(0)])), 'bad');
    });

    test('up to 60 seconds ahead is accepted, more is neither good nor forged', () => {
      assert.equal(judge(cosigner, signature, { now: NOW - 60 }), 'good');
      assert.equal(judge(cosigner, signature, { now: NOW - 61 }), 'future');
      const changed = flipBit(signature, length * 8 - 100);
      assert.equal(judge(cosigner, changed, { now: NOW - 61 }), 'bad', 'a forgery is one at any time');
    });

    test('a cosignature has a time, and of a checkpoint only', () => {
      assert.throws(() => cosigner.cosign(text, 0), { code: 'argument_invalid' });
      assert.throws(() => cosigner.cosign(text, 2n ** 63n), { code: 'argument_invalid' });
      assert.throws(() => cosigner.cosign('not a checkpoint\n', NOW), { code: 'checkpoint_malformed' });
      assert.equal(judge(cosigner, Buffer.concat([Buffer.alloc(8), signature.subarray(8)])), 'bad');
    });

    test('values of the wrong type are refused in every place', () => {
      refusesWrongTypes('nothing', (value) => cosigner.cosign(value, NOW));
      refusesWrongTypes('integer', (value) => cosigner.cosign(text, value));
      refusesWrongTypes('integer', (value) => checkpointVerifier(cosigner.key, value));
      const verifier = checkpointVerifier(cosigner.key, NOW);
      refusesWrongTypes('nothing', (value) => verifier.verify(value, signature).result !== 'bad');
      refusesWrongTypes('nothing', (value) => verifier.verify(text, value).result !== 'bad');
    });
  });
}

test('a cosignature of a checkpoint at time 0 is refused even where it is signed', () => {
  const signedAtZero = ed25519Sign(ed25519PrivateKeyFromSeed(seed), cosignatureV1Message(text, 0));
  assert.equal(judge(cosigners[0][1], Buffer.concat([Buffer.alloc(8), signedAtZero])), 'bad');
});

test('the name of an ML-DSA-44 cosigner is part of what it signs', () => {
  const other = mlDsa44Cosigner('v.example', mlDsa44PrivateKeyFromSeed(seed));
  assert.equal(judge(other, cosigners[1][1].cosign(text, NOW).signature), 'bad');
});

test('the message of a subtree is laid out as RFC 8446 writes structures', () => {
  const message = Buffer.from(subtreeV1Message(statement));
  assert.equal(message.length, 12 + 1 + 9 + 8 + 1 + 21 + 8 + 8 + 32);
  assert.equal(message.subarray(0, 12).toString('latin1'), 'subtree/v1\n\0');
  assert.equal(message.readBigUInt64BE(message.length - 40), 9n);
});

test('a subtree that does not start the log carries no time', () => {
  assert.throws(() => subtreeV1Message({ ...statement, start: 4 }), { code: 'argument_invalid' });
  assert.equal(subtreeV1Message({ ...statement, start: 4, end: 8, timeSeconds: 0 }).length, 100);
});

test('names of 0 and of 256 bytes have no place in the message', () => {
  for (const cosignerName of ['', 'x'.repeat(256), 'ö'.repeat(128)]) {
    assert.throws(() => subtreeV1Message({ ...statement, cosignerName }), { code: 'argument_invalid' });
  }
  assert.equal(subtreeV1Message({ ...statement, cosignerName: 'x'.repeat(255) }).length, 100 + 246);
  const longOrigin = formatCheckpoint({ origin: 'x'.repeat(300), size: 9, root });
  const quantum = cosigners[1][1];
  assert.equal(judge(quantum, quantum.cosign(text, NOW).signature, { text: longOrigin }), 'bad');
});

test('only a private key of the right kind becomes a signer', () => {
  const x25519 = generateKeyPairSync('x25519').privateKey;
  const ed25519 = generateKeyPairSync('ed25519');
  for (const make of [ed25519Cosigner, mlDsa44Cosigner, ed25519NoteSigner]) {
    assert.throws(() => make('w.example', x25519), { code: 'argument_invalid' });
    assert.throws(() => make('w.example', ed25519.publicKey), { code: 'argument_invalid' });
    refusesWrongTypes('nothing', (value) => make('w.example', value));
  }
  assert.throws(() => mlDsa44Cosigner('w.example', ed25519.privateKey), { code: 'argument_invalid' });
});

test('a key of a type that is not supported has no verifier', () => {
  const { key } = cosigners[0][1];
  assert.throws(() => checkpointVerifier({ ...key, type: 5 as 4 }, NOW), { code: 'key_type_unsupported' });
});

test('messages are made of texts, integers and hashes only', () => {
  refusesWrongTypes('text', (value) => cosignatureV1Message(value, NOW));
  refusesWrongTypes('integer', (value) => cosignatureV1Message(text, value));
  for (const member of ['cosignerName', 'origin']) {
    refusesWrongTypes('text', (value) => subtreeV1Message({ ...statement, [member]: value }));
  }
  for (const member of ['timeSeconds', 'end']) {
    refusesWrongTypes('integer', (value) => subtreeV1Message({ ...statement, [member]: value }));
  }
  refusesWrongTypes('nothing', (value) => subtreeV1Message({ ...statement, start: value }));
  refusesWrongTypes('nothing', (value) => subtreeV1Message({ ...statement, root: value }));
});
