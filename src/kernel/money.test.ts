import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { formatMicro, mulDiv, parseMicro, type Rounding } from './money.ts';

test('decimal text becomes whole micro units', () => {
  const rows: readonly (readonly [string, number])[] = [
    ['0', 0],
    ['0.000001', 1],
    ['0.1', 100_000],
    ['12.50', 12_500_000],
    ['0.000000', 0],
    ['999999999.999999', 999_999_999_999_999],
    ['1.005', 1_005_000],
  ];
  for (const [text, micro] of rows) assert.equal(parseMicro(text), micro, text);
});

test('text that is not a plain decimal amount is refused', () => {
  const wrong = [
    '',
    ' ',
    '1 ',
    ' 1',
    '1\n',
    '-1',
    '+1',
    '-0',
    '.5',
    '5.',
    '01',
    '00',
    '1,5',
    '1e3',
    '0x1',
    '1.0000001',
  ];
  for (const text of [...wrong, '1000000000', 'NaN', 'Infinity', '1_000', '١', '１', '1.5.0', '$1']) {
    assert.equal(parseMicro(text), null, JSON.stringify(text));
  }
});

test('an amount is written in its shortest form', () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, '0'],
    [-0, '0'],
    [1, '0.000001'],
    [-1, '-0.000001'],
    [1_500_000, '1.5'],
    [10_000_000, '10'],
    [-12_340_000, '-12.34'],
    [Number.MAX_SAFE_INTEGER, '9007199254.740991'],
  ];
  for (const [micro, text] of rows) assert.equal(formatMicro(micro), text);
});

test('an amount that is not whole or not safe throws', () => {
  for (const bad of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => formatMicro(bad), RangeError);
    assert.throws(() => mulDiv(bad, 1, 1, 'down'), RangeError);
    assert.throws(() => mulDiv(1, bad, 1, 'down'), RangeError);
    assert.throws(() => mulDiv(1, 1, bad, 'down'), RangeError);
  }
  assert.throws(() => mulDiv(1, 1, 0, 'down'), RangeError);
  assert.throws(() => mulDiv(1, 1, -2, 'down'), RangeError);
  assert.throws(() => mulDiv(2 ** 52, 4, 1, 'down'), RangeError);
});

test('every amount is read back as it was written', () => {
  const property = fc.property(fc.nat({ max: 999_999_999_999_999 }), (micro) => {
    assert.equal(parseMicro(formatMicro(micro)), micro);
  });
  fc.assert(property);
});

test('rounding goes where it is told', () => {
  const rows: readonly (readonly [value: number, Rounding, expected: number])[] = [
    [24, 'up', 3],
    [24, 'down', 2],
    [25, 'half_up', 3],
    [25, 'half_even', 2],
    [35, 'half_even', 4],
    [26, 'half_even', 3],
    [24, 'half_up', 2],
    [20, 'up', 2],
    [-25, 'up', -2],
    [-25, 'down', -3],
    [-25, 'half_up', -2],
    [-25, 'half_even', -2],
    [-35, 'half_even', -4],
    [-4, 'up', 0],
  ];
  for (const [value, rounding, expected] of rows) assert.equal(mulDiv(value, 1, 10, rounding), expected);
});

test('a percentage is exact where floats are not', () => {
  assert.equal(mulDiv(Number.MAX_SAFE_INTEGER, 99, 100, 'down'), 8_917_127_262_193_581);
  assert.equal(mulDiv(1_005_000, 10, 1000, 'half_even'), 10_050);
});

const SAFE = fc.maxSafeInteger();
const SMALL = fc.integer({ min: -1_000_000, max: 1_000_000 });
const DENOMINATOR = fc.integer({ min: 1_000_000, max: Number.MAX_SAFE_INTEGER });

test('the rounded value is next to the exact one, on the side that was asked for', () => {
  const property = fc.property(SAFE, SMALL, DENOMINATOR, (value, numerator, denominator) => {
    const exact = BigInt(value) * BigInt(numerator);
    const error = (rounding: Rounding) =>
      BigInt(mulDiv(value, numerator, denominator, rounding)) * BigInt(denominator) - exact;
    const limit = BigInt(denominator);
    assert.ok(error('up') >= 0n && error('up') < limit);
    assert.ok(error('down') <= 0n && error('down') > -limit);
    for (const half of ['half_up', 'half_even'] as const) {
      assert.ok(2n * error(half) <= limit && 2n * error(half) >= -limit);
    }
  });
  fc.assert(property);
});
