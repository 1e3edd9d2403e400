import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import fc from '#properties';
import { VECTOR_SETS } from './_vectors.ts';
import { refusesWrongTypes } from './_wrong-types.ts';
import { formatVkey, isKeyName, noteKey, noteKeyLabel, type NoteKeyType, parseVkey } from './note-key.ts';
import { ProtocolError } from './protocol-error.ts';

const publicKey = new Uint8Array(32).fill(9);
const key = noteKey('key.example/one', 1, publicKey);

test('a key id is the first four bytes of SHA-256 over name, newline, type and key', () => {
  const identity = Buffer.concat([Buffer.from('key.example/one\n\u0001'), publicKey]);
  assert.equal(key.keyId, hash('sha256', identity, 'hex').slice(0, 8));
  assert.notEqual(noteKey('key.example/one', 4, publicKey).keyId, key.keyId, 'the type makes another key');
  assert.equal(noteKeyLabel(key), `key.example/one+${key.keyId}`);
});

test('every key of every supported type and length is written and read again', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter(isKeyName);
  fc.assert(
    fc.property(
      name,
      fc.constantFrom(1, 4, 6),
      fc.uint8Array({ minLength: 1312, maxLength: 1312 }),
      (text, type, bytes) => {
        const made = noteKey(text, type, Buffer.from(type === 6 ? bytes : bytes.subarray(0, 32)));
        assert.deepEqual(parseVkey(formatVkey(made)), made);
        assert.deepEqual(parseVkey(Buffer.from(formatVkey(made))), made);
      },
    ),
  );
});

test('every proper substring and every one-byte change of a vkey is refused', () => {
  const keys = VECTOR_SETS.flatMap(({ vectors }) => [vectors.notes.one_signature.vkey, vectors.golden.witness_vkey]);
  for (const vkey of keys) {
    for (let begin = 0; begin <= vkey.length; begin += 1) {
      for (let end = begin; end <= vkey.length; end += 1) {
        if (end - begin < vkey.length) assert.throws(() => parseVkey(vkey.slice(begin, end)), ProtocolError);
      }
    }
    const bytes = Buffer.from(vkey);
    for (let at = 0; at < bytes.length; at += 1) {
      for (let value = 0; value < 256; value += 1) {
        if (value === bytes[at]) continue;
        const changed = Buffer.from(bytes);
        changed[at] = value;
        assert.throws(() => parseVkey(changed), ProtocolError, `byte ${at} became ${value}`);
      }
    }
  }
});

test('a key id that does not recompute, a type that is not known and a key of another length have their own codes', () => {
  const vkey = formatVkey(key);
  assert.throws(() => parseVkey(vkey.replace('one', 'two')), { code: 'key_id_mismatch' });
  assert.throws(() => noteKey('key.example/one', 2 as NoteKeyType, publicKey), { code: 'key_type_unsupported' });
  assert.throws(() => noteKey('key.example/one', 6, publicKey), { code: 'key_malformed' });
  assert.throws(() => parseVkey(`${'x'.repeat(5_000)}${vkey}`), { code: 'key_malformed' });
});

test('a key name has no Unicode space, no plus, no control character and is not empty', () => {
  for (const name of ['key.example', 'ключ', 'a\u2014b', '\ufeff', 'a\u007fb', '😀']) assert.ok(isKeyName(name), name);
  const spaces = [
    '\t',
    '\n',
    '\v',
    '\f',
    '\r',
    ' ',
    '\u0085',
    '\u00a0',
    '\u1680',
    '\u2000',
    '\u200a',
    '\u2028',
    '\u2029',
    '\u202f',
    '\u205f',
    '\u3000',
  ];
  for (const bad of [
    '',
    '+',
    'a+b',
    '\u0000',
    'a\u001f',
    '\ud800',
    ...spaces,
    ...spaces.map((space) => `a${space}b`),
  ]) {
    assert.equal(isKeyName(bad), false, JSON.stringify(bad));
    assert.throws(() => noteKey(bad, 1, publicKey), { code: 'key_malformed' });
  }
});

test('random text is never a key, and never another exception', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.uint8Array(), fc.stringMatching(/^[a-z]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/)),
      (text) => {
        assert.throws(() => parseVkey(text), ProtocolError);
      },
    ),
  );
});

test('values of the wrong type are refused in every place', () => {
  refusesWrongTypes('nothing', (value) => parseVkey(value));
  refusesWrongTypes('text', (value) => noteKey(value, 1, publicKey));
  refusesWrongTypes('nothing', (value) => noteKey('n', value, publicKey));
  refusesWrongTypes('nothing', (value) => noteKey('n', 1, value));
  refusesWrongTypes('text', (value) => isKeyName(value));
  refusesWrongTypes('nothing', (value) => formatVkey(value));
});
