import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf, lastBlockStart, testCuts } from './_cuts.ts';
import { linesOf, restore, runOnce, type Snapshot, snapshot, temporaryDir } from './_fixture.ts';
import { verifyTrail } from './verify.ts';

function cut(files: Snapshot, name: string, length: number): Snapshot {
  return new Map(files).set(name, (files.get(name) ?? Buffer.alloc(0)).subarray(0, length));
}

// A part of the places; the others in test/properties/trail-cuts.more.ts.
testCuts(11);

test('the next segment says where the torn bytes are and from which line numbering goes on', async (t) => {
  const dir = await temporaryDir(t);
  await runOnce(dir, [3, 2]);
  const files = await snapshot(dir);
  const bytes = files.get('p1-000001.ndjson') ?? assert.fail();
  const torn = await restore(t, cut(files, 'p1-000001.ndjson', lastBlockStart(bytes) + 37));
  await runOnce(torn, [1, 1], { segmentBytes: 1 });
  const second = (await snapshot(torn)).get('p1-000002.ndjson') ?? assert.fail();
  const head = JSON.parse(linesOf(second)[0] ?? '');
  assert.deepEqual([head.first, head.torn.segment, head.torn.bytes, head.torn.from_line], [4, 1, 37, 4]);
  const report = await verifyTrail(torn);
  assert.deepEqual([report.faults, codesOf(report), report.processes[0]?.segments], [[], ['reported_tail'], 4]);
});

test('several runs cut off one after the other are reported together by the first one that gets a seal', async (t) => {
  const dir = await temporaryDir(t);
  await runOnce(dir, [2, 2]);
  let files = await snapshot(dir);
  files = cut(files, 'p1-000001.ndjson', (files.get('p1-000001.ndjson')?.length ?? 0) - 10);
  for (const name of ['p1-000002.ndjson', 'p1-000003.ndjson']) {
    const next = await restore(t, files);
    await runOnce(next, []);
    files = cut(await snapshot(next), name, 60);
  }
  const last = await restore(t, files);
  assert.deepEqual((await verifyTrail(last)).faults, []);
  await runOnce(last, [1]);
  const report = await verifyTrail(last);
  assert.deepEqual([report.faults, codesOf(report)], [[], ['reported_tail']]);
  assert.deepEqual([report.processes[0]?.segments, report.processes[0]?.lines], [4, 3]);
});

test('a large unsealed tail is passed over to find the last seal', async (t) => {
  const dir = await temporaryDir(t);
  await runOnce(dir, [2]);
  const files = await snapshot(dir);
  const bytes = files.get('p1-000001.ndjson') ?? assert.fail();
  for (const extra of [65_000, 65_450, 65_536, 65_700, 300_000]) {
    const torn = await restore(t, new Map(files).set('p1-000001.ndjson', Buffer.concat([bytes, Buffer.alloc(extra)])));
    assert.equal((await runOnce(torn, [1])).at(-1)?.line, 3);
    assert.deepEqual((await verifyTrail(torn)).faults, []);
  }
});
