// A trail whose newest segment was cut off, as a process leaves it that was killed.
import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { linesOf, runOnce, segmentText, snapshot, temporaryDir } from './_fixture.ts';
import type { TrailReport } from './report.ts';
import { segmentPath } from './segment.ts';
import { verifyTrail } from './verify.ts';

/** Offset at which the last block of a segment starts. */
export function lastBlockStart(bytes: Buffer): number {
  const lines = linesOf(bytes);
  const sealBefore = lines.findLastIndex((line, i) => i < lines.length - 1 && line.startsWith('{"block":'));
  return segmentText(lines.slice(0, sealBefore + 1)).length;
}

export const codesOf = (report: TrailReport) => report.warnings.map(({ code }) => code);

async function checkCutsOfLastBlock(dir: string, step: number): Promise<void> {
  const [name, bytes] = [...(await snapshot(dir))].at(-1) ?? assert.fail();
  const start = lastBlockStart(bytes);
  const lengths = Array.from({ length: Math.ceil((bytes.length - start) / step) }, (_, i) => start + i * step);
  for (const length of new Set([...lengths, bytes.length - 1])) {
    await writeFile(join(dir, name), bytes.subarray(0, length));
    const isTorn = length > start;
    const before = await verifyTrail(dir);
    assert.deepEqual([before.faults, codesOf(before)], [[], isTorn ? ['torn_tail'] : []]);
    const [head] = await runOnce(dir, [1]);
    const after = await verifyTrail(dir);
    assert.deepEqual([after.faults, codesOf(after)], [[], isTorn ? ['reported_tail'] : []]);
    assert.equal(after.processes[0]?.lines, (before.processes[0]?.lines ?? 0) + 1);
    assert.deepEqual(await readFile(join(dir, name)), bytes.subarray(0, length));
    await rm(segmentPath(dir, 'p1', head?.segment ?? 0));
  }
}

/** Tests in which a run is cut off at every `step`-th byte, and before its very last one. */
export function testCuts(step: number): void {
  test('a run cut off at any byte of its last block is continued, reported and never repaired', async (t) => {
    const dir = await temporaryDir(t);
    await runOnce(dir, [1, 1]);
    await checkCutsOfLastBlock(dir, step);
  });

  test('a run cut off at any byte of the head of its segment is continued, reported and never repaired', async (t) => {
    const dir = await temporaryDir(t);
    await runOnce(dir, [2]);
    await runOnce(dir, []);
    await checkCutsOfLastBlock(dir, step);
  });

  test('the very first run cut off in its head is continued too', async (t) => {
    const dir = await temporaryDir(t);
    await runOnce(dir, []);
    await checkCutsOfLastBlock(dir, step + 4);
  });
}
