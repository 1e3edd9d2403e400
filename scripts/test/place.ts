import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Thousands of small databases would wait for the disk; killed processes lose nothing that lies in memory either. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 30;
const PREFIX = 'avouch-test-run-';
const SAMPLE_MS = 1_000;

/** Where a run keeps its temporary data: one folder, which is gone afterwards. */
export class RunPlace implements Disposable {
  readonly folder: string;
  readonly #base: string;
  readonly #usedBefore: number;
  readonly #timer: NodeJS.Timeout;
  #peakBytes = 0;

  constructor() {
    this.#base = freeBytes(IN_MEMORY) >= ENOUGH_BYTES ? IN_MEMORY : tmpdir();
    removeAbandoned(this.#base);
    this.folder = join(this.#base, `${PREFIX}${process.pid}`);
    // A PostgreSQL server in it may run as another user.
    mkdirSync(this.folder, { mode: 0o755 });
    this.#usedBefore = freeBytes(this.#base);
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  /** The largest space that was taken at once where the folder lies, also by others. */
  get peakBytes(): number {
    this.#sample();
    return this.#peakBytes;
  }

  #sample(): void {
    this.#peakBytes = Math.max(this.#peakBytes, this.#usedBefore - freeBytes(this.#base));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes what a run left that was killed. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length)))) {
      rmSync(join(base, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
