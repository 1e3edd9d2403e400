import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decode } from 'cbor2';
import fc from 'fast-check';
import { type Cbor, CborTag, decodeCbor, encodeCbor } from './cbor.ts';

/** Of no meaning to cbor2, which turns others into dates and the like. */
const TAGS = fc.oneof(fc.constant(18), fc.integer({ min: 70_000, max: 80_000 }));
const { value: anyValue } = fc.letrec<{ value: Cbor }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.maxSafeInteger(),
    fc.integer({ min: -300, max: 70_000 }),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array({ maxLength: 300 }),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .uniqueArray(fc.tuple(fc.oneof(fc.integer(), fc.string()), tie('value')), {
        maxLength: 5,
        selector: ([key]) => key,
      })
      .map((members) => new Map(members)),
    fc.tuple(TAGS, tie('value')).map(([tag, value]) => new CborTag(tag, value)),
  ),
}));

const malformed = { name: 'ProtocolError', code: 'cbor_malformed' };

suite('CBOR', () => {
  test('is read back as it was written, in the one encoding that it has', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bytes = encodeCbor(value);
        assert.deepEqual(encodeCbor(decodeCbor(bytes)), bytes);
        assert.deepEqual(plain(decodeCbor(bytes)), plain(value));
      }),
      { numRuns: 300 },
    );
  });

  test('is what cbor2 reads', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        assert.deepEqual(plain(decode(encodeCbor(value), { preferMap: true })), plain(value));
      }),
      { numRuns: 200 },
    );
  });

  test('any bytes either are refused or are exactly what would be written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        let value: Cbor;
        try {
          value = decodeCbor(bytes);
        } catch (error) {
          assert.equal((error as { code?: unknown }).code, 'cbor_malformed');
          return;
        }
        assert.deepEqual(new Uint8Array(encodeCbor(value)), bytes);
      }),
      { numRuns: 1_000 },
    );
  });

  const REFUSED: Readonly<Record<string, string>> = {
    'nothing at all': '',
    'a number that could be shorter': '1817',
    'a number above 2^53': '1b0020000000000000',
    'a number below -2^53': '3b001fffffffffffff',
    'an indefinite length': '9fff',
    'a float': 'f93c00',
    'true and false': 'f5',
    'bytes that end too early': '5820aa',
    'a list longer than what follows': '9affffffff',
    'a key twice': 'a201000101',
    'keys out of order': 'a202000100',
    'a key that is a list': 'a18000',
    'text that is not UTF-8': '61ff',
    'bytes after the value': '0000',
    'too many levels': `${'81'.repeat(10)}00`,
  };
  for (const [what, bytes] of Object.entries(REFUSED)) {
    test(`${what} is refused`, () => {
      assert.throws(() => decodeCbor(Buffer.from(bytes, 'hex')), malformed);
    });
  }

  test('the largest and the smallest safe integer are read back', () => {
    for (const value of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      assert.equal(decodeCbor(encodeCbor(value)), value);
    }
  });

  test('what has no encoding is not written', () => {
    for (const value of [1.5, Number.NaN, 2 ** 53, undefined, true, {}, 3n]) {
      assert.throws(() => encodeCbor(value as Cbor), { code: 'argument_invalid' });
    }
    assert.throws(() => decodeCbor('00' as never), { code: 'argument_invalid' });
  });
});

/** Without the order in which a map was made, and what the two libraries name differently. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) {
    const members = [...value].map(([key, one]) => [`${typeof key} ${String(key)}`, plain(one)] as const);
    return { map: Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
  }
  if (typeof value === 'object' && value !== null && 'tag' in value) {
    const { tag } = value;
    return {
      tag: Number(tag),
      value: plain('value' in value ? value.value : (value as { contents?: unknown }).contents),
    };
  }
  return value;
}
