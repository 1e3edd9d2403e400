import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { StorageError } from '#platform/storage/store.ts';
import type { AuditReport, AuditRequest } from './audit-report.ts';
import type { AuditOutcome, AuditTask } from './audit-worker.ts';

/** A thread that is in the middle of a long read is not waited for longer. */
const STOP_MS = 1_000;

interface Waiting {
  readonly resolve: (report: AuditReport) => void;
  readonly reject: (reason: Error) => void;
}

/** Runs audits in a thread of its own, which starts with the first one. A thread that dies is replaced at the next. */
export class AuditThread implements AsyncDisposable {
  readonly #location: DatabaseLocation;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #stopped = false;

  constructor(location: DatabaseLocation) {
    this.#location = location;
  }

  run(request: AuditRequest): Promise<AuditReport> {
    if (this.#stopped) return Promise.reject(new StorageError('closed', 'the service is stopping'));
    const worker = (this.#worker ??= this.#start());
    const task: AuditTask = { id: (this.#lastId += 1), request };
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, { resolve, reject });
      worker.postMessage(task);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = once(worker, 'exit');
    worker.postMessage('stop');
    const forced = setTimeout(() => void worker.terminate(), STOP_MS);
    await exited;
    clearTimeout(forced);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./audit-worker.ts', import.meta.url), { workerData: this.#location, env: {} });
    worker.unref();
    worker.on('message', (outcome: AuditOutcome) => this.#settle(outcome));
    // An uncaught fault ends the thread: 'exit' tells those who wait.
    worker.on('error', () => {});
    worker.on('exit', () => this.#lost(worker));
    return worker;
  }

  #settle(outcome: AuditOutcome): void {
    const waiting = this.#waiting.get(outcome.id);
    this.#waiting.delete(outcome.id);
    if ('report' in outcome) return waiting?.resolve(outcome.report);
    const { unavailable, message } = outcome.fault;
    waiting?.reject(unavailable ? new StorageError('unavailable', message) : new Error(message));
  }

  #lost(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) {
      reject(new StorageError(this.#stopped ? 'closed' : 'unavailable', 'the thread of the audit ended'));
    }
    this.#waiting.clear();
  }
}
