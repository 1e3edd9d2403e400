// The thread of the audit: its own read-only connection, so that hashing a long log delays no call.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#kernel/clock.ts';
import { workBelowNormal } from '#platform/below-normal.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openReader } from '#platform/storage/reader.ts';
import { StorageError } from '#platform/storage/store.ts';
import type { AuditReport, AuditRequest } from './audit-report.ts';
import { Auditor } from './auditor.ts';

export interface AuditTask {
  readonly id: number;
  readonly request: AuditRequest;
}

export type AuditOutcome = { readonly id: number } & (
  | { readonly report: AuditReport }
  /** `unavailable`: the database; anything else is a fault of the audit itself. */
  | { readonly fault: { readonly unavailable: boolean; readonly message: string } }
);

workBelowNormal();
const port = parentPort;
if (port === null) throw new Error('this file is run as a thread');
const reader = await openReader(workerData as DatabaseLocation);
const auditor = new Auditor(reader, systemClock());

async function outcomeOf({ id, request }: AuditTask): Promise<AuditOutcome> {
  try {
    return { id, report: await auditor.run(request) };
  } catch (error) {
    return { id, fault: { unavailable: error instanceof StorageError, message: (error as Error).message } };
  }
}

async function stop(): Promise<void> {
  await reader.close();
  port?.close();
}

port.on('message', (task: AuditTask | 'stop') => {
  if (task === 'stop') void stop();
  else void outcomeOf(task).then((outcome) => port.postMessage(outcome));
});
