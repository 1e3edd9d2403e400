// A database that keeps what was committed and fails in every way that an engine may, as a seed says.
import type { Decide, Engine, Ask } from '#platform/storage/engine.ts';
import type { SqliteEngine } from '#platform/storage/sqlite.ts';
import { type Cell, type Read, type Row, StorageError } from '#platform/storage/store.ts';
import type { Chance, VirtualTime } from './time.ts';

/** What becomes of a batch: a fault before or after its commit, with or without the end of the process. */
const FATES = {
  fine: 930,
  slow: 20,
  conflict: 12,
  unavailable: 12,
  unknown_lost: 6,
  unknown_kept: 6,
  crash_before: 5,
  crash_after: 5,
} as const;
type Fate = keyof typeof FATES;

export interface SimEngineOptions {
  readonly inner: SqliteEngine;
  readonly time: VirtualTime;
  readonly chance: Chance;
  /** Ends the process that this engine belongs to. */
  readonly crash: () => void;
  readonly count: (what: string) => void;
  /** Takes a safeguard away: the time of the newest write is not told. */
  readonly forgetsTime?: boolean;
}

const NEVER = new Promise<never>(() => {});
const UNDONE = new Error('the transaction was rolled back on purpose');

/** One connection of one process. Once the process is dead, nothing of it goes on: its calls are never answered. */
export class SimEngine implements Engine {
  readonly name = 'sqlite';
  readonly #options: SimEngineOptions;
  #isDead = false;
  isCalm = false;

  constructor(options: SimEngineOptions) {
    this.#options = options;
  }

  async batch(reads: readonly Read[], decide: Decide): Promise<void> {
    const { time, chance, inner, crash, count, forgetsTime } = this.#options;
    const fate: Fate = this.isCalm ? 'fine' : chance.among(FATES);
    if (fate !== 'fine') count(fate);
    await time.sleep(fate === 'slow' ? chance.span(1_000, 40_000) : chance.span(1, 20));
    if (this.#isDead) return NEVER;
    if (fate === 'conflict') throw new StorageError('conflict', 'another process writes');
    if (fate === 'unavailable') throw new StorageError('unavailable', 'the disk is full');
    const isLost = fate === 'unknown_lost' || fate === 'crash_before';
    try {
      await inner.batch(reads, (opened) => {
        const writes = decide(forgetsTime === true ? { ...opened, atMs: 0 } : opened);
        if (isLost) throw UNDONE;
        return writes;
      });
    } catch (error) {
      if (error !== UNDONE) throw error;
    }
    if (fate === 'crash_before' || fate === 'crash_after') crash();
    else await time.sleep(chance.span(1, 20));
    if (this.#isDead) return NEVER;
    if (fate === 'unknown_lost' || fate === 'unknown_kept') throw new StorageError('unknown', 'the connection broke');
  }

  async read(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    return this.#isDead ? NEVER : this.#options.inner.read(sql, params);
  }

  readConfirmed(sql: string, params: readonly Cell[]): Promise<readonly Row[]> {
    return this.read(sql, params);
  }

  exclusively<T>(work: (query: Ask) => Promise<T>): Promise<T> {
    return this.#options.inner.exclusively(work);
  }

  durability() {
    return this.#options.inner.durability();
  }

  checkDurability(): Promise<void> {
    return this.#options.inner.checkDurability();
  }

  scrub(): Promise<void> {
    return this.#options.inner.scrub();
  }

  close(): Promise<void> {
    return this.#options.inner.close();
  }

  /** What was committed stays; everything else of this process is gone. */
  async die(): Promise<void> {
    this.#isDead = true;
    await this.#options.inner.close();
  }
}
