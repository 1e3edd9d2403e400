import { Thread } from '#platform/thread.ts';

/** How SQLite copies: what readers and writers allow, or so that the log then begins anew, or so that it is empty. */
export type WalTask = 'PASSIVE' | 'RESTART' | 'TRUNCATE';

/** `partial`: a reader still needs a part of the log. `failed`: nothing is known of it, the log has everything. */
export type WalOutcome = 'complete' | 'partial' | 'failed';

/** A start costs as much as one copy: where the log fills often, the thread stays. */
const IDLE_MS = 10_000;

/** The thread with a connection of its own. Stopped, it ends after the task that is under way. */
export class WalThread implements AsyncDisposable {
  readonly #thread: Thread<WalTask, WalOutcome>;

  constructor(file: string, program = new URL('./wal-worker.ts', import.meta.url)) {
    const stopMs = Number.POSITIVE_INFINITY;
    this.#thread = new Thread({ of: 'the write-ahead log', program, workerData: file, idleMs: IDLE_MS, stopMs });
  }

  run(task: WalTask): Promise<WalOutcome> {
    // It died, or there was no room for it.
    return this.#thread.ask(task).catch((): WalOutcome => 'failed');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }
}
