import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#kernel/clock.ts';
import fc from '#properties';
import { MARK_KINDS, type MarkKind } from '#protocol/attestation/leaf-entry.ts';
import { FADED_WEIGHT, fadesAtMs, markWeight, type Weighed } from './mark-weight.ts';

const plain = { evidence: null, leased: false, identity: null, atMs: 0 };
const proven = { ...plain, evidence: 'https://e.example/1', leased: true };
const identity = { agentUrl: 'https://agent.example/directory', keyid: 'k', strength: 'request' } as const;

const VECTORS: readonly [MarkKind, Omit<Weighed, 'kind'>, number, number][] = [
  ['declined', plain, 90_210_000, 0.196414],
  ['done', proven, 30 * DAY_MS, 0.5],
  ['dead', { ...plain, leased: true }, 3 * DAY_MS, 0.0625],
  ['dead', { ...proven, leased: false }, 3 * DAY_MS, 0.0625],
  ['paid', proven, 45 * DAY_MS, 0.707107],
  ['note', plain, 0, 0.25],
  ['note', { ...plain, identity }, 0, 0.3125],
  ['done', { ...plain, evidence: 'x', identity }, 0, 0.625],
  ['done', { ...proven, identity }, 0, 1],
];
for (const [kind, mark, ageMs, weight] of VECTORS) {
  test(`a ${kind} mark of ${ageMs} ms weighs ${weight}`, () => {
    assert.equal(Number(markWeight({ kind, ...mark }, ageMs).toFixed(6)), weight);
  });
}

const anyMark = fc.record({
  kind: fc.constantFrom(...MARK_KINDS),
  evidence: fc.constantFrom(null, 'x'),
  leased: fc.boolean(),
  identity: fc.constantFrom(null, identity),
  atMs: fc.nat(2 ** 40),
});

test('weight never grows with time, also when a clock is behind the mark', () => {
  fc.assert(
    fc.property(anyMark, fc.nat(2 ** 41), fc.nat(2 ** 36), (mark, nowMs, laterMs) => {
      assert.ok(markWeight(mark, nowMs + laterMs) <= markWeight(mark, nowMs));
    }),
  );
});

test('a mark has faded exactly from the moment that is kept with it', () => {
  fc.assert(
    fc.property(anyMark, (mark) => {
      assert.ok(markWeight(mark, fadesAtMs(mark) - 1) >= FADED_WEIGHT - 1e-9);
      assert.ok(markWeight(mark, fadesAtMs(mark) + 1) < FADED_WEIGHT);
    }),
  );
  const days = (kind: MarkKind, mark: Omit<Weighed, 'kind'>) => (fadesAtMs({ kind, ...mark }) / DAY_MS).toFixed(1);
  assert.deepEqual([days('dead', plain), days('paid', proven)], ['3.6', '507.9']);
});
