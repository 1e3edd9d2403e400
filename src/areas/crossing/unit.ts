import type { LeaseId } from '#kernel/ids.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Read, Row, Unit, Write } from '#storage/store.ts';
import { decide } from './decide.ts';
import type { EndedLease, Lease, LeaseMode, OnceTaking } from './lease.ts';
import * as sql from './sql.ts';
import type { CrossingCommand, CrossingResult, CrossingState } from './state.ts';

/** How commands of crossing read and write their rows. */
export const crossingUnit: Unit<CrossingCommand, CrossingState, CrossingResult> = {
  name: 'crossing',
  reads,
  load,
  decide,
  writes,
};

/** Always the same seven reads, empty lists left unread by the engine, so that `load` knows each by its place. */
function reads(commands: readonly CrossingCommand[]): readonly Read[] {
  const keys = new Set<string>();
  const leaseIds = new Set<string>();
  const intents = new Set<string>();
  let dueBeforeMs = Number.NEGATIVE_INFINITY;
  for (const command of commands) {
    if (command.type === 'claim') {
      keys.add(command.key);
      if (command.mode === 'once') intents.add(command.onceIntent);
    } else if (command.type === 'expire') for (const key of command.keys) keys.add(key);
    else if (command.type === 'sweep') dueBeforeMs = Math.max(dueBeforeMs, command.dueBeforeMs);
    else leaseIds.add(command.leaseId);
  }
  const due = (text: string): Read =>
    dueBeforeMs < 0 ? { sql: text, list: [] } : { sql: text, params: [dueBeforeMs] };
  return [
    { sql: sql.LEASES_OF_KEYS, list: [...keys] },
    { sql: sql.LEASES_BESIDE, list: [...leaseIds] },
    { sql: sql.ENDED_OF_IDS, list: [...leaseIds] },
    { sql: sql.ONCE_OF_INTENTS, list: [...intents] },
    due(sql.LEASES_DUE),
    due(sql.ENDED_DUE),
    due(sql.ONCE_DUE),
  ];
}

function load(rows: readonly (readonly Row[])[]): CrossingState {
  const [ofKeys = [], beside = [], ended = [], once = [], due = [], endedDue = [], onceDue = []] = rows;
  const byKey = new Map<string, Map<LeaseId, Lease>>();
  const keyOfLease = new Map<LeaseId, string>();
  for (const row of [...ofKeys, ...beside, ...due]) {
    const lease = leaseOf(row);
    keyOfLease.set(lease.id, lease.key);
    const leases = byKey.get(lease.key);
    if (leases === undefined) byKey.set(lease.key, new Map([[lease.id, lease]]));
    else leases.set(lease.id, lease);
  }
  return {
    // By fence: engines give rows in their own order, and events and answers must not depend on it.
    leases: VersionedMap.of([...byKey].map(([key, leases]) => [key, [...leases.values()].toSorted(byFence)] as const)),
    ended: VersionedMap.of([...ended, ...endedDue].map((row) => [row['id'] as LeaseId, endedOf(row)] as const)),
    once: VersionedMap.of([...once, ...onceDue].map((row) => [row['intent'] as string, takingOf(row)] as const)),
    keyOfLease,
    due: {
      keys: new Set(due.map((row) => row['key'] as string)),
      ended: endedDue.map((row) => row['id'] as LeaseId),
      once: onceDue.map((row) => row['intent'] as string),
    },
  };
}

function byFence(a: Lease, b: Lease): number {
  return a.fence - b.fence;
}

function writes(before: CrossingState, after: CrossingState): readonly Write[] {
  const leasesGone: Cell[][] = [];
  const leasesChanged: Cell[][] = [];
  for (const [key, rowsBefore = []] of after.leases.changesSince(before.leases)) {
    const rowsAfter = after.leases.get(key) ?? [];
    for (const lease of rowsBefore) if (!rowsAfter.some((row) => row.id === lease.id)) leasesGone.push([key, lease.id]);
    for (const lease of rowsAfter) if (!rowsBefore.includes(lease)) leasesChanged.push(leaseRow(lease));
  }
  const ended = changedRows(before.ended, after.ended, endedRow);
  const once = changedRows(before.once, after.once, (taking, intent) => [intent, taking.untilMs, taking.fence]);
  return [
    { sql: sql.LEASE_DELETE, rows: leasesGone },
    { sql: sql.LEASE_UPSERT, rows: leasesChanged },
    { sql: sql.ENDED_DELETE, rows: ended.gone },
    { sql: sql.ENDED_INSERT, rows: ended.put },
    { sql: sql.ONCE_DELETE, rows: once.gone },
    { sql: sql.ONCE_UPSERT, rows: once.put },
  ];
}

function changedRows<K extends string, V extends object>(
  before: VersionedMap<K, V>,
  after: VersionedMap<K, V>,
  rowOf: (value: V, key: K) => Cell[],
): { gone: Cell[][]; put: Cell[][] } {
  const gone: Cell[][] = [];
  const put: Cell[][] = [];
  for (const [key, valueBefore] of after.changesSince(before)) {
    const value = after.get(key);
    if (value !== undefined) put.push(rowOf(value, key));
    else if (valueBefore !== undefined) gone.push([key]);
  }
  return { gone, put };
}

export function leaseOf(row: Row): Lease {
  return {
    key: row['key'] as string,
    id: row['id'] as LeaseId,
    agent: row['agent'] as string,
    mode: row['mode'] as LeaseMode,
    tokenHash: row['tok'] as string,
    intent: row['intent'] as string | null,
    hops: row['hops'] as number | null,
    addressTag: row['addr'] as string,
    sinceMs: row['since'] as number,
    evidenceAtMs: row['evidence_at'] as number | null,
    expiresAtMs: row['expires_at'] as number,
    fence: row['fence'] as number,
  };
}

function leaseRow(lease: Lease): Cell[] {
  const { key, id, agent, mode, tokenHash, intent, hops, addressTag, sinceMs, evidenceAtMs, expiresAtMs, fence } =
    lease;
  return [key, id, agent, mode, tokenHash, intent, hops, addressTag, sinceMs, evidenceAtMs, expiresAtMs, fence];
}

function endedOf(row: Row): EndedLease {
  return {
    id: row['id'] as LeaseId,
    key: row['key'] as string,
    agent: row['agent'] as string,
    tokenHash: row['tok'] as string,
    addressTag: row['addr'] as string,
    mode: row['mode'] as LeaseMode,
    fence: row['fence'] as number,
    how: row['how'] as EndedLease['how'],
    endedAtMs: row['ended_at'] as number,
    rev: row['rev'] as number,
    seq: row['seq'] as number | null,
  };
}

function endedRow(ended: EndedLease): Cell[] {
  const { id, key, agent, tokenHash, addressTag, mode, fence, how, endedAtMs, rev, seq } = ended;
  return [id, key, agent, tokenHash, addressTag, mode, fence, how, endedAtMs, rev, seq];
}

function takingOf(row: Row): OnceTaking {
  return { untilMs: row['until'] as number, fence: row['fence'] as number };
}
