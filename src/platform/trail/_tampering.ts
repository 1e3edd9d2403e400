// Trails of random runs, and every way to change them afterwards.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from '#properties';
import { linesOf, restore, runOnce, type Snapshot, segmentText, snapshot, temporaryDir } from './_fixture.ts';
import type { TrailHead } from './segment-writer.ts';
import { verifyTrail } from './verify.ts';

/** Runs of a process, each a list of blocks, each a number of lines; a small segment size gives several segments. */
const plans = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});

export async function randomTrail(t: TestContext, plan: readonly (readonly number[])[]) {
  const dir = await temporaryDir(t);
  const heads: TrailHead[] = [];
  for (const blocks of plan) heads.push(...(await runOnce(dir, blocks, { segmentBytes: 700 })));
  return { files: await snapshot(dir), heads };
}

/** Holds for any trail and any way in which `tamper` changes one of its files; null means there is nothing to change. */
async function isAlwaysFound(
  { t, runs }: { readonly t: TestContext; readonly runs: number },
  tamper: (bytes: Buffer, pick: number, isNewest: boolean) => Buffer | null,
) {
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), fc.nat(), async (plan, pickFile, pick) => {
      const { files } = await randomTrail(t, plan);
      const names = [...files.keys()];
      const name = names[pickFile % names.length] ?? assert.fail();
      const tampered = tamper(files.get(name) ?? assert.fail(), pick, name === names.at(-1));
      fc.pre(tampered !== null);
      const dir = await restore(t, files.set(name, tampered));
      assert.equal((await verifyTrail(dir)).ok, false);
    }),
    { numRuns: runs },
  );
}

/** The trail as it was when it had only this many bytes; files after the cut are gone. */
function cutAfter(files: Snapshot, length: number): Snapshot {
  const kept: Snapshot = new Map();
  let left = length;
  for (const [name, bytes] of files) {
    if (left > 0) kept.set(name, bytes.subarray(0, left));
    left -= bytes.length;
  }
  return kept;
}

/** Tests of what is found: each property with so many runs, and every `step`-th byte of a block. */
export function testTampering({ runs, step }: { readonly runs: number; readonly step: number }): void {
  test('any single changed byte is found', async (t) => {
    await isAlwaysFound({ t, runs }, (bytes, pick) => {
      const changed = Buffer.from(bytes);
      const at = pick % bytes.length;
      changed[at] = (bytes[at] ?? 0) ^ (1 + ((pick >>> 8) % 255));
      return changed;
    });
  });

  test('a changed byte of the last block is found at every place, also when it becomes a newline', async (t) => {
    const { files } = await randomTrail(t, [[1]]);
    const [name, bytes] = [...files].at(-1) ?? assert.fail();
    const start = segmentText(linesOf(bytes).slice(0, -2)).length;
    const dir = await restore(t, files);
    for (let at = start; at < bytes.length; at += step) {
      for (const byte of [0x0a, (bytes[at] ?? 0) ^ 1]) {
        if (byte === bytes[at]) continue;
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        await writeFile(join(dir, name), changed);
        assert.equal((await verifyTrail(dir)).ok, false, `byte ${at} as ${byte}`);
      }
    }
  });

  test('any removed line is found, except the last seal of the newest segment', async (t) => {
    await isAlwaysFound({ t, runs }, (bytes, pick, isNewest) => {
      const lines = linesOf(bytes);
      const at = pick % (isNewest ? lines.length - 1 : lines.length);
      return segmentText(lines.toSpliced(at, 1));
    });
  });

  test('any two swapped lines are found', async (t) => {
    await isAlwaysFound({ t, runs }, (bytes, pick) => {
      const lines = linesOf(bytes);
      const a = pick % lines.length;
      const b = (pick >>> 8) % lines.length;
      if (a === b) return null;
      const [first = '', second = ''] = [lines[a], lines[b]];
      return segmentText(lines.with(a, second).with(b, first));
    });
  });

  test('any duplicated line is found', async (t) => {
    await isAlwaysFound({ t, runs }, (bytes, pick) => {
      const lines = linesOf(bytes);
      const at = pick % lines.length;
      return segmentText(lines.toSpliced(at, 0, lines[at] ?? ''));
    });
  });

  test('any removed segment but the newest is found', async (t) => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat(), async (plan, pick) => {
        const { files } = await randomTrail(t, plan);
        const names = [...files.keys()];
        fc.pre(names.length > 1);
        files.delete(names[pick % (names.length - 1)] ?? '');
        const { faults } = await verifyTrail(await restore(t, files));
        assert.deepEqual(
          faults.map(({ code }) => code),
          ['segment_missing'],
        );
      }),
      { numRuns: runs / 2 },
    );
  });

  test('a trail cut off before an anchor is found; one cut off after its last anchor is not', async (t) => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat(), fc.nat(), async (plan, pickAnchor, pickCut) => {
        const { files, heads } = await randomTrail(t, plan);
        const anchor = heads[pickAnchor % heads.length] ?? assert.fail();
        const all = Buffer.concat([...files.values()]).toString('latin1');
        const anchorEnd = all.indexOf(`"hash":"${anchor.hash}"`) + 75;
        const length = pickCut % all.length;
        const dir = await restore(t, cutAfter(files, length));
        const { faults } = await verifyTrail(dir, [anchor]);
        assert.deepEqual(
          faults.map(({ code }) => code),
          length < anchorEnd ? ['anchor_missing'] : [],
        );
      }),
      { numRuns: runs },
    );
  });
}
