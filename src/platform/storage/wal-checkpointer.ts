import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { WalOutcome, WalTask, WalThread } from './wal-thread.ts';

type Thread = Pick<WalThread, 'run' | typeof Symbol.asyncDispose>;

/** Sizes of the write-ahead log, in pages. */
export interface WalLimits {
  /** The thread copies when the database file lacks so many pages. */
  readonly copyPages: number;
  /** After a copy, a log of so many pages begins anew. */
  readonly restartPages: number;
  /** A log of so many pages gives its room on the disk back when it begins anew. */
  readonly truncatePages: number;
  /** From here on the engine's own connection copies where the thread fails. */
  readonly hardPages: number;
}

export interface WalSize {
  readonly logPages: number;
  /** How many of them are in the database file too. */
  readonly copiedPages: number;
}

const PAGES_PER_MIB = 256;
export const WAL_LIMITS: WalLimits = {
  copyPages: 32 * PAGES_PER_MIB,
  restartPages: 64 * PAGES_PER_MIB,
  truncatePages: 256 * PAGES_PER_MIB,
  hardPages: 512 * PAGES_PER_MIB,
};
/** So little is copied in a few milliseconds. */
const FEW_PAGES = 4 * PAGES_PER_MIB;
const MAX_ROUNDS = 4;

/**
 * Keeps the write-ahead log short, off the event loop. After each commit it looks at the size of the log, and a thread
 * copies it into the database file when it has grown enough. Size and not time decides: each copy writes the hot pages
 * again.
 *
 * While writers go on, a copy does not reach the end of the log, and only a log that was copied to its end begins anew.
 * Its last part is therefore copied while the next transaction waits (`hold`); the loop goes on.
 *
 * Durability does not rest on it: a commit syncs the log before it is answered, and SQLite overwrites nothing in the log
 * before the database file that holds it is synced. A process that dies amid a copy has lost nothing.
 */
export class WalCheckpointer {
  readonly #database: DatabaseSync;
  readonly #thread: Thread;
  readonly #limits: WalLimits;
  readonly #size: StatementSync;
  #underWay: Promise<void> | undefined;
  #hold: Promise<void> | undefined;
  /** The size at the last copy: one that a reader cut short is not tried again before the log has grown. */
  #triedPages = 0;
  /** Writers wait for the copy that is under way when the log has so many pages. */
  #waitPages = 0;
  #threadFails = false;
  #isClosed = false;

  constructor(database: DatabaseSync, thread: Thread, limits = WAL_LIMITS) {
    this.#database = database;
    this.#thread = thread;
    this.#limits = limits;
    // NOOP copies nothing and tells the size, in 2 µs.
    this.#size = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    this.#size.setReturnArrays(true);
  }

  /** What the next transaction must wait for. */
  get hold(): Promise<void> | undefined {
    return this.#hold;
  }

  /** Never throws: what was committed is committed. */
  afterCommit(): void {
    const { logPages, copiedPages } = this.size();
    const { copyPages, hardPages } = this.#limits;
    if (this.#underWay !== undefined) {
      // Writers are faster than the disk copies.
      if (logPages >= this.#waitPages) this.#hold ??= this.#underWay;
      return;
    }
    if (logPages < this.#triedPages) this.#triedPages = 0;
    if (logPages - Math.max(copiedPages, this.#triedPages) < copyPages) return;
    this.#triedPages = logPages;
    this.#waitPages = logPages + Math.max(copyPages, logPages - copiedPages);
    // The disk must not fill because a thread cannot be had. This pauses the loop, as a last resort.
    if (this.#threadFails && logPages >= hardPages) this.#copyHere();
    else void this.#begin(() => this.#copy());
  }

  /** Empties the log, as far as no reader needs it. */
  async empty(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay;
    const { logPages, copiedPages } = this.size();
    const isLong = logPages - copiedPages > FEW_PAGES;
    if (isLong) await this.#begin(() => this.#finish('TRUNCATE'));
    if (!isLong || this.#threadFails) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Resolves when no copy is under way. */
  async settled(): Promise<void> {
    while (this.#underWay !== undefined) await this.#underWay;
  }

  /** Before the database itself is closed: the last connection removes the log. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread[Symbol.asyncDispose]();
    await this.settled();
  }

  size(): WalSize {
    try {
      const [, logPages, copiedPages] = this.#size.get() as unknown as [busy: number, log: number, copied: number];
      return { logPages, copiedPages };
    } catch {
      return { logPages: 0, copiedPages: 0 };
    }
  }

  #begin(work: () => Promise<void>): Promise<void> {
    this.#underWay = Promise.resolve()
      .then(work)
      .finally(() => {
        this.#underWay = undefined;
        this.#hold = undefined;
      });
    return this.#underWay;
  }

  async #copy(): Promise<void> {
    const { restartPages, truncatePages } = this.#limits;
    for (let round = 1; ; round += 1) {
      if ((await this.#inThread('PASSIVE')) !== 'complete') return;
      const { logPages, copiedPages } = this.size();
      const leftPages = logPages - copiedPages;
      // The file keeps its room also where the log has begun anew by itself meanwhile.
      const isHuge = Math.max(logPages, this.#triedPages) >= truncatePages;
      if (!isHuge && (logPages < restartPages || leftPages === 0)) return;
      // What came meanwhile is copied in the same way as long as it is much.
      if (leftPages > FEW_PAGES && round < MAX_ROUNDS) continue;
      return this.#finish(isHuge ? 'TRUNCATE' : 'RESTART');
    }
  }

  async #finish(task: WalTask): Promise<void> {
    this.#hold = this.#underWay;
    await this.#inThread(task);
  }

  async #inThread(task: WalTask): Promise<WalOutcome> {
    const outcome = this.#isClosed ? 'failed' : await this.#thread.run(task);
    this.#threadFails = outcome === 'failed';
    return outcome;
  }

  #copyHere(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // The disk, which the next commit will tell of.
    }
  }
}
