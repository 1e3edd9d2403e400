import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { verifyTrail } from '#platform/trail/verify.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { TestService } from '../../support/service.ts';
import { readHistory } from '../../support/events.ts';
import { checkHistory } from '../../chaos/history.ts';
import { type Journal } from '../../support/journal.ts';
import { crowd, replayLive, watchedSend } from '../../support/load.ts';
import { newSeed } from '../../support/random.ts';
import { until } from '../../support/until.ts';

const DISK_SIZE = '24m';

const skip = !canMount() && 'mounting the small disk that this test fills is not permitted here';

suite('a full disk under SQLite', { skip }, () => {
  test('refuses writes with 503, goes on telling its state, and recovers by itself when there is room again', async (t) => {
    await using disk = await SmallDisk.mount();
    await fillAndFree(t, disk, join(disk.path, 'data'));
  });

  test('does the same where only the database is on it and the audit trail has room', async (t) => {
    await using disk = await SmallDisk.mount();
    const dataDir = join(disk.path, 'data');
    await mkdir(dataDir);
    await symlink(disk.elsewhere, join(dataDir, 'trail'));
    const outcomes = await fillAndFree(t, disk, dataDir);
    assert.ok(outcomes.has('503 storage_unavailable'), [...outcomes].join(', '));
  });
});

async function fillAndFree(t: TestContext, disk: SmallDisk, dataDir: string): Promise<ReadonlySet<string>> {
  await using service = await TestService.start({ dataDir, env: { AVOUCH_EVENT_DAYS: '0' } });
  const seed = newSeed();
  const agents = crowd({ seed });
  const { journal } = agents;
  const send = watchedSend(journal, (path, body) => service.call(path, { method: 'POST', body }));
  await using running = agents.start(send);
  const recoveriesMs: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) recoveriesMs.push(await fillAndFreeOnce(service, disk, journal));
  await until('all is well again', async () => (await service.call('/system/status')).json['status'] === 'operational');
  assert.equal((await service.call('/api/v1/health')).json['status'], 'ok');
  await running.stop();
  const replayed = await replayLive(journal, send);
  t.diagnostic(JSON.stringify({ seed, recoveriesMs, replayed, ...Object.fromEntries(journal.counts) }));
  const found = checkHistory(await readHistory(dataDir, undefined), journal.acknowledged, journal.denied);
  assert.deepEqual([...journal.wrong, ...journal.lost, ...found], [], `seed ${seed}`);
  assert.deepEqual((await verifyTrail(join(dataDir, 'trail'))).faults, []);
  return new Set(journal.counts.keys());
}

/** Gives how long after the disk had room again the first write was acknowledged. */
async function fillAndFreeOnce(service: TestService, disk: SmallDisk, journal: Journal): Promise<number> {
  const { acknowledged } = journal;
  const goal = acknowledged.length + 50;
  await until('writes are acknowledged', () => acknowledged.length >= goal);
  disk.fill();
  const refusedBefore = refusedOf(journal);
  await until('writes are refused', () => refusedOf(journal) > refusedBefore + 20);
  await until('the outage shows', async () => (await service.call('/system/status')).json['status'] === 'outage');
  // A write that fits into pages that are free already may still succeed, and then all is well for a moment.
  await until('health shows it too', async () => {
    const { status, json } = await service.call('/api/v1/health');
    return status === 503 || json['status'] === 'degraded';
  });
  disk.free();
  const freedMs = performance.now();
  const before = acknowledged.length;
  // The promise is that no restart is needed.
  await until('writes are acknowledged again', () => acknowledged.length > before);
  return Math.round(performance.now() - freedMs);
}

function refusedOf({ counts }: Journal): number {
  return [...counts].reduce((sum, [outcome, count]) => (outcome.startsWith('503') ? sum + count : sum), 0);
}

/** Root may not mount either, in a container without the right to. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const path = mkdtempSync(join(tmpdir(), 'avouch-test-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' });
    execFileSync('umount', [path]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(path);
  }
}

/** A file system in memory with little room, and a file that takes what is left of it. */
class SmallDisk implements AsyncDisposable {
  readonly path: string;
  /** A directory that is not on the small disk. */
  readonly elsewhere: string;
  readonly #ballast: string;

  private constructor(path: string, elsewhere: string) {
    this.path = path;
    this.elsewhere = elsewhere;
    this.#ballast = join(path, 'ballast');
  }

  static async mount(): Promise<SmallDisk> {
    const [path, elsewhere] = await Promise.all([temporaryDirectory(), temporaryDirectory()]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'tmpfs', path]);
    return new SmallDisk(path, elsewhere);
  }

  /** Takes all the room that is left. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    const block = Buffer.alloc(4_096, 1);
    try {
      while (statfsSync(this.path).bfree > 0) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    execFileSync('umount', [this.path]);
    await Promise.all([this.path, this.elsewhere].map((path) => rm(path, { recursive: true, force: true })));
  }
}
