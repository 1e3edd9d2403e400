import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from '#properties';
import { refusesWrongTypes } from './_wrong-types.ts';
import { formatCheckpoint, parseCheckpoint, signCheckpoint, verifyCheckpoint } from './checkpoint.ts';
import { checkpointVerifier, ed25519Cosigner, mlDsa44Cosigner } from './cosignature.ts';
import { ed25519PrivateKeyFromSeed } from './ed25519.ts';
import { mlDsa44PrivateKeyFromSeed } from './ml-dsa.ts';
import { ed25519NoteSigner, formatSignatureLine, type NoteVerifier } from './note.ts';
import { isKeyName, type NoteKey } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';

const NOW = 1_800_000_000;
const origin = 'log.example/astralock';
const root = new Uint8Array(32).fill(3);
const checkpoint = { origin, size: 70_000, root };
const text = formatCheckpoint(checkpoint);
const log = ed25519NoteSigner(origin, ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(1)));
const witness = ed25519Cosigner('witness.example/w', ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(2)));
const quantum = mlDsa44Cosigner(origin, mlDsa44PrivateKeyFromSeed(new Uint8Array(32).fill(4)));
const signed = signCheckpoint(checkpoint, [log]);
const cosignature = formatSignatureLine(witness.cosign(text, NOW));
const verifiers = (...keys: readonly { readonly key: NoteKey }[]): NoteVerifier[] =>
  keys.map(({ key }) => checkpointVerifier(key, NOW));

suite('C2SP tlog-checkpoint, text', () => {
  test('three lines: origin, size, root', () => {
    assert.equal(text, `${origin}\n70000\n${Buffer.from(root).toString('base64')}\n`);
    assert.deepEqual(parseCheckpoint(text), { origin, size: 70_000n, root: Buffer.from(root) });
    assert.equal(formatCheckpoint({ origin, size: 0, root }).split('\n')[1], '0');
  });

  test('every checkpoint that is written is read again', () => {
    const anyOrigin = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }).filter(isKeyName);
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(anyOrigin, fc.bigInt(0n, 2n ** 63n - 1n), hash, (name, size, value) => {
        const written = { origin: name, size, root: Buffer.from(value) };
        assert.deepEqual(parseCheckpoint(formatCheckpoint(written)), written);
      }),
    );
  });

  test('an origin that is no address is read, for clients must not assume one', () => {
    const [, ...rest] = text.split('\n');
    assert.equal(parseCheckpoint(['a log + its name', ...rest].join('\n')).origin, 'a log + its name');
  });

  test('missing, further, empty and malformed lines are refused', () => {
    const [name, size, hash] = text.split('\n') as [string, string, string];
    for (const lines of [
      [size, hash, ''],
      [name, hash, ''],
      [name, size, ''],
      [name, size, hash],
      [name, size, hash, 'extension', ''],
      [name, size, hash, '', ''],
      ['', name, size, hash, ''],
      ['', size, hash, ''],
      [name, '', hash, ''],
      [name, '070000', hash, ''],
      [name, '+70000', hash, ''],
      [name, '-1', hash, ''],
      [name, '7e4', hash, ''],
      [name, ' 70000', hash, ''],
      [name, '٧', hash, ''],
      [name, '9223372036854775808', hash, ''],
      [name, '99999999999999999999', hash, ''],
      [name, size, hash.slice(4), ''],
      [name, size, `${hash}AAAA`, ''],
      [name, size, hash.replace(/=$/, ''), ''],
      [name, size, Buffer.alloc(33).toString('base64'), ''],
      [name, size, `${hash} `, ''],
      [`${name}\r`, `${size}\r`, `${hash}\r`, ''],
    ]) {
      assert.throws(() => parseCheckpoint(lines.join('\n')), { code: 'checkpoint_malformed' }, lines.join('|'));
    }
    assert.throws(() => parseCheckpoint(`${'x'.repeat(5_000)}${text}`), { code: 'checkpoint_malformed' });
  });

  test('random text is refused by the one error', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.uint8Array(), fc.stringMatching(/^[a-z]+\n[0-9]+\n[A-Za-z0-9+/=]{40,48}\n$/)),
        (input) => {
          try {
            assert.equal(formatCheckpoint(parseCheckpoint(input)), input);
          } catch (error) {
            assert.ok(error instanceof ProtocolError, String(error));
          }
        },
      ),
    );
  });

  test('an origin that is no key name, a size beyond 2^63-1 and a short root are not signed', () => {
    for (const change of [
      { origin: 'a log' },
      { origin: '' },
      { size: 2n ** 63n },
      { size: 0.5 },
      { root: root.subarray(1) },
    ]) {
      assert.throws(() => signCheckpoint({ ...checkpoint, ...change }, [log]), { code: 'argument_invalid' });
    }
    assert.throws(() => signCheckpoint(checkpoint, []), { code: 'note_malformed' });
  });
});

suite('C2SP tlog-checkpoint, signatures', () => {
  test('the same checkpoint always gets the same bytes', () => {
    assert.equal(signCheckpoint(checkpoint, [log]), signed);
  });

  test('signatures stand in any order: log first, witness first, several', () => {
    const logLine = signed.slice(text.length + 1);
    for (const note of [
      `${signed}${cosignature}`,
      `${text}\n${cosignature}${logLine}`,
      `${signed}${logLine}${cosignature}`,
    ]) {
      const { verified } = verifyCheckpoint(note, verifiers(log, witness));
      assert.deepEqual(verified.map(({ key }) => key.name).toSorted(), [origin, 'witness.example/w']);
    }
  });

  test('of two cosignatures by one key the first counts, and its time', () => {
    const later = formatSignatureLine(witness.cosign(text, NOW + 5));
    const { verified } = verifyCheckpoint(`${signed}${cosignature}${later}`, verifiers(log, witness));
    assert.deepEqual(
      verified.map(({ timeSeconds }) => timeSeconds),
      [null, BigInt(NOW)],
    );
  });

  test('the ML-DSA-44 line of the log counts as a signature of the log', () => {
    const note = `${text}\n${formatSignatureLine(quantum.cosign(text, NOW))}`;
    assert.equal(verifyCheckpoint(note, verifiers(quantum)).checkpoint.size, 70_000n);
  });

  test('cosignatures alone do not make a checkpoint of the log', () => {
    assert.throws(() => verifyCheckpoint(`${text}\n${cosignature}`, verifiers(witness)), { code: 'origin_unsigned' });
    assert.throws(() => verifyCheckpoint(`${signed}${cosignature}`, verifiers(witness)), { code: 'origin_unsigned' });
  });

  test('a key of another log does not sign for this origin', () => {
    const stranger = ed25519NoteSigner('stranger.example', ed25519PrivateKeyFromSeed(new Uint8Array(32).fill(5)));
    const note = signCheckpoint(checkpoint, [stranger]);
    assert.throws(() => verifyCheckpoint(note, verifiers(stranger)), { code: 'origin_unsigned' });
    assert.throws(() => verifyCheckpoint(note, verifiers(log)), { code: 'signature_missing' });
  });

  test('a signed note that is no checkpoint is refused', () => {
    const extended = `${text}extension\n`;
    const note = `${extended}\n${formatSignatureLine(log.sign(extended))}`;
    assert.throws(() => verifyCheckpoint(note, verifiers(log)), { code: 'checkpoint_malformed' });
  });
});

test('values of the wrong type are refused in every place', () => {
  refusesWrongTypes('nothing', (value) => parseCheckpoint(value));
  refusesWrongTypes('nothing', (value) => formatCheckpoint(value));
  refusesWrongTypes('text', (value) => formatCheckpoint({ ...checkpoint, origin: value }));
  refusesWrongTypes('integer', (value) => formatCheckpoint({ ...checkpoint, size: value }));
  refusesWrongTypes('nothing', (value) => formatCheckpoint({ ...checkpoint, root: value }));
  refusesWrongTypes('nothing', (value) => signCheckpoint(checkpoint, value));
  refusesWrongTypes('nothing', (value) => verifyCheckpoint(value, verifiers(log)));
  refusesWrongTypes('nothing', (value) => verifyCheckpoint(signed, value));
});
