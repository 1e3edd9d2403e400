import type { TrailEntry } from '#trail/call-line.ts';
import type { CallRecord } from '#transport/http/exchange.ts';

/** The line of the audit trail for one call: names of parameters, never their values. */
export function trailEntry(call: CallRecord, atMs: number): TrailEntry {
  return {
    atMs,
    op: call.operationId ?? 'none',
    method: call.method,
    status: call.status,
    ms: Math.round(call.durationMs),
    addr: call.addressTag === null ? null : call.addressTag.slice(0, 16),
    agent: call.agent,
    inBytes: call.bytesIn,
    outBytes: call.bytesOut,
    params: call.parameterNames,
    code: call.code,
  };
}
