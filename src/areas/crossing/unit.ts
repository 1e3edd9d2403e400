import { VersionedMap } from '#kernel/versioned-map.ts';
import type { Cell, Found, Query, Unit, Write } from '#platform/storage/store.ts';
import { given, listed, nothing } from '#platform/storage/table.ts';
import { decide } from './decide.ts';
import { ENDED_KEPT_MS, type Lease } from './lease/lease.ts';
import { type Mark, markerTag } from './mark/mark.ts';
import { NO_QUEUE, type Queue, type Ticket } from './lease/queue.ts';
import * as sql from './sql.ts';
import {
  type BriefSlots,
  type CrossingCommand,
  type CrossingDeed,
  type CrossingState,
  holderName,
  reopensOnce,
} from './state.ts';

export type CrossingUnit = Unit<CrossingDeed, CrossingState, typeof reads>;

/** How commands of crossing read and write their rows; `slotsOfBriefs` takes a list of ids of briefs. */
export function crossingUnitWith(slotsOfBriefs: Query<BriefSlots> | null): CrossingUnit {
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
        if (command.mark !== null) this.markers.add(markerTag(command.mark.addressTag, command.mark.key));
        break;
      case 'mark': {
        const caller = markerTag(command.addressTag, command.key);
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

/** Always the same reads, empty lists left unread by the engine. */
function reads(commands: readonly CrossingCommand[], slotsOfBriefs: Query<BriefSlots> | null) {
  const named = new Named();
  for (const command of commands) named.add(command);
  const { dueBeforeMs } = named;
  const due = dueBeforeMs < 0 ? null : [dueBeforeMs];
  return {
    leases: listed(sql.LEASES_OF_KEYS, named.keys),
    leasesBeside: listed(sql.LEASES_OF_SAME_KEYS, named.leaseIds),
    leasesDue: given(sql.LEASES_DUE, due),
    ended: listed(sql.ENDED_LEASES_BY_ID, named.leaseIds),
    endedDue: given(sql.ENDED_DUE, dueBeforeMs < 0 ? null : [dueBeforeMs - ENDED_KEPT_MS]),
    once: listed(sql.ONCE_OF_INTENTS, named.intents),
    onceGivenBack: listed(sql.ONCE_OF_LEASES, named.reopeners),
    onceDue: given(sql.ONCE_DUE, due),
    marks: listed(sql.MARKS_OF_CALLERS, named.markers),
    marksDue: given(sql.MARKS_DUE, due),
    lastHeld: listed(sql.LAST_HELD, named.holders),
    tickets: listed(sql.TICKETS_OF_KEYS, named.claimed),
    ticketsBeside: listed(sql.TICKETS_BESIDE, named.released),
    ticketsOfDueLeases: given(sql.TICKETS_OF_DUE_LEASES, due),
    ticketsDue: given(sql.TICKETS_DUE, due),
    briefSlots: slotsOfBriefs === null ? nothing<BriefSlots>() : listed(slotsOfBriefs, named.briefs),
  };
}

function load(found: Found<typeof reads>): CrossingState {
  const byKey = Map.groupBy([...found.leases, ...found.leasesBeside, ...found.leasesDue], ({ key }) => key);
  const tickets = [...found.tickets, ...found.ticketsBeside, ...found.ticketsOfDueLeases, ...found.ticketsDue];
  return {
    leases: VersionedMap.of([...byKey].map(([key, leases]) => [key, byFence(leases)] as const)),
    ended: VersionedMap.by([...found.ended, ...found.endedDue], ({ id }) => id),
    once: VersionedMap.by([...found.once, ...found.onceGivenBack, ...found.onceDue], ({ intent }) => intent),
    marks: VersionedMap.of(
      Map.groupBy(
        found.marks.toSorted((a, b) => a.seq - b.seq),
        (mark) => markerTag(mark.addressTag, mark.key),
      ),
    ),
    lastHeld: VersionedMap.by(found.lastHeld, holderName),
    queues: VersionedMap.of(queuesOf(tickets)),
    briefSlots: new Map(found.briefSlots.map((slots) => [slots.id, slots])),
    faded: VersionedMap.by(found.marksDue, ({ seq }) => String(seq)),
    keyOfLease: new Map(found.leasesBeside.map(({ id, key }) => [id, key])),
    due: {
      keys: new Set(found.leasesDue.map(({ key }) => key)),
      ended: found.endedDue.map(({ id }) => id),
      once: found.onceDue.map(({ intent }) => intent),
      marks: found.marksDue.map(({ seq }) => String(seq)),
      queues: [...new Set(found.ticketsDue.map(({ key }) => key))],
    },
  };
}

/**
 * By fence: engines give rows in their own order, and events and answers must not depend on it. A lease that several
 * reads found is one row.
 */
function byFence(leases: readonly Lease[]): Lease[] {
  const sorted = leases.toSorted((a, b) => a.fence - b.fence);
  return sorted.filter(({ fence }, place) => fence !== sorted[place - 1]?.fence);
}

function writes(before: CrossingState, after: CrossingState): readonly Write[] {
  const leasesGone: Cell[][] = [];
  const leasesChanged: Lease[] = [];
  for (const [key, was = []] of after.leases.changesSince(before.leases)) {
    const is = after.leases.get(key) ?? [];
    const left = new Set(is.map(({ id }) => id));
    const known = new Set(was);
    for (const { id } of was) if (!left.has(id)) leasesGone.push([key, id]);
    for (const lease of is) if (!known.has(lease)) leasesChanged.push(lease);
  }
  return [
    sql.LEASE.remove(leasesGone),
    sql.LEASE.upsert(leasesChanged),
    ...sql.ENDED_LEASE.diff(before.ended, after.ended),
    ...sql.ONCE.diff(before.once, after.once),
    ...ticketWrites(before.queues, after.queues),
    sql.MARK.insert(newMarks(before, after)),
    ...forgetMarks([...after.faded.changesSince(before.faded).values()].flatMap((faded) => faded?.seq ?? [])),
  ];
}

function ticketWrites(before: CrossingState['queues'], after: CrossingState['queues']): Write[] {
  const gone: Cell[][] = [];
  const put: TicketRow[] = [];
  for (const [key, was = NO_QUEUE] of after.changesSince(before)) {
    const is = after.get(key) ?? NO_QUEUE;
    const left = new Set(is.tickets.map(ownerName));
    const known = new Set(was.tickets);
    for (const ticket of was.tickets) if (!left.has(ownerName(ticket))) gone.push([key, ticket.agent, ticket.proof]);
    const isNew = (ticket: Ticket) => is.freeAtMs !== was.freeAtMs || !known.has(ticket);
    put.push(...is.tickets.filter(isNew).map((ticket) => ({ ...ticket, key, freeAtMs: is.freeAtMs })));
  }
  return [sql.TICKET.remove(gone), sql.TICKET.upsert(put)];
}

function ownerName({ agent, proof }: Ticket): string {
  return JSON.stringify([agent, proof]);
}

function newMarks(before: CrossingState, after: CrossingState): Mark[] {
  return [...after.marks.changesSince(before.marks)].flatMap(([caller, known = []]) =>
    (after.marks.get(caller) ?? []).filter((mark) => !known.includes(mark)),
  );
}

/** What else is to be deleted with the log records of marks. */
export function forgetMarks(seqs: readonly number[]): readonly Write[] {
  return [sql.MARK.remove(seqs.map((seq) => [seq]))];
}

interface TicketRow extends Ticket {
  readonly key: string;
  readonly freeAtMs: number | null;
}

export function queuesOf(rows: readonly TicketRow[]): Map<string, Queue> {
  const byKey = new Map<string, Map<number, Ticket>>();
  const freeAtMs = new Map<string, number | null>();
  for (const row of rows) {
    byKey.set(row.key, (byKey.get(row.key) ?? new Map<number, Ticket>()).set(row.place, row));
    freeAtMs.set(row.key, row.freeAtMs);
  }
  const inOrder = (tickets: Map<number, Ticket>) => [...tickets.values()].toSorted((a, b) => a.place - b.place);
  return new Map(
    [...byKey].map(([key, tickets]) => [key, { tickets: inOrder(tickets), freeAtMs: freeAtMs.get(key) ?? null }]),
  );
}
