import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { linesOf, restore, runOnce, type Snapshot, segmentText, snapshot, temporaryDir } from './_fixture.ts';
import { GENESIS_HASH, sealBlock } from './seal.ts';
import { formatHead, type Torn } from './segment.ts';
import { verifyTrail } from './verify.ts';

const FIRST = 'p1-000001.ndjson';
const SECOND = 'p1-000002.ndjson';
const THIRD = 'p1-000003.ndjson';

/** Three segments: two blocks of two lines in the first, one block in each of the others. */
async function threeSegments(t: TestContext): Promise<Snapshot> {
  const dir = await temporaryDir(t);
  await runOnce(dir, [2, 2]);
  await runOnce(dir, [2]);
  await runOnce(dir, [2]);
  return snapshot(dir);
}

function bytesOf(files: Snapshot, name: string): Buffer {
  return files.get(name) ?? assert.fail();
}

async function faultsOf(t: TestContext, files: Snapshot) {
  const report = await verifyTrail(await restore(t, files));
  assert.equal(report.ok, report.faults.length === 0);
  return report.faults.map(({ file, line, code }) => [file, line, code]);
}

/** A segment whose seal is right for exactly these lines: what somebody with write access could forge. */
function forge(lines: readonly string[], seal: { block?: number; lines?: number; last: number }): Buffer {
  const block = { block: 1, lines: lines.length + 1, prev: GENESIS_HASH, ...seal };
  return sealBlock([forgedHead(1, 1, GENESIS_HASH, null), segmentText(lines)], block).bytes;
}

function forgedHead(segment: number, first: number, prev: string, torn: Torn | null): Buffer {
  return Buffer.from(formatHead({ segment, process: 'p1', first, prev, torn }, 0));
}

function sealOf(block: number, lines: number, prev: string) {
  return { block, lines, last: 1, prev };
}

function numbered(n: number): string {
  return `{"n":${n},"at":"2026-09-21T12:00:00.000Z","op":"look"}\n`;
}

test('an untouched trail has no faults and no warnings', async (t) => {
  const report = await verifyTrail(await restore(t, await threeSegments(t)));
  assert.deepEqual([report.ok, report.faults, report.warnings], [true, [], []]);
});

test('a directory without segments has nothing to verify, a missing one is a fault', async (t) => {
  const dir = await temporaryDir(t);
  const empty = await verifyTrail(dir);
  assert.deepEqual([empty.ok, empty.processes, empty.warnings[0]?.code], [true, [], 'no_segments']);
  const missing = await verifyTrail(join(dir, 'nowhere'));
  assert.deepEqual([missing.ok, missing.faults[0]?.code, missing.warnings], [false, 'directory_missing', []]);
});

test('a file that is no segment is named and not checked', async (t) => {
  const dir = await restore(t, await threeSegments(t));
  for (const name of ['p1-1.ndjson', 'p1-0000001.ndjson', 'notes.txt']) await writeFile(join(dir, name), '');
  const { ok, warnings } = await verifyTrail(dir);
  assert.ok(ok);
  assert.deepEqual(
    warnings.map(({ code, file }) => [code, file]),
    [
      ['unknown_file', 'notes.txt'],
      ['unknown_file', 'p1-0000001.ndjson'],
      ['unknown_file', 'p1-1.ndjson'],
    ],
  );
});

test('a changed line is found with the lines of its block', async (t) => {
  const files = await threeSegments(t);
  const changed = bytesOf(files, FIRST).toString('latin1').replace('"agent":"agent-0"', '"agent":"agent-9"');
  files.set(FIRST, Buffer.from(changed, 'latin1'));
  const { faults } = await verifyTrail(await restore(t, files));
  const detail = 'Lines 3 to 5 do not match their seal: a line was changed, removed, added or moved.';
  assert.deepEqual(faults, [{ file: FIRST, line: 5, code: 'line_changed', detail }]);
});

test('a removed block is found as a broken chain', async (t) => {
  const files = await threeSegments(t);
  const lines = linesOf(bytesOf(files, FIRST));
  files.set(FIRST, segmentText([...lines.slice(0, 2), ...lines.slice(5)]));
  assert.deepEqual(await faultsOf(t, files), [
    [FIRST, 3, 'line_number'],
    [FIRST, 5, 'chain_broken'],
  ]);
});

test('a segment cut at a seal is found by the head of the next one', async (t) => {
  const files = await threeSegments(t);
  files.set(FIRST, segmentText(linesOf(bytesOf(files, FIRST)).slice(0, 5)));
  assert.deepEqual(await faultsOf(t, files), [[SECOND, 1, 'chain_broken']]);
});

test('a missing segment is found, whether it is the first or one in the middle', async (t) => {
  for (const name of [FIRST, SECOND]) {
    const files = await threeSegments(t);
    files.delete(name);
    const next = name === FIRST ? SECOND : THIRD;
    assert.deepEqual(await faultsOf(t, files), [[next, null, 'segment_missing']]);
  }
});

test('segments under the names of others are found', async (t) => {
  const files = await threeSegments(t);
  const [second, third] = [bytesOf(files, SECOND), bytesOf(files, THIRD)];
  files.set(SECOND, third).set(THIRD, second);
  assert.deepEqual(await faultsOf(t, files), [
    [SECOND, 1, 'segment_order'],
    [THIRD, 1, 'segment_order'],
  ]);
  const other = new Map([['p2-000001.ndjson', bytesOf(files, FIRST)]]);
  assert.deepEqual(await faultsOf(t, other), [['p2-000001.ndjson', 1, 'segment_order']]);
});

test('bytes after the last seal that the next segment does not report are a fault', async (t) => {
  const files = await threeSegments(t);
  files.set(SECOND, Buffer.concat([bytesOf(files, SECOND), Buffer.from(numbered(7))]));
  assert.deepEqual(await faultsOf(t, files), [[THIRD, 1, 'unreported_tail']]);
});

test('a reported tail is a note, and a fault once it changes or disappears', async (t) => {
  const dir = await temporaryDir(t);
  await runOnce(dir, [2]);
  const torn = await snapshot(dir);
  torn.set(FIRST, bytesOf(torn, FIRST).subarray(0, -20));
  const reported = await restore(t, torn);
  await runOnce(reported, [1]);
  assert.deepEqual(
    (await verifyTrail(reported)).warnings.map(({ code }) => code),
    ['reported_tail'],
  );
  const files = await snapshot(reported);
  const first = bytesOf(files, FIRST);
  const changed = Buffer.from(first);
  changed[first.length - 1] = 0x21;
  const sealed = segmentText(linesOf(first).slice(0, 2));
  for (const bytes of [changed, first.subarray(0, -1), sealed]) {
    assert.deepEqual(await faultsOf(t, new Map(files).set(FIRST, bytes)), [[SECOND, 1, 'tail_changed']]);
  }
});

test('a report of a tail that is right in all but one field is found even under a seal that fits', async (t) => {
  const left = Buffer.from(`${numbered(2)}{"n":3,`);
  const first = sealBlock([forgedHead(1, 1, GENESIS_HASH, null), Buffer.from(numbered(1))], sealOf(1, 2, GENESIS_HASH));
  const right = {
    segment: 1,
    bytes: left.length,
    from_line: 2,
    sha256: createHash('sha256').update(left).digest('hex'),
  };
  const report = (torn: Torn) => {
    const second = sealBlock([forgedHead(2, 2, first.hash, torn)], sealOf(2, 1, first.hash));
    return faultsOf(
      t,
      new Map([
        [FIRST, Buffer.concat([first.bytes, left])],
        [SECOND, second.bytes],
      ]),
    );
  };
  assert.deepEqual(await report(right), []);
  for (const wrong of [{ segment: 2 }, { bytes: 1 }, { from_line: 3 }, { sha256: GENESIS_HASH }]) {
    assert.deepEqual(await report({ ...right, ...wrong }), [[SECOND, 1, 'tail_changed']]);
  }
});

test('an unsealed tail of the newest segment is a warning', async (t) => {
  const files = await threeSegments(t);
  files.set(THIRD, Buffer.concat([bytesOf(files, THIRD), Buffer.from(`${numbered(9)}{"n":10,`)]));
  const { ok, warnings } = await verifyTrail(await restore(t, files));
  assert.deepEqual([ok, warnings.map(({ code }) => code)], [true, ['torn_tail']]);
});

test('a whole line that is none of a trail is a fault even in a tail, because no interrupted write leaves it', async (t) => {
  const files = await threeSegments(t);
  const third = bytesOf(files, THIRD);
  for (const junk of [
    'junk\n',
    '\n',
    '{"n":9,"at":"x"\n',
    '{"n":9,"at":"x"}{"n":10,"at":"x"}\n',
    `{"n":9,"at":"${'x'.repeat(70_000)}"}`,
  ]) {
    const found = await faultsOf(t, new Map(files).set(THIRD, Buffer.concat([third, Buffer.from(junk)])));
    assert.deepEqual(found, [[THIRD, 6, 'malformed_line']], junk.slice(0, 40));
  }
  const overrun = Buffer.concat([third.subarray(0, -1), Buffer.from('X')]);
  assert.deepEqual(await faultsOf(t, new Map(files).set(THIRD, overrun)), [[THIRD, 5, 'malformed_line']]);
});

test('a segment without a head is found', async (t) => {
  const files = await threeSegments(t);
  files.set(THIRD, segmentText(linesOf(bytesOf(files, THIRD)).slice(1)));
  const codes = (await faultsOf(t, files)).map(([, , code]) => code);
  assert.deepEqual(codes, ['malformed_line', 'chain_broken']);
});

test('numbers that do not follow each other are found even under a seal that fits', async (t) => {
  const lost = '{"lost":5,"from":2,"at":"2026-09-21T12:00:00.000Z"}\n';
  const intact = forge([numbered(1), lost, numbered(7)], { last: 7 });
  assert.deepEqual(await faultsOf(t, new Map([[FIRST, intact]])), []);
  const cases: [Buffer, number][] = [
    [forge([numbered(1), numbered(3)], { last: 3 }), 3],
    [forge([numbered(1), lost, numbered(6)], { last: 6 }), 4],
    [forge([numbered(2)], { last: 2 }), 2],
    [forge([numbered(1)], { last: 2 }), 3],
    [forge([numbered(1)], { last: 1, lines: 7 }), 3],
  ];
  for (const [bytes, line] of cases) {
    assert.deepEqual(await faultsOf(t, new Map([[FIRST, bytes]])), [[FIRST, line, 'line_number']]);
  }
});

test('a head that starts at another number than the next is found even under a seal that fits', async (t) => {
  const { bytes } = sealBlock([forgedHead(1, 5, GENESIS_HASH, null)], {
    block: 1,
    lines: 1,
    last: 4,
    prev: GENESIS_HASH,
  });
  assert.deepEqual(await faultsOf(t, new Map([[FIRST, bytes]])), [[FIRST, 1, 'line_number']]);
});

test('a block number that does not follow is found even under a seal that fits', async (t) => {
  const forged = forge([numbered(1)], { block: 4, last: 1 });
  assert.deepEqual(await faultsOf(t, new Map([[FIRST, forged]])), [[FIRST, 3, 'block_number']]);
});

test('the report of a wrecked trail stays small', async (t) => {
  const seal = linesOf(forge([], { last: 0 }))[1] ?? '';
  const { faults } = await verifyTrail(await restore(t, new Map([[FIRST, segmentText(Array(1500).fill(seal))]])));
  assert.equal(faults.length, 1001);
  assert.equal(faults.at(-1)?.code, 'more_faults');
});
