import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { leaseId } from '#kernel/ids.ts';
import { revisionAfter } from './restore.ts';

const FROM_MS = Date.UTC(2026, 0, 1);
const TO_MS = Date.UTC(2100, 0, 1);

test('a restore begins above every revision that a store could give before it, at up to 100,000 a second', () => {
  const life = fc.record({
    begunMs: fc.integer({ min: FROM_MS, max: TO_MS }),
    ranMs: fc.integer({ min: 1, max: 1e10 }),
  });
  fc.assert(
    fc.property(life, fc.nat(1e6), ({ begunMs, ranMs }, copiedAt) => {
      const begun = revisionAfter(copiedAt, begunMs);
      assert.ok(
        revisionAfter(copiedAt, begunMs + ranMs + 1) > begun + ranMs * 100,
        'a second restore of the same copy',
      );
    }),
  );
});

test('a clock that is behind the copy is refused', () => {
  const rev = revisionAfter(0, FROM_MS);
  assert.throws(() => revisionAfter(rev, FROM_MS), /the clock of this machine \(2026-01-01T\S+\) is behind the backup/);
});

test('revisions of this century fit into lease ids', () => {
  assert.match(leaseId(revisionAfter(0, TO_MS), 'abcd'), /^L/);
});
