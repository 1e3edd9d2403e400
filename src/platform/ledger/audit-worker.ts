// The thread of audits: its own read-only connection, so that hashing a long ledger delays no call.
import { workBelowNormal } from '#platform/below-normal.ts';
import type { DatabaseLocation } from '#platform/storage/engine.ts';
import { openReader } from '#platform/storage/reader.ts';
import { answerRequests } from '#platform/thread.ts';
import { auditLedger, type LedgerAuditRequest } from './audit.ts';
import type { LedgerAudit } from './state.ts';

export interface AuditTask {
  readonly location: DatabaseLocation;
  readonly request: LedgerAuditRequest;
}

workBelowNormal();
answerRequests({
  async answer({ location, request }: AuditTask): Promise<LedgerAudit> {
    const reader = await openReader(location);
    try {
      return await auditLedger(reader, request);
    } finally {
      await reader.close();
    }
  },
});
