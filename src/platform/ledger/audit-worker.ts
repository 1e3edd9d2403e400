// The thread of one audit: its own read-only connection, so that hashing a long ledger delays no call.
import { parentPort, workerData } from 'node:worker_threads';
import { workBelowNormal } from '#platform/below-normal.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openReader } from '#platform/storage/reader.ts';
import { type AuditRequest, auditLedger } from './audit.ts';

workBelowNormal();
const { location, request } = workerData as { location: DatabaseLocation; request: AuditRequest };
const reader = await openReader(location);
try {
  parentPort?.postMessage(await auditLedger(reader, request));
} finally {
  await reader.close();
}
