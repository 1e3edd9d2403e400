import { Worker } from 'node:worker_threads';

/** How SQLite copies: what readers and writers allow, or so that the log then begins anew, or so that it is empty. */
export type WalTask = 'PASSIVE' | 'RESTART' | 'TRUNCATE';

/** `partial`: a reader still needs a part of the log. `failed`: nothing is known of it, the log has everything. */
export type WalOutcome = 'complete' | 'partial' | 'failed';

/** The thread with a connection of its own. It starts with the first task; one that dies is replaced at the next. */
export class WalThread implements AsyncDisposable {
  readonly #file: string;
  readonly #program: URL;
  #worker: Worker | undefined;
  #isStopping = false;
  #ended: Promise<void> | undefined;
  #answer: (outcome: WalOutcome) => void = () => {};

  constructor(file: string, program = new URL('./wal-worker.ts', import.meta.url)) {
    this.#file = file;
    this.#program = program;
  }

  /** One task at a time. */
  run(task: WalTask): Promise<WalOutcome> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      try {
        this.#worker ??= this.#start();
        // Whoever waits for the answer must not see the process end before it.
        this.#worker.ref();
        this.#worker.postMessage(task);
      } catch {
        // No room for a thread, say.
        resolve('failed');
      }
    });
  }

  /** Ends after the task that is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#worker?.ref();
    this.#worker?.postMessage('stop');
    await this.#ended;
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { workerData: this.#file, env: {} });
    worker.on('message', (outcome: WalOutcome) => {
      if (!this.#isStopping) worker.unref();
      this.#answer(outcome);
    });
    // An uncaught fault ends the thread: 'exit' tells whoever waits.
    worker.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#worker = undefined;
        this.#answer('failed');
        resolve();
      });
    });
    return worker;
  }
}
