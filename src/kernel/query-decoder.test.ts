import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { z } from 'zod';
import { decode, MalformedQueryError, numericFields, parseQuery, textToNumbers } from './query-decoder.ts';

const Input = z.strictObject({
  amount_usd: z.number().max(1_000_000),
  ttl: z.int().min(30).max(3_600).default(600),
  hops: z.int().optional(),
  mode: z.enum(['shared', 'once']).optional(),
  note: z.string().min(2).max(8).optional(),
});
const NUMERIC = numericFields(Input);

/** A query as an operation decodes it: the input, or the pointer and code of every fault. */
function decoded(query: string): unknown {
  const raw = parseQuery(query);
  textToNumbers(raw, NUMERIC);
  const outcome = decode(Input, raw);
  return outcome.ok ? outcome.input : outcome.errors.map(({ pointer, code }) => `${pointer} ${code}`);
}

for (const text of [
  '',
  '0x10',
  'Infinity',
  'NaN',
  '1e3',
  '%207%20',
  '%2B5',
  '+5',
  '.5',
  '5.',
  '007',
  '-',
  '1,5',
  '1_0',
  '٣',
]) {
  test(`amount_usd=${text} is no number`, () => {
    assert.deepEqual(decoded(`amount_usd=${text}`), ['#/amount_usd not_a_number']);
  });
}

for (const [text, number] of [
  ['0', 0],
  ['12', 12],
  ['-3', -3],
  ['0.002', 0.002],
  ['-0.5', -0.5],
  ['10.50', 10.5],
] as const) {
  test(`amount_usd=${text} is the number ${number}`, () => {
    assert.deepEqual(decoded(`amount_usd=${text}`), { amount_usd: number, ttl: 600 });
  });
}

const REFUSED: readonly (readonly [what: string, query: string, faults: readonly string[]])[] = [
  ['a fraction for an integer', 'amount_usd=1&ttl=60.5', ['#/ttl not_an_integer']],
  ['a parameter given twice', 'amount_usd=1&amount_usd=2', ['#/amount_usd repeated']],
  ['a parameter given three times', 'amount_usd=1&amount_usd=1&amount_usd=1', ['#/amount_usd repeated']],
  ['an unknown name', 'amount_usd=1&colour=red', ['#/colour unknown_parameter']],
  ['__proto__', 'amount_usd=1&__proto__=1', ['#/__proto__ unknown_parameter']],
  ['__proto__ twice', 'amount_usd=1&__proto__=1&__proto__=2', ['#/__proto__ unknown_parameter']],
  ['constructor', 'amount_usd=1&constructor=1', ['#/constructor unknown_parameter']],
  ['an empty name', 'amount_usd=1&=x', ['#/ unknown_parameter']],
  ['a missing parameter', '', ['#/amount_usd missing']],
  ['a number above the bound', 'amount_usd=1000000.5', ['#/amount_usd too_large']],
  ['a number below the bound', 'amount_usd=1&ttl=-3', ['#/ttl too_small']],
  ['an integer beyond 2^53', 'amount_usd=1&hops=9007199254740993', ['#/hops too_large']],
  ['a number beyond any double', `amount_usd=${'9'.repeat(400)}`, ['#/amount_usd not_a_number']],
  ['a word that is not in the list', 'amount_usd=1&mode=Once', ['#/mode not_allowed']],
  ['a text that is too short', 'amount_usd=1&note=x', ['#/note too_short']],
  ['a text that is too long', 'amount_usd=1&note=123456789', ['#/note too_long']],
  [
    'every fault at once',
    'ttl=x&colour=1&note=1',
    ['#/amount_usd missing', '#/ttl not_a_number', '#/note too_short', '#/colour unknown_parameter'],
  ],
];
for (const [what, query, faults] of REFUSED) {
  test(`${what} is refused by its pointer and code`, () => assert.deepEqual(decoded(query), faults));
}

test('only fields of a number type are turned into numbers, also where they have a default or may be absent', () => {
  assert.deepEqual([...NUMERIC], ['amount_usd', 'ttl', 'hops']);
  assert.deepEqual(decoded('amount_usd=1&note=12'), { amount_usd: 1, ttl: 600, note: '12' });
});

test('a plus and %20 are a space, %2B is a plus, and a name without = has the empty text', () => {
  assert.deepEqual({ ...parseQuery('a=x+y%20z%2B&b&c=&&d=e=f') }, { a: 'x y z+', b: '', c: '', d: 'e=f' });
});

for (const query of ['a=%', 'a=%zz', '%E4=1', 'a=%ED%A0%80', 'a=%C0%80', 'a=%FF']) {
  test(`the escape in ${query} is malformed, and nothing is guessed in its place`, () => {
    assert.throws(() => parseQuery(query), MalformedQueryError);
  });
}

test('a query of 256 parameters is read and one more is malformed', () => {
  assert.equal(Object.keys(parseQuery(Array.from({ length: 256 }, (_, n) => `n${n}`).join('&'))).length, 256);
  assert.throws(() => parseQuery(Array.from({ length: 257 }, (_, n) => `n${n}`).join('&')), MalformedQueryError);
});

test('of very many faults the first twenty are told', () => {
  const members = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`n${n}`, 1]));
  const outcome = decode(Input, { amount_usd: 1, ...members });
  assert.equal(outcome.ok ? 0 : outcome.errors.length, 20);
});

test('a pointer escapes what a JSON pointer and a URI fragment must, and cuts a long name', () => {
  const raw = { amount_usd: 1, 'a/b~c d': 1, ['\ud800']: 1, ['n'.repeat(200)]: 1 };
  const outcome = decode(Input, raw);
  const pointers = outcome.ok ? [] : outcome.errors.map(({ pointer }) => pointer);
  assert.deepEqual(pointers, ['#/a~1b~0c%20d', '#/%EF%BF%BD', `#/${'n'.repeat(80)}`]);
});

test('rules between fields are told by their own code, once each field is right', () => {
  const Pair = z.strictObject({ low: z.int(), high: z.int() }).refine(({ low, high }) => low <= high, {
    path: ['high'],
    message: 'must not be below low',
    params: { code: 'order' },
  });
  const faults = (raw: Record<string, unknown>) => {
    const outcome = decode(Pair, raw);
    return outcome.ok ? [] : outcome.errors;
  };
  assert.deepEqual(faults({ low: 2, high: 1 }), [
    { pointer: '#/high', code: 'order', detail: 'must not be below low' },
  ]);
  assert.deepEqual(
    faults({ low: 2, high: 'x' }).map(({ code }) => code),
    ['not_a_number'],
  );
});

test('a JSON value of the wrong type is told as such', () => {
  const faults = ([null, true, {}, 'x', ['ab', 'cd']] as const).map((note) => {
    const outcome = decode(Input, { amount_usd: 1, note });
    return outcome.ok ? 'ok' : outcome.errors.map(({ code }) => code).join();
  });
  assert.deepEqual(faults, ['wrong_type', 'wrong_type', 'wrong_type', 'too_short', 'repeated']);
});

const anyText = fc.string({
  unit: fc.constantFrom('a', '=', '&', '+', '%', ' ', 'é', '\u{1f600}', '\0', '__proto__', '#'),
});

test('property: what is escaped by the rules comes back as it was', () => {
  const pairs = fc.uniqueArray(fc.tuple(anyText, anyText), { selector: ([name]) => name, maxLength: 8 });
  fc.assert(
    fc.property(pairs, (given) => {
      const query = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
      assert.deepEqual(new Map(Object.entries(parseQuery(query))), new Map(given));
    }),
  );
});

test('property: a text becomes a number only if it is the number in plain decimal digits', () => {
  const text = fc.oneof(
    fc.double().map(String),
    fc.integer().map(String),
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789.-+ex')) }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const raw = { amount_usd: given };
      textToNumbers(raw, NUMERIC);
      const isPlain = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(given);
      assert.equal(raw.amount_usd, isPlain ? Number(given) : given);
    }),
  );
});

test('property: no query makes an object that has members of its prototype or loses a name', () => {
  fc.assert(
    fc.property(anyText, (query) => {
      let pairs: Record<string, unknown>;
      try {
        pairs = parseQuery(query);
      } catch (error) {
        assert.ok(error instanceof MalformedQueryError);
        return;
      }
      for (const name of ['toString', 'constructor', 'hasOwnProperty']) assert.equal(pairs[name], undefined);
      const names = query
        .split('&')
        .filter((part) => part !== '')
        .map((part) => part.split('=', 1)[0]);
      assert.equal(Object.keys(pairs).length <= names.length, true);
      assert.equal(Object.keys(pairs).length > 0, names.length > 0);
    }),
  );
});
