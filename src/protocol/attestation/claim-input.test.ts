import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { claimFaults, parseClaimBody, valueFaults } from './claim-input.ts';
import { schemaById } from './schemas.ts';

const faultsOf = (body: string | Uint8Array) => parseClaimBody(body).faults.map(({ pointer, code }) => [pointer, code]);
const statement = (value: string) => `{"claim":{"statement":${value}}}`;
const AT = '#/claim/statement';

const BODIES: readonly (readonly [why: string, body: string | Uint8Array, faults: readonly (readonly string[])[]])[] = [
  ['plain', statement('"x"'), []],
  ['the largest exact integer', statement('9007199254740991'), []],
  ['the smallest exact integer', statement('-9007199254740991'), []],
  ['an integer that JSON.parse rounds', statement('9007199254740993'), [[AT, 'number_not_exact']]],
  ['2^53, which is exact but shares its value', statement('9007199254740992'), [[AT, 'number_not_exact']]],
  ['a large negative integer', statement('-9007199254740993'), [[AT, 'number_not_exact']]],
  ['a large integer with an exponent', statement('1e20'), [[AT, 'number_not_exact']]],
  ['a large integer with a point', statement('9007199254740993.0'), [[AT, 'number_not_exact']]],
  ['a number beyond all doubles', statement('1e400'), [[AT, 'number_not_exact']]],
  ['a fraction that is lost', statement('12999.00000000000000001'), [[AT, 'number_not_exact']]],
  ['a fraction lost at the edge', statement('9007199254740990.9'), [[AT, 'number_not_exact']]],
  ['a number that vanishes', statement('1e-400'), [[AT, 'number_not_exact']]],
  ['an integer written with a point', statement('12999.0'), []],
  ['an integer written with exponents', statement('[1e3,120e-1,1.5e1,0e9,-0]'), []],
  ['a fraction', statement('0.1'), []],
  ['large digits inside a text', statement('"9007199254740993"'), []],
  ['lone surrogate, high', statement('"\\ud800"'), [[AT, 'lone_surrogate']]],
  ['lone surrogate, low', statement('"a\\udc00b"'), [[AT, 'lone_surrogate']]],
  ['a pair is a character', statement('"\\ud83d\\ude00"'), []],
  ['lone surrogate in a name', '{"claim":{"\\udfff":1}}', [['#/claim/%EF%BF%BD', 'lone_surrogate']]],
  ['__proto__', '{"claim":{"__proto__":{"x":1}}}', [['#/claim/__proto__', 'forbidden_name']]],
  ['__proto__ by escapes', '{"\\u005f_proto__":1}', [['#/__proto__', 'forbidden_name']]],
  ['__proto__ deep inside', '{"a":[{"__proto__":1}]}', [['#/a/0/__proto__', 'forbidden_name']]],
  ['the name constructor is a name', '{"constructor":1,"toString":2}', []],
  ['a name that is given twice', '{"a":2,"b":1,"a":2}', [['#/a', 'repeated']]],
  ['a name that is given twice, deep inside and by escapes', '{"c":[{"a":2,"\\u0061":3}]}', [['#/c/0/a', 'repeated']]],
  ['32 levels', `${'['.repeat(32)}1${']'.repeat(32)}`, []],
  ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, [[`#${'/0'.repeat(32)}`, 'nested_too_deep']]],
  ['names are escaped in pointers', '{"a/b~c d":"\\ud800"}', [['#/a~1b~0c%20d', 'lone_surrogate']]],
  ['not JSON', '{', [['#', 'malformed_json']]],
  ['empty', '', [['#', 'malformed_json']]],
  ['NaN', '[NaN]', [['#', 'malformed_json']]],
  ['leading zero', '[01]', [['#', 'malformed_json']]],
  ['bytes', Buffer.from('{"a":"é"}'), []],
  ['bytes that are not UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), [['#', 'malformed_json']]],
  ['a surrogate in UTF-8 bytes', Buffer.from('7b2261223a22eda080227d', 'hex'), [['#', 'malformed_json']]],
  ['a byte order mark', Buffer.from('efbbbf7b7d', 'hex'), [['#', 'malformed_json']]],
];

for (const [why, body, faults] of BODIES) {
  test(`body: ${why}`, () => assert.deepEqual(faultsOf(body), faults));
}

test('all faults of a body are named at once', () => {
  const body = '{"claim":{"a":"\\ud800","b":[1e20,{"__proto__":9007199254740993}]}}';
  assert.deepEqual(faultsOf(body), [
    ['#/claim/a', 'lone_surrogate'],
    ['#/claim/b/0', 'number_not_exact'],
    ['#/claim/b/1/__proto__', 'forbidden_name'],
    ['#/claim/b/1/__proto__', 'number_not_exact'],
  ]);
});

test('a body of many faults is answered by twenty, one nested without end by one', () => {
  assert.equal(parseClaimBody(`[${'1e20,'.repeat(5000)}1]`).faults.length, 20);
  assert.deepEqual(faultsOf('['.repeat(100_000) + ']'.repeat(100_000))[0]?.[1], 'nested_too_deep');
});

test('a parsed value is the one of JSON.parse, and exact integers are never refused', () => {
  fc.assert(
    fc.property(fc.json(), fc.maxSafeInteger(), (json, integer) => {
      const text = `[${json},${integer}]`;
      const parsed = parseClaimBody(text);
      assert.deepEqual(parsed.ok && parsed.value, JSON.parse(text));
      assert.ok(parsed.faults.every(({ pointer }) => pointer !== '#/1'));
    }),
  );
});

test('every integer beyond 2^53-1 is refused', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }), fc.boolean(), (size, isNegative) => {
      assert.deepEqual(faultsOf(String(isNegative ? -size : size)), [['#', 'number_not_exact']]);
    }),
  );
});

test('values that are no JSON are faults of a value that did not come as text', () => {
  const value = { a: undefined, b: 10n, c: Number.NaN, d: [() => 0] };
  const codes = valueFaults(value, '#/claim').map(({ pointer, code }) => [pointer, code]);
  assert.deepEqual(codes, [
    ['#/claim/a', 'wrong_type'],
    ['#/claim/b', 'wrong_type'],
    ['#/claim/c', 'number_not_exact'],
    ['#/claim/d/0', 'wrong_type'],
  ]);
});

const ID = `ATT-${'A'.repeat(52)}`;
const HANDSHAKE = { phase: 'verify', verify_ref: 'AMH-1', platform_id: 'plt_1' };
const SNAPSHOT = { sources: [{ source: 'kvk', query: '11998877' }] };
const STATE = { case_id: 'c', to_state: 'working', evidence: 'e' };

type Expected = readonly (readonly [pointer: string, code: string])[];
const CLAIMS: readonly (readonly [schemaId: string, claim: unknown, faults: Expected])[] = [
  ['record.integrity.v1', undefined, [['', 'missing']]],
  ['record.integrity.v1', null, [['', 'wrong_type']]],
  ['record.integrity.v1', [], [['', 'wrong_type']]],
  ['record.integrity.v1', 'x', [['', 'wrong_type']]],
  ['record.integrity.v1', {}, []],
  ['record.integrity.v1', { statement: 5, evidence_digests: null }, []],
  [
    'record.integrity.v1',
    { statement: 'x', Statement: 'x', y: 1 },
    [
      ['/Statement', 'unknown_parameter'],
      ['/y', 'unknown_parameter'],
    ],
  ],
  ['record.integrity.v1', { statement: 'x', toString: 'x' }, [['/toString', 'unknown_parameter']]],
  ['vat.vies.v1', { country_code: 4, vat_number: [] }, []],
  ['vat.vies.v1', { country: 'NL' }, [['/country', 'unknown_parameter']]],
  ['kvk.liveness.v1', { kvk_number: 12345678 }, []],
  ['amh.handshake.v1', { phase: 1, verify_ref: {}, platform_id: null }, []],
  ['amh.handshake.v1', { ...HANDSHAKE, mandate_id: 5 }, [['/mandate_id', 'wrong_type']]],
  ['amh.handshake.v1', { ...HANDSHAKE, action: 'order.place', outcome: 'placed', amount_cents: -5, ok: false }, []],
  ['amh.handshake.v1', { ...HANDSHAKE, action: 'order.steal' }, [['/action', 'not_allowed']]],
  ['amh.handshake.v1', { ...HANDSHAKE, action: null }, [['/action', 'wrong_type']]],
  ['amh.handshake.v1', { ...HANDSHAKE, outcome: 'PLACED' }, [['/outcome', 'not_allowed']]],
  ['amh.handshake.v1', { ...HANDSHAKE, amount_cents: 12.5 }, [['/amount_cents', 'not_an_integer']]],
  ['amh.handshake.v1', { ...HANDSHAKE, amount_cents: '12' }, [['/amount_cents', 'wrong_type']]],
  ['amh.handshake.v1', { ...HANDSHAKE, amount_cents: 2 ** 53 }, [['/amount_cents', 'number_not_exact']]],
  [
    'amh.handshake.v1',
    { ...HANDSHAKE, ok: 'true', reason: 1 },
    [
      ['/ok', 'wrong_type'],
      ['/reason', 'wrong_type'],
    ],
  ],
  ['amh.handshake.v1', { phase: 'cancel', currency: 978 }, [['/currency', 'wrong_type']]],
  ['registry.snapshot.v1', { sources: 'kvk' }, []],
  ['registry.snapshot.v1', { sources: [5, null, {}, []] }, []],
  ['registry.snapshot.v1', { ...SNAPSHOT, purpose: 'p', follows_up: ID }, []],
  ['registry.snapshot.v1', { ...SNAPSHOT, purpose: 1 }, [['/purpose', 'wrong_type']]],
  ['registry.snapshot.v1', { ...SNAPSHOT, follows_up: 7 }, [['/follows_up', 'wrong_type']]],
  ['registry.snapshot.v1', { ...SNAPSHOT, follows_up: 'ATT-1' }, [['/follows_up', 'wrong_format']]],
  ['registry.snapshot.v1', { sources: [{ source: 'kvk', q: 1 }] }, [['/sources/0/q', 'unknown_parameter']]],
  ['protocol.statement.v1', { statement: 's', corrects_attestation_id: ID }, []],
  [
    'protocol.statement.v1',
    { statement: 's', corrects_attestation_id: null },
    [['/corrects_attestation_id', 'wrong_type']],
  ],
  ['protocol.key.declaration.v1', { public_key: 'k', superseded_by: 5 }, [['/superseded_by', 'wrong_type']]],
  ['coordination.state.v1', { ...STATE, from_state: 'submitted', aweri_states: ['\u{1F600}'.repeat(64)] }, []],
  ['coordination.state.v1', { ...STATE, from_state: 'asleep' }, [['/from_state', 'not_allowed']]],
  ['coordination.state.v1', { ...STATE, aweri_states: 'x' }, [['/aweri_states', 'wrong_type']]],
  ['coordination.state.v1', { ...STATE, aweri_states: Array(33).fill('x') }, [['/aweri_states', 'too_long']]],
  [
    'coordination.state.v1',
    { ...STATE, aweri_states: ['x'.repeat(65), 1] },
    [
      ['/aweri_states/0', 'too_long'],
      ['/aweri_states/1', 'wrong_type'],
    ],
  ],
];

for (const [i, [schemaId, claim, expected]] of CLAIMS.entries()) {
  test(`claim ${i + 1} of ${schemaId}: ${expected.length === 0 ? 'no fault' : expected.map((one) => one.join(' ')).join(', ')}`, () => {
    const schema = schemaById(schemaId);
    assert.ok(schema !== undefined);
    const faults = claimFaults(schema, claim);
    assert.deepEqual(
      faults.map(({ pointer, code }) => [pointer, code]),
      expected.map(([pointer, code]) => [`#/claim${pointer}`, code]),
    );
    assert.ok(faults.every(({ detail }) => detail.length > 0));
  });
}
