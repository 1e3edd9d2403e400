import type { LeaseId } from '#kernel/ids.ts';
import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Read, Row, Unit, Write } from '#platform/storage/store.ts';
import { decide } from './decide.ts';
import { ENDED_KEPT_MS, type EndedLease, type Lease, type LeaseMode, type OnceTaking } from './lease/lease.ts';
import { callerOf, type Mark } from './mark/mark.ts';
import { fadesAtMs } from './mark/mark-weight.ts';
import { NO_QUEUE, type Queue, type Ticket } from './lease/queue.ts';
import * as sql from './sql.ts';
import {
  type BriefSlots,
  type CrossingCommand,
  type CrossingResult,
  type CrossingState,
  reopensOnce,
  holderName,
} from './state.ts';

export type CrossingUnit = Unit<CrossingCommand, CrossingState, CrossingResult>;

/**
 * How commands of crossing read and write their rows.
 * @param slotsOfBriefs SQL with `IN (...)` for ids of briefs that gives rows of `id`, `key`, `slots` and `open_until`
 * (null: without end)
 */
export function crossingUnitWith(slotsOfBriefs: string | null): CrossingUnit {
  return { name: 'crossing', reads: (commands) => reads(commands, slotsOfBriefs), load, decide, writes };
}

/** Where no briefs are. */
export const crossingUnit = crossingUnitWith(null);

/** What the commands of a batch name. */
class Named {
  readonly keys = new Set<string>();
  readonly claimed = new Set<string>();
  /** Those that claims are for. */
  readonly briefs = new Set<string>();
  readonly leaseIds = new Set<string>();
  readonly released = new Set<string>();
  readonly intents = new Set<string>();
  /** Leases whose release may give a once intent back. */
  readonly reopeners = new Set<string>();
  /** Addresses with the keys that they leave marks on. */
  readonly markers = new Set<string>();
  /** Those of them whose leases may add to the weight of the mark. */
  readonly holders = new Set<string>();
  dueBeforeMs = Number.NEGATIVE_INFINITY;

  add(command: CrossingCommand): void {
    switch (command.type) {
      case 'claim_all':
        for (const claim of command.claims) this.add(claim);
        break;
      case 'claim':
        this.keys.add(command.key);
        this.claimed.add(command.key);
        if (command.brief !== null) this.briefs.add(command.brief.id);
        if (command.mode === 'once') this.intents.add(command.onceIntent);
        break;
      case 'refresh':
        this.leaseIds.add(command.leaseId);
        break;
      case 'release':
        this.leaseIds.add(command.leaseId);
        this.released.add(command.leaseId);
        if (reopensOnce(command.outcome)) this.reopeners.add(command.leaseId);
        if (command.mark !== null) this.markers.add(callerOf(command.mark.addressTag, command.mark.key));
        break;
      case 'mark': {
        const caller = callerOf(command.addressTag, command.key);
        this.markers.add(caller);
        if (command.proof !== null) this.leaseIds.add(command.proof.leaseId);
        else {
          this.keys.add(command.key);
          this.holders.add(caller);
        }
        break;
      }
      case 'expire':
        for (const key of command.keys) {
          this.keys.add(key);
          this.claimed.add(key);
        }
        break;
      case 'sweep':
        this.dueBeforeMs = Math.max(this.dueBeforeMs, command.dueBeforeMs);
    }
  }
}

/** Always the same reads, empty lists left unread by the engine, so that `load` knows each by its place. */
function reads(commands: readonly CrossingCommand[], slotsOfBriefs: string | null): readonly Read[] {
  const named = new Named();
  for (const command of commands) named.add(command);
  const { keys, claimed, briefs, leaseIds, released, intents, reopeners, markers, holders, dueBeforeMs } = named;
  const due = (text: string, keptMs = 0): Read =>
    dueBeforeMs < 0 ? { sql: text, list: [] } : { sql: text, params: [dueBeforeMs - keptMs] };
  return [
    { sql: sql.LEASES_OF_KEYS, list: [...keys] },
    { sql: sql.LEASES_OF_SAME_KEYS, list: [...leaseIds] },
    { sql: sql.ENDED_LEASES_BY_ID, list: [...leaseIds] },
    { sql: sql.ONCE_OF_INTENTS, list: [...intents] },
    { sql: sql.ONCE_OF_LEASES, list: [...reopeners] },
    { sql: sql.MARKS_OF_CALLERS, list: [...markers] },
    { sql: sql.LAST_HELD, list: [...holders] },
    { sql: sql.TICKETS_OF_KEYS, list: [...claimed] },
    { sql: sql.TICKETS_BESIDE, list: [...released] },
    { sql: slotsOfBriefs ?? '', list: slotsOfBriefs === null ? [] : [...briefs] },
    due(sql.LEASES_DUE),
    due(sql.ENDED_DUE, ENDED_KEPT_MS),
    due(sql.ONCE_DUE),
    due(sql.MARKS_DUE),
    due(sql.TICKETS_OF_DUE_LEASES),
    due(sql.TICKETS_DUE),
  ];
}

function load(rows: readonly (readonly Row[])[]): CrossingState {
  const [ofKeys = [], beside = [], ended = [], once = [], givenBack = [], ...others] = rows;
  const [marks = [], lastHeld = [], ofClaimed = [], ofReleased = [], briefs = [], ...swept] = others;
  const [due = [], endedDue = [], onceDue = [], marksDue = [], ofDue = [], ticketsDue = []] = swept;
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
    once: VersionedMap.of(
      [...once, ...givenBack, ...onceDue].map((row) => [row['intent'] as string, takingOf(row)] as const),
    ),
    marks: VersionedMap.of(
      Map.groupBy(
        marks.map(markOf).toSorted((a, b) => a.seq - b.seq),
        (mark) => callerOf(mark.addressTag, mark.key),
      ),
    ),
    lastHeld: VersionedMap.of(lastHeld.map(lastHeldOf)),
    queues: VersionedMap.of(queuesOf([...ofClaimed, ...ofReleased, ...ofDue, ...ticketsDue])),
    briefSlots: new Map(briefs.map((row) => [row['id'] as string, briefSlotsOf(row)])),
    faded: VersionedMap.of(marksDue.map((row) => [String(row['seq']), { seq: row['seq'] as number }] as const)),
    keyOfLease,
    due: {
      keys: new Set(due.map((row) => row['key'] as string)),
      ended: endedDue.map((row) => row['id'] as LeaseId),
      once: onceDue.map((row) => row['intent'] as string),
      marks: marksDue.map((row) => String(row['seq'])),
      queues: [...new Set(ticketsDue.map((row) => row['key'] as string))],
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
    ...ticketWrites(before.queues, after.queues),
    { sql: sql.MARK_INSERT, rows: newMarks(before, after) },
    { sql: sql.MARK_DELETE, rows: changedRows(before.faded, after.faded, () => []).gone },
  ];
}

function ticketWrites(before: CrossingState['queues'], after: CrossingState['queues']): Write[] {
  const gone: Cell[][] = [];
  const put: Cell[][] = [];
  for (const [key, was = NO_QUEUE] of after.changesSince(before)) {
    const is = after.get(key) ?? NO_QUEUE;
    const isKept = (old: Ticket) => is.tickets.some(({ agent, proof }) => agent === old.agent && proof === old.proof);
    gone.push(...was.tickets.filter((ticket) => !isKept(ticket)).map(({ agent, proof }) => [key, agent, proof]));
    const isNew = (ticket: Ticket) => is.freeAtMs !== was.freeAtMs || !was.tickets.includes(ticket);
    for (const ticket of is.tickets.filter(isNew)) {
      put.push([key, ticket.agent, ticket.proof, ticket.place, ticket.keepUntilMs, is.freeAtMs]);
    }
  }
  return [
    { sql: sql.TICKET_DELETE, rows: gone },
    { sql: sql.TICKET_UPSERT, rows: put },
  ];
}

function newMarks(before: CrossingState, after: CrossingState): Cell[][] {
  return [...after.marks.changesSince(before.marks)].flatMap(([caller, known = []]) =>
    (after.marks.get(caller) ?? []).filter((mark) => !known.includes(mark)).map(markRow),
  );
}

/** What else is to be deleted with the log records of marks. */
export function forgetMarks(seqs: readonly number[]): readonly Write[] {
  return [{ sql: sql.MARK_DELETE, rows: seqs.map((seq) => [seq]) }];
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
    outcome: row['outcome'] as EndedLease['outcome'],
    markSeq: row['mark_seq'] as number | null,
    markRefused: row['mark_refused'] as EndedLease['markRefused'],
  };
}

function endedRow(ended: EndedLease): Cell[] {
  const { id, key, agent, tokenHash, addressTag, mode, fence, how, endedAtMs, rev, seq } = ended;
  const { outcome, markSeq, markRefused } = ended;
  return [id, key, agent, tokenHash, addressTag, mode, fence, how, endedAtMs, rev, seq, outcome, markSeq, markRefused];
}

function takingOf(row: Row): OnceTaking {
  return { untilMs: row['until'] as number, fence: row['fence'] as number };
}

function markOf(row: Row): Mark {
  return {
    seq: row['seq'] as number,
    rev: row['rev'] as number,
    key: row['key'] as string,
    kind: row['kind'] as Mark['kind'],
    agent: row['agent'] as string,
    note: row['note'] as string | null,
    evidence: row['evidence'] as string | null,
    leased: row['leased'] === 1,
    addressTag: row['addr'] as string,
    atMs: row['at'] as number,
  };
}

function markRow(mark: Mark): Cell[] {
  const { seq, rev, key, kind, agent, note, evidence, leased, addressTag, atMs } = mark;
  return [seq, rev, key, kind, agent, note, evidence, leased ? 1 : 0, addressTag, atMs, fadesAtMs(mark)];
}

function lastHeldOf(row: Row): readonly [string, { endedAtMs: number }] {
  const holder = { key: row['key'] as string, addressTag: row['addr'] as string, agent: row['agent'] as string };
  return [holderName(holder), { endedAtMs: row['ended_at'] as number }];
}

export function queuesOf(rows: readonly Row[]): Map<string, Queue> {
  const byKey = new Map<string, Map<number, Ticket>>();
  const freeAtMs = new Map<string, number | null>();
  for (const row of rows) {
    const key = row['key'] as string;
    const place = row['place'] as number;
    const owner = { agent: row['agent'] as string, proof: row['proof'] as string };
    const tickets = byKey.get(key) ?? new Map<number, Ticket>();
    byKey.set(key, tickets.set(place, { ...owner, place, keepUntilMs: row['keep_until'] as number }));
    freeAtMs.set(key, row['free_at'] as number | null);
  }
  const inOrder = (tickets: Map<number, Ticket>) => [...tickets.values()].toSorted((a, b) => a.place - b.place);
  return new Map(
    [...byKey].map(([key, tickets]) => [key, { tickets: inOrder(tickets), freeAtMs: freeAtMs.get(key) ?? null }]),
  );
}

function briefSlotsOf(row: Row): BriefSlots {
  const { key, slots, open_until: openUntilMs } = row as { key: string; slots: number; open_until: number | null };
  return { key, slots, openUntilMs };
}
