import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY_MS, ManualClock } from '#kernel/clock.ts';
import { call, linesOf, openTrail, runOnce, SmallDisk, START_MS, snapshot, temporaryDir } from './_fixture.ts';
import { nodeFiles } from './files.ts';
import { verifyTrail } from './verify.ts';

async function checkEverything(dir: string): Promise<void> {
  assert.deepEqual((await verifyTrail(dir)).faults, []);
}

test('a segment holds its head, then per flush the lines and one seal', async (t) => {
  const dir = await temporaryDir(t);
  await runOnce(dir, [2, 1]);
  const lines = linesOf((await snapshot(dir)).get('p1-000001.ndjson') ?? Buffer.alloc(0)).map((line) =>
    JSON.parse(line),
  );
  const kinds = lines.map((line) => Object.keys(line)[0]);
  assert.deepEqual(kinds, ['segment', 'block', 'n', 'n', 'block', 'n', 'block']);
  const [head, first, , , second, , third] = lines;
  const at = new Date(START_MS).toISOString();
  assert.deepEqual(head, { segment: 1, process: 'p1', at, first: 1, prev: '0'.repeat(64), torn: null });
  assert.deepEqual([first.block, first.lines, first.last, first.prev], [1, 1, 0, '0'.repeat(64)]);
  assert.deepEqual([second.block, second.lines, second.last, second.prev], [2, 2, 2, first.hash]);
  assert.deepEqual([third.block, third.lines, third.last, third.prev], [3, 1, 3, second.hash]);
  await checkEverything(dir);
});

test('only the owner may read a segment', async (t) => {
  const dir = join(await temporaryDir(t), 'trail');
  await runOnce(dir, [1], { files: nodeFiles });
  assert.equal((await stat(join(dir, 'p1-000001.ndjson'))).mode & 0o777, 0o600);
  assert.equal((await stat(dir)).mode & 0o777, 0o700);
});

test('the head names the last sealed line, not the last recorded one', async (t) => {
  const dir = await temporaryDir(t);
  await using trail = await openTrail(dir);
  const before = trail.head();
  assert.deepEqual([before.process, before.segment, before.line], ['p1', 1, 0]);
  trail.record(call(1));
  assert.deepEqual(trail.head(), before);
  const after = await trail.sync();
  assert.deepEqual(trail.head(), after);
  assert.equal(after.line, 1);
  assert.notEqual(after.hash, before.hash);
  assert.deepEqual(trail.status(), { lines: 1, linesLost: 0, failing: false, lastFlushMs: START_MS });
});

test('a restart opens a new segment that continues numbering and chain', async (t) => {
  const dir = await temporaryDir(t);
  const last = (await runOnce(dir, [3])).at(-1);
  const heads = await runOnce(dir, [2]);
  assert.deepEqual([heads[0]?.segment, heads[0]?.line, heads[1]?.line], [2, 3, 5]);
  const second = linesOf((await snapshot(dir)).get('p1-000002.ndjson') ?? Buffer.alloc(0)).map((line) =>
    JSON.parse(line),
  );
  assert.deepEqual([second[0].first, second[0].prev, second[0].torn], [4, last?.hash, null]);
  assert.deepEqual([second[1].block, second[2].n], [3, 4]);
  const report = await verifyTrail(dir);
  assert.deepEqual(report.warnings, []);
  const { process: _, ...head } = heads[1] ?? assert.fail();
  assert.deepEqual(report.processes, [{ process: 'p1', segments: 2, lines: 5, lost: 0, head }]);
});

test('a new UTC day opens a segment, a clock that steps back does not', async (t) => {
  const dir = await temporaryDir(t);
  const clock = new ManualClock(START_MS);
  await using trail = await openTrail(dir, { clock });
  for (const days of [0, 1, 0, 1, 2]) {
    clock.jump(START_MS + days * DAY_MS);
    trail.record({ ...call(0), atMs: clock.now() });
    await trail.sync();
  }
  assert.deepEqual([...(await snapshot(dir)).keys()], ['p1-000001.ndjson', 'p1-000002.ndjson', 'p1-000003.ndjson']);
  assert.equal(trail.head().segment, 3);
  await checkEverything(dir);
});

test('a segment that is over its size is followed by another', async (t) => {
  const dir = await temporaryDir(t);
  const heads = await runOnce(dir, [10, 10, 10], { segmentBytes: 1200, files: nodeFiles });
  assert.deepEqual(
    heads.map((head) => head.segment),
    [1, 1, 2, 3],
  );
  const report = await verifyTrail(dir);
  assert.deepEqual([report.ok, report.processes[0]?.segments, report.processes[0]?.lines], [true, 3, 30]);
});

test('two processes write side by side and have chains of their own', async (t) => {
  const dir = await temporaryDir(t);
  await Promise.all([
    runOnce(dir, [3, 1]),
    runOnce(dir, [2], { process: 'p2' }),
    runOnce(dir, [1], { process: 'p2-x' }),
  ]);
  const { ok, processes } = await verifyTrail(dir);
  assert.ok(ok);
  assert.deepEqual(
    processes.map(({ process, lines }) => [process, lines]),
    [
      ['p1', 4],
      ['p2', 2],
      ['p2-x', 1],
    ],
  );
});

test('no two writers have the same segment: of those that open it at once one is let in', async (t) => {
  const dir = await temporaryDir(t);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openTrail(dir)));
  const writers = outcomes.filter(({ status }) => status === 'fulfilled').length;
  // One that came after another had opened its segment has the next.
  const segments = (await readdir(dir)).filter((name) => name.endsWith('.ndjson'));
  assert.ok(writers >= 1);
  assert.equal(segments.length, writers);
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value[Symbol.asyncDispose]();
});

test('a name that cannot stand in a file name is refused', async (t) => {
  const dir = await temporaryDir(t);
  for (const process of ['', '../p', 'a/b', '.p', 'a b', 'x'.repeat(41)]) {
    await assert.rejects(openTrail(dir, { process }), /cannot name a process/);
  }
});

test('lines are written by the timer without anybody asking', async (t) => {
  const dir = await temporaryDir(t);
  const disk = new SmallDisk();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using trail = await openTrail(dir, { files: disk, flushEveryMs: 100 });
  const written = new Promise((resolve) => (disk.onWrite = resolve));
  trail.record(call(1));
  t.mock.timers.tick(100);
  assert.equal(await written, true);
});

test('lines are written before the timer when enough of them are waiting', async (t) => {
  const dir = await temporaryDir(t);
  const disk = new SmallDisk();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using trail = await openTrail(dir, { files: disk, flushLines: 10 });
  const written = new Promise((resolve) => (disk.onWrite = resolve));
  for (let i = 0; i < 10; i += 1) trail.record(call(i));
  assert.equal(await written, true);
});

test('a call after the end is not recorded and opens no segment', async (t) => {
  const dir = await temporaryDir(t);
  const trail = await openTrail(dir);
  await trail[Symbol.asyncDispose]();
  trail.record(call(1));
  assert.equal((await snapshot(dir)).size, 1);
  assert.equal(trail.status().lines, 0);
});
