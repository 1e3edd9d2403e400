import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { call, openTrail, quickFiles, SmallDisk, snapshot, temporaryDir } from './_fixture.ts';
import type { TrailFiles } from './files.ts';
import type { Trail } from './trail.ts';
import { verifyTrail } from './verify.ts';

function recordMany(trail: Trail, count: number): void {
  for (let i = 0; i < count; i += 1) trail.record(call(i));
}

test('a full disk makes the trail fail until there is room again, and nothing is lost that fits the memory', async (t) => {
  const dir = await temporaryDir(t);
  const disk = new SmallDisk();
  await using trail = await openTrail(dir, { files: disk });
  disk.room = 100;
  recordMany(trail, 5);
  await assert.rejects(trail.sync(), /cannot be written/);
  assert.equal(trail.failing, true);
  recordMany(trail, 5);
  disk.room = Number.POSITIVE_INFINITY;
  await trail.sync();
  assert.deepEqual([trail.failing, trail.status().linesLost, trail.head().line], [false, 0, 10]);
  const report = await verifyTrail(dir);
  assert.deepEqual([report.faults, report.warnings, report.processes[0]?.lines], [[], [], 10]);
});

test('lines beyond the memory are counted and reported inside the chain on recovery', async (t) => {
  const dir = await temporaryDir(t);
  const disk = new SmallDisk();
  await using trail = await openTrail(dir, { files: disk, bufferLines: 10 });
  disk.room = 0;
  recordMany(trail, 100);
  assert.equal(trail.failing, true);
  const { linesLost } = trail.status();
  assert.ok(linesLost > 80 && linesLost < 100, `${linesLost}`);
  disk.room = Number.POSITIVE_INFINITY;
  await trail.sync();
  recordMany(trail, 1);
  assert.deepEqual([(await trail.sync()).line, trail.failing, trail.status().linesLost], [101, false, linesLost]);
  const report = await verifyTrail(dir);
  assert.deepEqual(
    [report.faults, report.processes[0]?.lines, report.processes[0]?.lost],
    [[], 101 - linesLost, linesLost],
  );
  assert.deepEqual(
    report.warnings.map((warning) => warning.code),
    ['lines_lost'],
  );
});

test('the timer tries again by itself', async (t) => {
  const dir = await temporaryDir(t);
  const disk = new SmallDisk();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using trail = await openTrail(dir, { files: disk, flushEveryMs: 100 });
  disk.room = 0;
  const refused = new Promise((resolve) => (disk.onWrite = resolve));
  recordMany(trail, 1);
  t.mock.timers.tick(100);
  assert.equal(await refused, false);
  await assert.rejects(trail.sync());
  disk.room = Number.POSITIVE_INFINITY;
  const written = new Promise((resolve) => (disk.onWrite = resolve));
  t.mock.timers.tick(100);
  assert.equal(await written, true);
});

test('wherever the disk fills up, also while a segment is opened, the trail recovers to an intact chain', async (t) => {
  const steps = fc.array(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 900 })), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const dir = await temporaryDir(t);
      const disk = new SmallDisk();
      await using trail = await openTrail(dir, { files: disk, segmentBytes: 900, bufferLines: 15 });
      let recorded = 0;
      for (const [lines, room] of plan) {
        disk.room = room;
        recordMany(trail, lines);
        recorded += lines;
        await trail.sync().catch(() => undefined);
      }
      disk.room = Number.POSITIVE_INFINITY;
      assert.equal((await trail.sync()).line, recorded);
      const { faults, warnings, processes } = await verifyTrail(dir);
      assert.deepEqual(faults, []);
      assert.ok(warnings.every((warning) => warning.code === 'lines_lost'));
      assert.equal((processes[0]?.lines ?? 0) + (processes[0]?.lost ?? 0), recorded);
    }),
    { numRuns: 50 },
  );
});

test('a write that failed but reached the disk is not written twice', async (t) => {
  const dir = await temporaryDir(t);
  let failures = 0;
  const files: TrailFiles = {
    async create(path) {
      const file = await quickFiles.create(path);
      return {
        ...file,
        async write(bytes, position) {
          const taken = await file.write(bytes, position);
          if (failures > 0) {
            failures -= 1;
            throw new Error('EIO: i/o error, write');
          }
          return taken;
        },
      };
    },
  };
  await using trail = await openTrail(dir, { files });
  failures = 1;
  recordMany(trail, 3);
  await assert.rejects(trail.sync());
  recordMany(trail, 2);
  await trail.sync();
  const report = await verifyTrail(dir);
  assert.deepEqual([report.faults, report.warnings, report.processes[0]?.lines], [[], [], 5]);
});

test('more lines than one chunk of memory holds are all written', async (t) => {
  const dir = await temporaryDir(t);
  await using trail = await openTrail(dir);
  recordMany(trail, 5000);
  assert.equal((await trail.sync()).line, 5000);
  const { ok, processes } = await verifyTrail(dir);
  assert.deepEqual([ok, processes[0]?.lines], [true, 5000]);
});

test('a disk that takes nothing and says so is a full disk', async (t) => {
  const dir = await temporaryDir(t);
  let isFull = false;
  const files: TrailFiles = {
    async create(path) {
      const file = await quickFiles.create(path);
      return { ...file, write: (bytes, position) => (isFull ? Promise.resolve(0) : file.write(bytes, position)) };
    },
  };
  await using trail = await openTrail(dir, { files });
  isFull = true;
  recordMany(trail, 1);
  await assert.rejects(trail.sync(), /cannot be written/);
  isFull = false;
  await trail.sync();
  assert.deepEqual((await verifyTrail(dir)).faults, []);
});

test('a disk that takes a few bytes at a time gets every byte at its place', async (t) => {
  const dir = await temporaryDir(t);
  const files: TrailFiles = {
    async create(path) {
      const file = await quickFiles.create(path);
      return { ...file, write: (bytes, position) => file.write(bytes.subarray(0, 100), position) };
    },
  };
  await using trail = await openTrail(dir, { files });
  recordMany(trail, 3);
  await trail.sync();
  const report = await verifyTrail(dir);
  assert.deepEqual([report.faults, report.warnings, report.processes[0]?.lines], [[], [], 3]);
});

test('a head is not given out for an anchor when a segment, even a full one, is not on the disk', async (t) => {
  const dir = await temporaryDir(t);
  const synced: string[] = [];
  let refused = '';
  const files: TrailFiles = {
    async create(path) {
      const file = await quickFiles.create(path);
      const sync = () =>
        path.endsWith(refused) ? Promise.reject(new Error('EIO')) : Promise.resolve(void synced.push(path));
      return { ...file, sync };
    },
  };
  await using trail = await openTrail(dir, { files, segmentBytes: 1 });
  refused = '1.ndjson';
  recordMany(trail, 1);
  await assert.rejects(trail.sync(), /EIO/);
  refused = '-';
  assert.equal((await trail.sync()).line, 1);
  assert.deepEqual(
    synced.map((path) => path.slice(-8)),
    ['1.ndjson', '2.ndjson'],
  );
});

test('a segment that fills up while the one before is forced to the disk is closed only by a later sync', async (t) => {
  const dir = await temporaryDir(t);
  const syncing = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const files: TrailFiles = {
    async create(path) {
      const file = await quickFiles.create(path);
      let isOpen = true;
      return {
        async write(bytes, position) {
          const taken = await file.write(bytes, position);
          if (path.endsWith('3.ndjson')) written.resolve();
          return taken;
        },
        async sync() {
          assert.ok(isOpen, 'sync of a closed file');
          syncing.resolve();
          await gate.promise;
        },
        close: () => {
          isOpen = false;
          return file.close();
        },
      };
    },
  };
  await using trail = await openTrail(dir, { files, segmentBytes: 1, flushLines: 1 });
  recordMany(trail, 1);
  const synced = trail.sync();
  await syncing.promise;
  recordMany(trail, 1);
  await written.promise;
  gate.resolve();
  assert.equal((await synced).line, 1);
  assert.equal((await trail.sync()).line, 2);
});

test('a start on a full disk fails with a sentence and leaves a state that the next start reports', async (t) => {
  const dir = await temporaryDir(t);
  for (const room of [0, 50, 300]) {
    const disk = new SmallDisk();
    disk.room = room;
    await assert.rejects(openTrail(dir, { files: disk }), /The audit trail cannot be written; free space/);
  }
  await using trail = await openTrail(dir);
  recordMany(trail, 1);
  await trail.sync();
  const report = await verifyTrail(dir);
  assert.deepEqual([report.faults, report.warnings.map((warning) => warning.code)], [[], ['reported_tail']]);
  assert.equal((await snapshot(dir)).size, 3);
});
