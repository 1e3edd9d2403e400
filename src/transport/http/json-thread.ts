import { Worker } from 'node:worker_threads';
import type { ReadBody } from '#kernel/operation.ts';
import type { JsonReply, JsonTask } from './json-worker.ts';

interface Waiting {
  readonly resolve: (read: ReadBody) => void;
  readonly reject: (reason: Error) => void;
}

/** A thread at rest keeps the bodies that it was given until it is ended. */
const IDLE_MS = 5_000;

/**
 * Reads JSON in a thread of its own, which starts with the first body and ends when none has come for a while. A thread
 * that dies is replaced at the next.
 */
export class JsonThread implements AsyncDisposable {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;

  /** Rejects when the thread ends before it has answered. The bytes belong to the thread from now on. */
  read(bytes: Uint8Array): Promise<ReadBody> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    const task: JsonTask = { id: (this.#lastId += 1), bytes };
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, { resolve, reject });
      worker.postMessage(task, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #end(worker: Worker): void {
    // The next body begins a new one, also while this one is on its way out.
    if (this.#worker === worker) this.#worker = undefined;
    void worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./json-worker.ts', import.meta.url), { env: {} });
    worker.unref();
    worker.on('message', ({ id, read }: JsonReply) => {
      this.#waiting.get(id)?.resolve(read);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(worker), IDLE_MS).unref();
    });
    // An uncaught fault ends the thread: 'exit' tells those who wait.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error('the thread that reads bodies ended'));
      this.#waiting.clear();
    });
    return worker;
  }
}
