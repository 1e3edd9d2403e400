import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { restore, runOnce, temporaryDir } from './_fixture.ts';
import { randomTrail, testTampering } from './_tampering.ts';
import { TRAIL_ID_FILE, takeTrailId } from './trail-id.ts';
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

/** Two directories that anchor in one log, each with a process p1. */
async function twoTrails(t: TestContext) {
  const trailOf = async (blocks: readonly number[]) => {
    const dir = await temporaryDir(t);
    const heads = (await runOnce(dir, blocks)).slice(1);
    const trail = takeTrailId(dir);
    return { dir, trail, anchors: heads.map((head) => ({ ...head, trail })) };
  };
  const [one, other] = [await trailOf([1, 2]), await trailOf([2, 3])];
  return { one, other, anchors: [...one.anchors, ...other.anchors] };
}

const codesOf = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

test('of the anchors in a log only those of the own trail count, and those of others are named', async (t) => {
  const { one, other, anchors } = await twoTrails(t);
  const report = await verifyTrail(one.dir, anchors);
  assert.deepEqual([codesOf(report.faults), report.anchors], [[], one.anchors.length]);
  assert.deepEqual(codesOf(report.warnings), ['other_trails']);
  assert.match(report.warnings[0]?.detail ?? '', new RegExp(`2 anchors of other trails, not compared: ${other.trail}`));
  const emptied = await restore(t, new Map([[TRAIL_ID_FILE, Buffer.from(`${one.trail}\n`)]]));
  const { faults } = await verifyTrail(emptied, anchors);
  assert.deepEqual(
    codesOf(faults),
    one.anchors.map(() => 'anchor_missing'),
  );
});

test('anchors from before trails had ids count for every trail', async (t) => {
  const { one, other } = await twoTrails(t);
  const old = one.anchors.map((anchor) => ({ ...anchor, trail: null }));
  assert.equal((await verifyTrail(one.dir, old)).ok, true);
  assert.equal((await verifyTrail(other.dir, old)).ok, false);
});

test('a trail whose id was removed or replaced is held against the anchors that its seals have, and it is said', async (t) => {
  const { one, anchors } = await twoTrails(t);
  await rm(join(one.dir, TRAIL_ID_FILE));
  for (const isReplaced of [false, true]) {
    if (isReplaced) takeTrailId(one.dir);
    const { ok, warnings, anchors: count } = await verifyTrail(one.dir, anchors);
    assert.deepEqual([ok, count], [true, one.anchors.length]);
    assert.deepEqual(codesOf(warnings), ['id_replaced', 'other_trails']);
    const further = { ...(anchors[0] ?? assert.fail()), line: 100 };
    assert.deepEqual(codesOf((await verifyTrail(one.dir, [...anchors, further])).faults), ['anchor_missing']);
  }
});

test('a trail without id of which no seal is anchored is no sound trail beside anchors that name one', async (t) => {
  const { anchors } = await twoTrails(t);
  const dir = await temporaryDir(t);
  await runOnce(dir, [4]);
  assert.deepEqual(codesOf((await verifyTrail(dir, anchors)).faults), ['id_missing']);
});
