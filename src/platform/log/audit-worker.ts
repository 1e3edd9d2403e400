// The thread of the audit: its own read-only connection, so that hashing a long log delays no call.
import { workerData } from 'node:worker_threads';
import { systemClock } from '#kernel/clock.ts';
import { workBelowNormal } from '#platform/below-normal.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openReader } from '#platform/storage/reader.ts';
import { StorageError } from '#platform/storage/store.ts';
import { answerRequests } from '#platform/thread.ts';
import type { AuditReport, AuditRequest } from './audit-report.ts';
import { Auditor } from './auditor.ts';

export type AuditOutcome =
  | { readonly report: AuditReport }
  /** `isUnavailable`: the database; anything else is a fault of the audit itself. */
  | { readonly fault: { readonly isUnavailable: boolean; readonly message: string } };

workBelowNormal();
const reader = await openReader(workerData as DatabaseLocation);
const auditor = new Auditor(reader, systemClock());

async function outcomeOf(request: AuditRequest): Promise<AuditOutcome> {
  try {
    return { report: await auditor.run(request) };
  } catch (error) {
    return { fault: { isUnavailable: error instanceof StorageError, message: (error as Error).message } };
  }
}

answerRequests({ answer: outcomeOf, close: () => reader.close() });
