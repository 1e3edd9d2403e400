import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { StorageError } from '#platform/storage/store.ts';
import { Thread, ThreadEndedError } from '#platform/thread.ts';
import type { AuditReport, AuditRequest } from './audit-report.ts';
import type { AuditOutcome } from './audit-worker.ts';

/** A thread that is in the middle of a long read is not waited for longer. */
const STOP_MS = 1_000;
const IDLE_MS = 5_000;

/** Runs audits in a thread of its own. */
export class AuditThread implements AsyncDisposable {
  readonly #thread: Thread<AuditRequest, AuditOutcome>;

  constructor(location: DatabaseLocation) {
    const program = new URL('./audit-worker.ts', import.meta.url);
    this.#thread = new Thread({ of: 'the audit', program, workerData: location, idleMs: IDLE_MS, stopMs: STOP_MS });
  }

  async run(request: AuditRequest): Promise<AuditReport> {
    const outcome = await this.#thread.ask(request).catch((error: Error) => {
      if (!(error instanceof ThreadEndedError)) throw error;
      throw new StorageError(error.isStopped ? 'closed' : 'unavailable', error.message);
    });
    if ('report' in outcome) return outcome.report;
    const { isUnavailable, message } = outcome.fault;
    throw isUnavailable ? new StorageError('unavailable', message) : new Error(message);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }
}
