import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { CanonicalJsonError, canonicalJson } from './canonical-json.ts';

function doubleOf(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE(0);
}

const RFC8785_APPENDIX_B: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

test('numbers are written as in RFC 8785 appendix B', () => {
  for (const [bits, text] of RFC8785_APPENDIX_B) assert.equal(canonicalJson(doubleOf(bits)), text, bits);
});

test('NaN and the infinities of RFC 8785 appendix B are refused', () => {
  for (const bits of ['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000']) {
    assert.throws(() => canonicalJson([doubleOf(bits)]), CanonicalJsonError);
  }
});

test('the sample of RFC 8785 section 3.2.2 is serialised as printed there', () => {
  const sample = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
    "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
  const expected =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`;
  assert.equal(canonicalJson(JSON.parse(sample)), expected);
});

test('keys are sorted by UTF-16 code units as in RFC 8785 section 3.2.3', () => {
  const sample = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const order = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  assert.deepEqual(
    canonicalJson(sample).match(/"[^"]+"(?=:)/g),
    order.map((name) => JSON.stringify(name)),
  );
});

test('control characters have the short escapes, else lower-case hexadecimal; nothing else is escaped', () => {
  assert.equal(canonicalJson('\b\t\n\f\r"\\'), String.raw`"\b\t\n\f\r\"\\"`);
  assert.equal(canonicalJson('\u0000\u001f\u007f\u2028/<é'), '"\\u0000\\u001f\u007f\u2028/<é"');
});

test('what is not JSON is refused, wherever it stands', () => {
  const wrong: unknown[] = [
    undefined,
    () => 1,
    Symbol('s'),
    1n,
    Number.NaN,
    new Date(0),
    new Map(),
    new Uint8Array(1),
    /x/,
  ];
  wrong.push('\ud800', 'a\udc00', Object.create({ a: 1 }), Object(1), Object('s'));
  for (const value of wrong) {
    for (const holder of [value, [value], { a: value }, [[{ a: [value] }]]]) {
      assert.throws(() => canonicalJson(holder), CanonicalJsonError, typeof value);
    }
  }
  assert.throws(() => canonicalJson({ '\ud800': 1 }), CanonicalJsonError);
  assert.throws(() => canonicalJson(Array(1)), CanonicalJsonError);
});

test('objects without a prototype and keys of any name are plain', () => {
  assert.equal(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 })), '{"a":2,"b":1}');
  assert.equal(
    canonicalJson(JSON.parse('{"toJSON":1,"__proto__":{"x":[]},"":{}}')),
    '{"":{},"__proto__":{"x":[]},"toJSON":1}',
  );
});

test('64 levels are written, the next one and a cycle are refused', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  assert.equal(canonicalJson(nested(64)), JSON.stringify(nested(64)));
  assert.throws(() => canonicalJson(nested(65)), /nested deeper than 64 levels/);
  const cycle: unknown[] = [];
  cycle.push({ cycle });
  assert.throws(() => canonicalJson(cycle), CanonicalJsonError);
});

const JSON_VALUE = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' });

/** The same value with the keys of every object in reverse. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(entries.toReversed());
}

test('canonical text is read back as the value that was written', () => {
  const property = fc.property(JSON_VALUE, (value) => {
    assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
  });
  fc.assert(property);
});

test('the canonical text of what canonical text says is that text', () => {
  const property = fc.property(JSON_VALUE, (value) => {
    const text = canonicalJson(value);
    assert.equal(canonicalJson(JSON.parse(text)), text);
  });
  fc.assert(property);
});

test('the order of keys makes no difference', () => {
  const property = fc.property(JSON_VALUE, (value) => {
    assert.equal(canonicalJson(reversed(value)), canonicalJson(value));
  });
  fc.assert(property);
});
