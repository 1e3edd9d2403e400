import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restore, runOnce, temporaryDir } from './_fixture.ts';
import { randomTrail, testTampering } from './_tampering.ts';
import { verifyTrail } from './verify.ts';

// A part of the runs and places; all of them in test/properties/trail-cuts.more.ts.
testTampering({ runs: 20, step: 11 });

test('a trail rewritten with other calls is intact in itself and found by an anchor', async (t) => {
  const { heads } = await randomTrail(t, [[3, 2]]);
  const rewritten = await temporaryDir(t);
  await runOnce(rewritten, [2, 3]);
  assert.equal((await verifyTrail(rewritten)).ok, true);
  const { faults } = await verifyTrail(rewritten, heads.slice(1));
  assert.deepEqual(
    faults.map(({ code }) => code),
    ['anchor_missing', 'anchor_missing'],
  );
});

test('an anchor counts for its process and its line only', async (t) => {
  const { files, heads } = await randomTrail(t, [[1]]);
  const head = heads.at(-1) ?? assert.fail();
  const dir = await restore(t, files);
  assert.equal((await verifyTrail(dir, heads)).ok, true);
  assert.equal((await verifyTrail(dir, [{ ...head, line: head.line + 1 }])).ok, false);
  assert.equal((await verifyTrail(dir, [{ ...head, process: 'p2' }])).ok, false);
});
