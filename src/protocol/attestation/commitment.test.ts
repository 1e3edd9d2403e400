import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import fc from '#properties';
import { leafHash, nodeHash } from '../merkle.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import { AttestationError } from './attestation-error.ts';
import { bundleRoot, commitClaim, commitObservations, commitValue, saltOf } from './commitment.ts';
import { checkDisclosure, disclose } from './disclosure.ts';
import type { FullObservation } from './observation.ts';

const SEED = new Uint8Array(32).fill(7);
const OTHER_SEED = new Uint8Array(32).fill(8);
const CLAIM = {
  statement: 'seven boxes',
  evidence_digests: ['ab'.repeat(32)],
  amount: 12,
  nested: { b: [null], a: '€' },
};
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('a salt is HKDF-SHA256 of the seed, for names of any length and script', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 60, maxLength: 900 })),
      (seed, name) => {
        const expected = hkdfSync('sha256', seed, new Uint8Array(0), `astralock/v1/${name}`, 32);
        assert.deepEqual(Buffer.from(saltOf(seed, name)), Buffer.from(expected));
      },
    ),
  );
});

test('a seed that is not 32 bytes is refused', () => {
  for (const seed of [new Uint8Array(31), new Uint8Array(33), 'x'.repeat(32), null]) {
    assert.throws(() => commitClaim(CLAIM, seed as Uint8Array), { name: AttestationError.name, code: 'seed_invalid' });
  }
});

test('the same claim and seed give the same commitments, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), seeds, (claim, seed) => {
      const reversed = Object.fromEntries(Object.entries(claim).toReversed());
      assert.deepEqual(commitClaim(reversed, seed), commitClaim(claim, seed));
    }),
  );
});

test('the same claim under another seed has other commitments in every field', () => {
  const one = commitClaim(CLAIM, SEED);
  const other = commitClaim(CLAIM, OTHER_SEED);
  assert.notEqual(one.commitment, other.commitment);
  assert.deepEqual(Object.keys(one.fields).toSorted(), Object.keys(CLAIM).toSorted());
  for (const name of Object.keys(CLAIM)) assert.notEqual(one.fields[name], other.fields[name]);
});

test('equal values of two fields have different commitments', () => {
  const { fields } = commitClaim({ a: 'same', b: 'same' }, SEED);
  assert.notEqual(fields['a'], fields['b']);
});

test('a value longer than the scratch buffer is committed to like any other', () => {
  for (const length of [2729, 2730, 2731, 8190, 50_000]) {
    const value = '€'.repeat(length);
    const commitment = commitClaim({ value }, SEED).fields['value'];
    assert.equal(commitment, commitValue(value, saltOf(SEED, 'value')));
    assert.notEqual(commitment, commitValue(`${value}€`, saltOf(SEED, 'value')));
  }
});

test('no name gets lost, not even __proto__', () => {
  const strange = JSON.parse('{"a":1,"__proto__":{"x":1}}') as Record<string, unknown>;
  assert.notEqual(commitClaim(strange, SEED).commitment, commitClaim({ a: 1 }, SEED).commitment);
});

const SEEN: FullObservation = {
  source: 'kvk',
  status: 'answered',
  query: { kvk_number: '11998877' },
  result: { active: true },
  observed_at: '2026-11-15T00:40:12.101Z',
};

test('the bundle root is the RFC 6962 root over the published observations', () => {
  const seen = Array.from({ length: 5 }, (_, i) => ({ ...SEEN, result: { i } }));
  const published = commitObservations(seen, SEED);
  const [a, b, c, d, e] = published.map((one) => leafHash(Buffer.from(canonicalJson(one)))) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const root = nodeHash(nodeHash(nodeHash(a, b), nodeHash(c, d)), e);
  assert.equal(bundleRoot(published), Buffer.from(root).toString('hex'));
  assert.equal(bundleRoot(published.slice(0, 3)), Buffer.from(nodeHash(nodeHash(a, b), c)).toString('hex'));
  assert.equal(bundleRoot([]), null);
});

test('observations show source, status, code and time, and hide question and answer', () => {
  const [first, second] = commitObservations([SEEN, { ...SEEN, status: 'error', code: 'TIMEOUT' }], SEED);
  assert.deepEqual(Object.keys(first ?? {}), ['code', 'commitment', 'observed_at', 'source', 'status']);
  assert.deepEqual([first?.code, second?.code], [null, 'TIMEOUT']);
  assert.notEqual(commitObservations([SEEN], OTHER_SEED)[0]?.commitment, first?.commitment);
  assert.notEqual(commitObservations([SEEN, SEEN], SEED)[1]?.commitment, first?.commitment);
});

test('a register cannot write text into the log by way of its code', () => {
  for (const code of ['Call 0900-1234 now', '', 'x'.repeat(65), '<b>', 'é']) {
    assert.equal(commitObservations([{ ...SEEN, code }], SEED)[0]?.code, 'UNREADABLE_CODE');
  }
  for (const code of ['MS_UNAVAILABLE', 'VOW-ERR-1', 'IPD5200', 'MOTH-NF-01']) {
    assert.equal(commitObservations([{ ...SEEN, code }], SEED)[0]?.code, code);
  }
});

test('an observation without a UTC time in milliseconds is refused', () => {
  for (const time of ['2026-11-15T00:40:12Z', '2026-02-30T00:00:00.000Z', '2026-11-15T00:40:12.101+00:00', '', null]) {
    const seen = { ...SEEN, observed_at: time as string };
    assert.throws(() => commitObservations([seen], SEED), { name: AttestationError.name, code: 'observation_invalid' });
  }
});

test('one field is shown without the others', () => {
  const { commitment } = commitClaim(CLAIM, SEED);
  const shown = disclose(CLAIM, SEED, ['statement']);
  assert.deepEqual(Object.keys(shown.disclosed), ['statement']);
  assert.equal(JSON.stringify(shown).includes(CLAIM.evidence_digests[0] as string), false);
  assert.deepEqual(checkDisclosure(commitment, shown), { ok: true });
  assert.deepEqual(checkDisclosure(commitment, disclose(CLAIM, SEED, [])), { ok: true });
  assert.throws(() => disclose(CLAIM, SEED, ['toString']), TypeError);
});

test('every lie in a disclosure is named', () => {
  const { commitment } = commitClaim(CLAIM, SEED);
  const { commitments, disclosed } = disclose(CLAIM, SEED, ['statement']);
  const { salt, value } = disclosed['statement'] as { salt: string; value: unknown };
  const check = (...[map, fields]: [object, object]) => {
    const result = checkDisclosure(commitment, { commitments: map, disclosed: fields } as Parameters<
      typeof checkDisclosure
    >[1]);
    return result.ok ? 'ok' : result.code;
  };
  assert.equal(check(commitments, { statement: { salt, value: 'eight boxes' } }), 'value_mismatch');
  assert.equal(check(commitments, { statement: { salt: 'ab'.repeat(32), value } }), 'value_mismatch');
  assert.equal(check(commitments, { statement: { salt, value: undefined } }), 'value_mismatch');
  assert.equal(check(commitments, { amount: { salt, value } }), 'value_mismatch');
  assert.equal(check(commitments, { other: { salt, value } }), 'field_not_committed');
  assert.equal(check(commitments, { toString: { salt, value } }), 'field_not_committed');
  assert.equal(check(commitments, { statement: { salt: salt.toUpperCase(), value } }), 'malformed');
  assert.equal(check(commitments, { statement: { salt: 5, value } }), 'malformed');
  assert.equal(
    check({ ...commitments, statement: 'ab'.repeat(32) }, { statement: { salt, value } }),
    'commitments_mismatch',
  );
  assert.equal(check({ ...commitments, extra: 'ab'.repeat(32) }, {}), 'commitments_mismatch');
  assert.equal(check({ ...commitments, extra: 'zz' }, {}), 'malformed');
  assert.equal(check({ ...commitments, '\ud800': 'ab'.repeat(32) }, {}), 'malformed');
});
