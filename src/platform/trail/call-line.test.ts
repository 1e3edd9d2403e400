import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { anyText } from './_fixture.ts';
import { formatCall, type TrailEntry } from './call-line.ts';

const AT_MS = Date.UTC(2026, 8, 21, 14, 13, 20, 7);

function line(entry: TrailEntry, n = 18): string {
  return formatCall(n, entry);
}

test('a line has the fields of the entry in a fixed order', () => {
  const entry = {
    atMs: AT_MS,
    op: 'claim',
    method: 'GET',
    status: 200,
    ms: 3,
    addr: '0123456789abcdef',
    agent: 'a-1',
    payer: '0xab',
    inBytes: 412,
    outBytes: 1830,
    resultSha256: 'ff',
    params: ['key', 'agent'],
    code: null,
  };
  assert.equal(
    line(entry),
    '{"n":18,"at":"2026-09-21T14:13:20.007Z","op":"claim","method":"GET","status":200,"ms":3,' +
      '"addr":"0123456789abcdef","agent":"a-1","payer":"0xab","in":412,"out":1830,"result_sha256":"ff",' +
      '"params":["key","agent"],"code":null}\n',
  );
});

test('a field that the entry does not have is not on the line', () => {
  assert.equal(line({ atMs: AT_MS, op: 'look' }), '{"n":18,"at":"2026-09-21T14:13:20.007Z","op":"look"}\n');
  assert.equal(
    line({ atMs: AT_MS, op: 'look', agent: null }),
    '{"n":18,"at":"2026-09-21T14:13:20.007Z","op":"look","agent":null}\n',
  );
});

test('calls of one operation with other statuses, codes or parameters do not get the line of the one before', () => {
  const variants: TrailEntry[] = [
    { atMs: AT_MS, op: 'mark', method: 'GET', status: 200, params: ['a'], code: null },
    { atMs: AT_MS, op: 'mark', method: 'POST', status: 200, params: ['a'], code: null },
    { atMs: AT_MS, op: 'mark', method: 'POST', status: 409, params: ['a'], code: null },
    { atMs: AT_MS, op: 'mark', method: 'POST', status: 409, params: ['a', 'b'], code: null },
    { atMs: AT_MS, op: 'mark', method: 'POST', status: 409, params: ['a', 'c'], code: null },
    { atMs: AT_MS, op: 'mark', method: 'POST', status: 409, params: ['a', 'c'], code: 'held' },
    { atMs: AT_MS, op: 'mark', method: 'POST', status: 409 },
  ];
  for (const { atMs: _, ...expected } of variants) {
    const { n: _n, at: _at, ...written } = JSON.parse(line({ atMs: AT_MS, ...expected }));
    assert.deepEqual(written, expected);
  }
});

test('lists of names that begin alike, or that a comma would make alike, stay apart', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'a,b', 'ä');
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), (params) => {
      const shown = params.map((one) => (one.length === 1 && one !== 'ä' ? one : '?'));
      assert.deepEqual(JSON.parse(line({ atMs: AT_MS, op: 'mark', params })).params, shown);
    }),
  );
});

test('whatever the texts and figures are, the line is one line of JSON in ASCII with the texts cut to length', () => {
  const text = anyText(200);
  const figure = fc.oneof(fc.integer(), fc.double(), fc.maxSafeNat());
  const entries = fc.record({ op: text, agent: text, payer: text, code: text, ms: figure, outBytes: figure });
  fc.assert(
    fc.property(entries, fc.nat({ max: 2 ** 40 }), (entry, n) => {
      const written = line({ atMs: AT_MS, ...entry }, n);
      assert.match(written, /^[\x20-\x7e]*\n$/);
      const value = JSON.parse(written);
      assert.equal(value.n, n);
      for (const name of ['op', 'agent', 'payer', 'code'] as const)
        assert.equal(value[name], entry[name].slice(0, 128));
      assert.equal(value.ms, Number.isFinite(entry.ms) ? entry.ms + 0 : null);
    }),
  );
});

test('an address in place of its tag is not on the line', () => {
  assert.match(line({ atMs: AT_MS, op: 'look', addr: '192.0.2.17' }), /"addr":"\?"/);
});

test('no line is longer than what the verifier reads as one', () => {
  const worst = '\u0000'.repeat(200);
  const params = Array.from({ length: 50 }, () => 'x'.repeat(40));
  const texts = { op: worst, method: worst, agent: worst, payer: worst, resultSha256: worst, code: worst };
  const longest = line({ atMs: AT_MS, ...texts, params, addr: worst, ms: -1.7976931348623157e308, inBytes: 5e-324 });
  assert.ok(longest.length <= 65_536, `${longest.length}`);
});
