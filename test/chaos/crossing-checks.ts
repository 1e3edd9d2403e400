// What crossing promises beyond its leases, replayed from events, log entries and marks beside what clients were told.
import { DAY_MS } from '#kernel/clock.ts';
import type { CrossingRows } from '../support/events.ts';
import type { Acknowledged, History } from './history.ts';

/** A 409 of a claim. */
export interface Refused {
  readonly key: string;
  readonly agent: string;
  readonly mode: string;
  readonly slots?: number;
  readonly code: string;
  readonly waitSeconds: number;
  /** The newest revision when it was refused. */
  readonly rev: number;
  readonly at: number;
}

/** A 200 of a mark. */
export interface LeftMark {
  readonly key: string;
  readonly agent: string;
  readonly kind: string;
  readonly rev: number;
  readonly log: number;
  readonly at: number;
}

export interface SeenTicket {
  readonly key: string;
  readonly agent: string;
  readonly position: number;
  readonly rev: number;
  readonly at: number;
  readonly keepUntil: number;
}

/** Keys that only this batch ever claimed. */
export interface SentBatch {
  readonly agent: string;
  readonly keys: readonly string[];
}

export interface Told {
  readonly acknowledged: readonly Acknowledged[];
  readonly refused: readonly Refused[];
  readonly marks: readonly LeftMark[];
  readonly tickets: readonly SeenTicket[];
  readonly batches: readonly SentBatch[];
}

interface Event {
  readonly rev: number;
  readonly key: string;
  readonly type: string;
  readonly at: number;
  readonly id: string;
  readonly agent: string;
  readonly mode: string;
  readonly kind?: string;
  readonly fence: number;
  readonly expires_at: number;
  readonly log?: number;
}

const CLEARANCE_MS = 15_000;
const TURN_MS = 10_000;
const ONCE_MS = 30 * DAY_MS;

/** Sentences about everything that breaks a promise. Pure. */
export function checkCrossing(history: History, { entries, marks }: CrossingRows, told: Told): string[] {
  const events = history.events.map(({ body, ...row }): Event => ({ ...JSON.parse(body), ...row }));
  const leaves = entries.map(({ leaf }) => JSON.parse(leaf) as Record<string, unknown>);
  return [
    ...checkLog(events, entries, leaves, told),
    ...checkMarks(events, leaves, marks, told.marks),
    ...checkBatches(events, told.batches),
    ...new Replay(events, leaves, told).found,
  ];
}

/** Releases and marks are in the log at their number, each once, and nothing of crossing else. */
function checkLog(
  events: readonly Event[],
  entries: CrossingRows['entries'],
  leaves: readonly Record<string, unknown>[],
  { acknowledged }: Told,
): string[] {
  const found = entries.flatMap(({ seq }, index) => (seq === index ? [] : [`log entry ${seq} stands at ${index}`]));
  const expected = new Map<number, string>();
  for (const { type, log, rev, fence, kind } of events) {
    if (type !== 'release' && type !== 'mark') continue;
    const leaf = leaves[log ?? -1];
    const isSame = leaf?.['type'] === type && (type === 'mark' ? leaf['kind'] === kind : leaf['fence'] === fence);
    if (!isSame) found.push(`rev ${rev}, ${type}, is not the log entry ${log}`);
    if (log !== undefined && expected.has(log)) found.push(`log entry ${log} stands for two events`);
    expected.set(log ?? -1, type);
  }
  leaves.forEach((leaf, seq) => {
    const isOurs = leaf['type'] === 'release' || leaf['type'] === 'mark';
    if (isOurs && !expected.has(seq)) found.push(`log entry ${seq}, ${String(leaf['type'])}, has no event`);
  });
  for (const { logged, rev, fence } of acknowledged) {
    if (logged === undefined) continue;
    const leaf = leaves[logged.log];
    if (leaf?.['fence'] !== fence || leaf['outcome'] !== logged.outcome) {
      found.push(`the release of rev ${rev} is not the log entry ${logged.log} that was answered`);
    }
    const mark = logged.markLog === null ? undefined : leaves[logged.markLog];
    if (logged.markLog !== null && mark?.['kind'] !== logged.outcome) {
      found.push(`the mark of the release of rev ${rev} is not the log entry ${logged.markLog}`);
    }
  }
  return found;
}

function checkMarks(
  events: readonly Event[],
  leaves: readonly Record<string, unknown>[],
  rows: CrossingRows['marks'],
  told: readonly LeftMark[],
): string[] {
  const byRev = new Map(events.map((event) => [event.rev, event]));
  const found: string[] = [];
  for (const mark of told) {
    const event = byRev.get(mark.rev);
    const names = ['key', 'agent', 'kind', 'log', 'at'] as const;
    const differing = names.filter((name) => event?.[name] !== mark[name]);
    if (event?.type !== 'mark' || differing.length > 0) {
      found.push(`the mark answered with rev ${mark.rev} differs from its event in ${differing.join(', ')}`);
    }
    if (leaves[mark.log]?.['kind'] !== mark.kind) found.push(`the mark of rev ${mark.rev} is not in the log`);
  }
  const callers = Map.groupBy(rows, ({ key, addr, at }) => `${key} ${addr} ${Math.floor(at / DAY_MS)}`);
  for (const [caller, group] of callers) {
    if (group.length > 3) found.push(`${group.length} marks of one address on one key and day: ${caller}`);
  }
  return found;
}

function checkBatches(events: readonly Event[], batches: readonly SentBatch[]): string[] {
  const claimed = new Set(events.filter(({ type }) => type === 'claim').map(({ key, agent }) => `${key} by ${agent}`));
  return batches.flatMap(({ agent, keys }) => {
    const granted = keys.filter((key) => claimed.has(`${key} by ${agent}`)).length;
    return granted === 0 || granted === keys.length
      ? []
      : [`${granted} of ${keys.join(', ')} were granted to ${agent}`];
  });
}

/** Goes through the events once more, with each refusal and ticket at the revision that it names. */
class Replay {
  readonly found: string[] = [];
  readonly #leases = new Map<string, Map<number, Event>>();
  readonly #taken = new Map<string, { until: number; fence: number }>();
  readonly #outcomes = new Map<number, unknown>();
  readonly #slots = new Map<number, number>();
  /** The first in the line of a key, as it was told last. */
  readonly #heads = new Map<string, SeenTicket>();
  readonly #freedAt = new Map<string, number>();

  constructor(events: readonly Event[], leaves: readonly Record<string, unknown>[], told: Told) {
    for (const leaf of leaves)
      if (leaf['type'] === 'release') this.#outcomes.set(leaf['fence'] as number, leaf['outcome']);
    for (const { call, repeats, slots, rev } of told.acknowledged) {
      if (call === 'claim' && !repeats && slots !== undefined) this.#slots.set(rev, slots);
    }
    const refusals = Map.groupBy(told.refused, ({ rev }) => rev);
    const tickets = Map.groupBy(told.tickets, ({ rev }) => rev);
    let expiredBefore: Event | undefined;
    for (const event of events) {
      this.#apply(event, expiredBefore);
      expiredBefore = event.type === 'expire' ? event : undefined;
      for (const refused of refusals.get(event.rev) ?? []) this.#checkRefusal(refused);
      for (const ticket of tickets.get(event.rev) ?? []) {
        if (ticket.position === 1) this.#heads.set(ticket.key, ticket);
      }
    }
  }

  #apply(event: Event, before: Event | undefined): void {
    const leases = this.#leasesOf(event.key);
    switch (event.type) {
      case 'claim':
        this.#checkSlots(event, leases);
        if (event.mode === 'once') this.#checkOnce(event, before);
        if (before?.id !== event.id || before.at >= before.expires_at + CLEARANCE_MS) this.#checkTurn(event);
        this.#heads.delete(event.key);
        leases.set(event.fence, event);
        break;
      case 'refresh':
        leases.set(event.fence, event);
        break;
      case 'release':
      case 'expire': {
        leases.delete(event.fence);
        const outcome = event.type === 'release' ? this.#outcomes.get(event.fence) : undefined;
        const isGivenBack = outcome === 'failed' || outcome === 'declined';
        if (isGivenBack && this.#taken.get(event.key)?.fence === event.fence) this.#taken.delete(event.key);
        this.#freedAt.set(event.key, event.type === 'release' ? event.at : freeAt(event));
      }
    }
  }

  #checkSlots({ rev, key, agent, at, mode }: Event, leases: ReadonlyMap<number, Event>): void {
    const slots = this.#slots.get(rev);
    const others = [...leases.values()].filter((lease) => lease.expires_at > at && lease.agent !== agent);
    if (mode === 'shared' && slots !== undefined && others.length >= slots) {
      this.found.push(`rev ${rev} grants ${key} beside ${others.length} others, ${slots} were asked for`);
    }
  }

  /** The crowd gives no intent, so that the key itself happens once. */
  #checkOnce({ rev, key, at, fence, id }: Event, before: Event | undefined): void {
    const taking = this.#taken.get(key);
    const isTaken = taking !== undefined && taking.until > at;
    const resumes = before?.id === id && before.fence === taking?.fence && before.at < freeAt(before);
    if (isTaken && !resumes) this.found.push(`rev ${rev} takes ${key} a second time`);
    this.#taken.set(key, { until: isTaken ? taking.until : at + ONCE_MS, fence });
  }

  /** Who was first in the line when the key freed has ten seconds in which nobody else gets it. */
  #checkTurn({ rev, key, agent, at }: Event): void {
    const head = this.#heads.get(key);
    const freed = this.#freedAt.get(key);
    if (head === undefined || freed === undefined || head.agent === agent) return;
    const isItsTurn = freed >= head.at && head.keepUntil > freed && at >= freed && at < freed + TURN_MS;
    const isAlone = [...this.#leasesOf(key).values()].every((lease) => lease.expires_at <= at);
    if (isItsTurn && isAlone) this.found.push(`rev ${rev} grants ${key} to ${agent} in the turn of ${head.agent}`);
  }

  #checkRefusal({ key, agent, mode, slots, code, waitSeconds, rev, at }: Refused): void {
    if (typeof waitSeconds !== 'number') this.found.push(`the refusal ${code} at rev ${rev} names no wait`);
    if (code !== 'held' && code !== 'slots_full' && code !== 'already_yours') return;
    const leases = [...this.#leasesOf(key).values()];
    const free = mode === 'shared' ? freeForShared(leases, agent, slots) : Math.max(0, ...leases.map(freeAt));
    if (free <= at) this.found.push(`${agent} was refused ${key} as ${code} at rev ${rev}, which was free`);
    if (at + 1_000 * waitSeconds < free) {
      this.found.push(
        `${agent} was told to wait ${waitSeconds} s for ${key} at rev ${rev}, which takes ${free - at} ms`,
      );
    }
  }

  #leasesOf(key: string): Map<number, Event> {
    let leases = this.#leases.get(key);
    if (leases === undefined) this.#leases.set(key, (leases = new Map()));
    return leases;
  }
}

function freeAt({ mode, expires_at: end }: Event): number {
  return mode === 'shared' ? end : end + CLEARANCE_MS;
}

/** When the last solitary lease and the agent's own are gone and fewer than `slots` others are left. */
function freeForShared(leases: readonly Event[], agent: string, slots = Infinity): number {
  const ends = leases.filter((lease) => lease.mode === 'shared' && lease.agent !== agent).map(freeAt);
  const sorted = ends.toSorted((a, b) => a - b);
  const room = sorted.length < slots ? 0 : (sorted[sorted.length - slots] ?? 0);
  const blocking = leases.filter((lease) => lease.mode !== 'shared' || lease.agent === agent).map(freeAt);
  return Math.max(room, 0, ...blocking);
}
