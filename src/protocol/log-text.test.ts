import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { refusesWrongTypes } from './_wrong-types.ts';
import { isHash, logInteger, parseBase64, parseDecimal, parseHash, readText, textBytes, toBase64 } from './log-text.ts';
import { ProtocolError } from './protocol-error.ts';

test('decimals have no leading zero, no sign and at most 63 bits', () => {
  fc.assert(fc.property(fc.bigInt(0n, 2n ** 63n - 1n), (value) => assert.equal(parseDecimal(String(value)), value)));
  for (const text of [
    '',
    '00',
    '01',
    '+1',
    '-1',
    '1 ',
    ' 1',
    '1\n',
    '1.0',
    '1e3',
    '0x1',
    '9223372036854775808',
    '1'.repeat(400),
  ]) {
    assert.equal(parseDecimal(text), undefined, text.slice(0, 30));
  }
});

test('an integer is exact or nothing', () => {
  assert.deepEqual([0, 2 ** 53 - 1, 0n, 2n ** 63n - 1n].map(logInteger), [0n, 2n ** 53n - 1n, 0n, 2n ** 63n - 1n]);
  for (const value of [
    -1,
    0.5,
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1n,
    2n ** 63n,
    '1',
    null,
    undefined,
    {},
  ]) {
    assert.equal(logInteger(value), undefined);
  }
});

test('RFC 4648 section 4: base64 is read in its one spelling only', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      assert.equal(toBase64(bytes), text);
      assert.deepEqual(parseBase64(text), Buffer.from(bytes));
      assert.equal(isHash(parseHash(text)), bytes.length === 32);
    }),
  );
  for (const text of [
    'A',
    'AA',
    'AAA',
    'AA=',
    'AB==',
    'AA==\n',
    ' AA==',
    'AA==AAAA',
    'AA-_',
    'A===',
    '====',
    'AA\u0141A',
  ]) {
    assert.equal(parseBase64(text), undefined, text);
  }
});

test('a part of a larger buffer is written as that part', () => {
  assert.equal(toBase64(Buffer.from('xxabcxx').subarray(2, 5)), 'YWJj');
});

test('text is well-formed Unicode within its bound, from bytes and from strings alike', () => {
  for (const text of ['', 'a\n', '\ufeffö😀', '\ufffd']) {
    assert.equal(readText(text, 20, 'note_malformed'), text);
    assert.equal(readText(Buffer.from(text), 20, 'note_malformed'), text);
  }
  for (const input of [
    '\ud800',
    'a\udc00',
    Uint8Array.of(0xff),
    Uint8Array.of(0xc0, 0x80),
    Uint8Array.of(0xed, 0xa0, 0x80),
    'x'.repeat(21),
    new Uint8Array(21),
  ]) {
    assert.throws(() => readText(input, 20, 'note_malformed'), { name: 'ProtocolError', code: 'note_malformed' });
  }
  assert.throws(() => textBytes('\ud800'), ProtocolError);
  refusesWrongTypes('nothing', (value) =>
    typeof value === 'object' && Object(value) instanceof Uint8Array
      ? false
      : typeof value === 'string'
        ? false
        : readText(value, 20, 'note_malformed'),
  );
  refusesWrongTypes('text', (value) => textBytes(value));
});
