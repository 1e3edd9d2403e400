import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import fc from '#properties';
import { ManualClock } from '#kernel/clock.ts';
import type { TrailEntry } from './call-line.ts';
import { nodeFiles, type TrailFile, type TrailFiles } from './files.ts';
import { Trail, type TrailOptions } from './trail.ts';

export const START_MS = Date.UTC(2026, 8, 21, 12);

/** A call with a short line: several tests go through every byte of it. */
export function call(i: number): TrailEntry {
  return {
    atMs: START_MS + i,
    op: i % 3 === 0 ? 'claim' : 'spend_fuse',
    status: 200,
    agent: i % 2 === 0 ? `agent-${i}` : null,
    params: ['key'],
  };
}

export async function temporaryDir(t: Pick<TestContext, 'after'>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'trail-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Real files that are not forced to the disk: the tests read them back through the page cache. */
export const quickFiles: TrailFiles = {
  async create(path) {
    const file = await nodeFiles.create(path);
    return { ...file, sync: () => Promise.resolve() };
  },
};

/** A disk with limited room. A write beyond it puts down what fits, then fails, as a full disk does. */
export class SmallDisk implements TrailFiles {
  room = Number.POSITIVE_INFINITY;
  /** Says after each write whether it was taken. */
  onWrite: (taken: boolean) => void = () => undefined;

  async create(path: string): Promise<TrailFile> {
    if (this.room <= 0) throw diskFull();
    const file = await quickFiles.create(path);
    return { ...file, write: (bytes, position) => this.#write(file, bytes, position) };
  }

  async #write(file: TrailFile, bytes: Uint8Array, position: number): Promise<number> {
    const fitting = bytes.subarray(0, Math.min(bytes.length, this.room));
    this.room -= fitting.length;
    if (fitting.length > 0) await file.write(fitting, position);
    this.onWrite(fitting.length === bytes.length);
    if (fitting.length === 0) throw diskFull();
    return fitting.length;
  }
}

function diskFull(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

export function openTrail(dir: string, options: Partial<TrailOptions> = {}): Promise<Trail> {
  return Trail.open({ dir, process: 'p1', clock: new ManualClock(START_MS), files: quickFiles, ...options });
}

/** One run of a process: each number is a block of so many lines. Returns the head after each block. */
export async function runOnce(dir: string, blocks: readonly number[], options: Partial<TrailOptions> = {}) {
  await using trail = await openTrail(dir, options);
  const heads = [trail.head()];
  for (const lines of blocks) {
    for (let i = 0; i < lines; i += 1) trail.record(call(i));
    heads.push(await trail.sync());
  }
  return heads;
}

export type Snapshot = Map<string, Buffer>;

/** All files of a directory, by name. */
export async function snapshot(dir: string): Promise<Snapshot> {
  const names = (await readdir(dir)).sort();
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name))] as const)));
}

/** Puts files into an empty directory of their own. */
export async function restore(t: Pick<TestContext, 'after'>, files: Snapshot): Promise<string> {
  const dir = await temporaryDir(t);
  await Promise.all([...files].map(([name, bytes]) => writeFile(join(dir, name), bytes)));
  return dir;
}

/** The lines of a segment, each with its newline. */
export function linesOf(bytes: Buffer): string[] {
  return bytes.toString('latin1').split(/(?<=\n)/);
}

export function segmentText(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'latin1');
}

/** Any sequence of UTF-16 code units, halves of pairs included. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat({ max: 0xffff }), { maxLength }).map((units) => String.fromCharCode(...units));
}
