import { leaseId, sameHash } from '#kernel/ids.ts';
import { isoTime } from '#kernel/clock.ts';
import { releaseClaim } from '#protocol/attestation/crossing-claim.ts';
import { releaseEntry } from '#protocol/attestation/seal-entry.ts';
import type { Decision, LogEntry, NextNumbers, StoreEvent } from '#storage/store.ts';
import {
  isInClearance,
  isLive,
  isSolitary,
  type EndedLease,
  ENDED_KEPT_MS,
  freeAtMs,
  type Lease,
  ONCE_MS,
  onceIntentOf,
} from './lease.ts';
import { decideMark, leaveMark, marksToday } from './decide-mark.ts';
import { MARKS_PER_DAY } from './mark.ts';
import {
  type ClaimCommand,
  type ClaimRefusalCode,
  type ClaimResult,
  type CrossingCommand,
  type CrossingResult,
  type CrossingState,
  givesBack,
  holderName,
  leaseNamed,
  type RefreshCommand,
  type ReleaseCommand,
  type ReleaseResult,
  type SweepResult,
} from './state.ts';

type Decided<R> = Decision<CrossingState, R>;

/** Judges one command on the rows of its batch. Pure: the same state, time, numbers and command give the same answer. */
export function decide(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: CrossingCommand,
): Decided<CrossingResult> {
  switch (command.type) {
    case 'claim':
      return claim(state, nowMs, next, command);
    case 'refresh':
      return refresh(state, nowMs, next, command);
    case 'release':
      return release(state, nowMs, next, command);
    case 'mark':
      return decideMark(state, nowMs, next, command);
    case 'sweep':
      return sweep(state, nowMs, next, command.commandId);
  }
}

function claim(state: CrossingState, nowMs: number, next: NextNumbers, command: ClaimCommand): Decided<ClaimResult> {
  const rows = state.leases.get(command.key) ?? [];
  const live = rows.filter((lease) => isLive(lease, nowMs));
  const proves = (lease: Lease) => command.givenTokenHash !== null && sameHash(lease.tokenHash, command.givenTokenHash);
  const own = live.find((lease) => lease.agent === command.agent);
  if (own !== undefined && own.mode === command.mode && proves(own)) {
    // The event of the grant is the one that a retry repeats, and its revision is the fence.
    const result = granted('repeated', own, live, { rev: own.fence, atMs: nowMs });
    return { state, result };
  }
  const refusal = refusalOf(state, rows, nowMs, command, proves);
  if (refusal !== null) {
    const holders = live.filter((lease) => lease.agent !== command.agent);
    return { state, result: { outcome: 'refused', rev: next.rev - 1, atMs: nowMs, holders, ...refusal } };
  }
  return grant(state, rows, nowMs, next, command);
}

/** The guards of a claim in their order; the first that applies decides. */
function refusalOf(
  state: CrossingState,
  rows: readonly Lease[],
  nowMs: number,
  command: ClaimCommand,
  proves: (lease: Lease) => boolean,
): { code: ClaimRefusalCode; waitMs: number; own?: Lease } | null {
  const live = rows.filter((lease) => isLive(lease, nowMs));
  const others = live.filter((lease) => lease.agent !== command.agent);
  const own = live.find((lease) => lease.agent === command.agent);
  const lapsed = rows.filter((lease) => isInClearance(lease, nowMs));
  const taking = command.mode === 'once' ? state.once.get(command.onceIntent) : undefined;
  const untilFree = (leases: readonly Lease[]) => Math.max(...leases.map(freeAtMs)) - nowMs;

  if (command.hops !== null && command.hops < 0) return { code: 'hop_limit', waitMs: 0 };
  if (command.mode === 'once' && command.publicVenue) return { code: 'public_venue', waitMs: 0 };
  if (taking !== undefined && taking.untilMs > nowMs) {
    const resumes = lapsed.some((lease) => lease.fence === taking.fence && proves(lease));
    if (!resumes) return { code: 'once_taken', waitMs: taking.untilMs - nowMs };
  }
  if (own !== undefined) return { code: 'already_yours', waitMs: untilFree([own]), own };
  if (others.some((lease) => isSolitary(lease.mode))) return { code: 'held', waitMs: untilFree(others) };
  const foreign = lapsed.filter((lease) => !proves(lease));
  if (foreign.length > 0) return { code: 'in_clearance', waitMs: untilFree(foreign) };
  if (isSolitary(command.mode) && others.length > 0) return { code: 'held', waitMs: untilFree(others) };
  if (!isSolitary(command.mode) && command.slots !== null && others.length >= command.slots) {
    const ends = others.map((lease) => lease.expiresAtMs).toSorted((a, b) => a - b);
    return { code: 'slots_full', waitMs: (ends[others.length - command.slots] as number) - nowMs };
  }
  return null;
}

function grant(
  state: CrossingState,
  rows: readonly Lease[],
  nowMs: number,
  next: NextNumbers,
  command: ClaimCommand,
): Decided<ClaimResult> {
  // Whatever is no longer live leaves with this grant: its time is over, or its own holder claims anew in clearance.
  const gone = rows.filter((lease) => !isLive(lease, nowMs));
  const expired = expire(state, gone, nowMs, next.rev, command.commandId);
  const fence = next.rev + gone.length;
  const lease: Lease = {
    key: command.key,
    id: leaseId(fence, command.leaseSalt),
    agent: command.agent,
    mode: command.mode,
    tokenHash: command.givenTokenHash ?? command.newTokenHash,
    intent: command.intent,
    hops: command.hops,
    addressTag: command.addressTag,
    sinceMs: nowMs,
    evidenceAtMs: null,
    expiresAtMs: nowMs + command.ttlMs,
    fence,
  };
  const live = [...(expired.state.leases.get(command.key) ?? []), lease];
  const taken = state.once.get(command.onceIntent);
  // A taking that its old holder resumes keeps its end: the thirty days run from the first grant.
  const untilMs = taken !== undefined && taken.untilMs > nowMs ? taken.untilMs : nowMs + ONCE_MS;
  return {
    state: {
      ...expired.state,
      leases: expired.state.leases.with(command.key, live),
      once: command.mode === 'once' ? state.once.with(command.onceIntent, { untilMs, fence }) : state.once,
    },
    result: granted('granted', lease, live, { rev: fence, atMs: nowMs }),
    events: [...expired.events, leaseEvent('claim', lease, command.commandId)],
  };
}

function refresh(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: RefreshCommand,
): Decided<ClaimResult> {
  const moment = { rev: next.rev - 1, atMs: nowMs };
  const { lease, rows } = leaseNamed(state, command.leaseId);
  if (lease === undefined || !isLive(lease, nowMs)) {
    return { state, result: { outcome: 'refused', code: 'lease_lost', waitMs: 0, holders: [], ...moment } };
  }
  if (!sameHash(lease.tokenHash, command.tokenHash)) return { state, result: { outcome: 'bad_token', ...moment } };
  if (lease.key !== command.key) return { state, result: { outcome: 'other_key', ...moment } };
  const refreshed: Lease = { ...lease, expiresAtMs: Math.max(lease.expiresAtMs, nowMs + command.ttlMs) };
  const after = rows.map((row) => (row.id === lease.id ? refreshed : row));
  const live = after.filter((row) => isLive(row, nowMs));
  return {
    state: { ...state, leases: state.leases.with(lease.key, after) },
    result: granted('refreshed', refreshed, live, { rev: next.rev, atMs: nowMs }),
    events: [leaseEvent('refresh', refreshed, command.commandId)],
  };
}

const NOTHING_SAID = { seq: null, outcome: null, markSeq: null, markRefused: null };

function release(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: ReleaseCommand,
): Decided<ReleaseResult> {
  const { lease, rows } = leaseNamed(state, command.leaseId);
  const ended = state.ended.get(command.leaseId);
  const known = lease ?? ended;
  const moment = { rev: next.rev - 1, atMs: nowMs };
  if (known === undefined) return { state, result: { outcome: 'unknown_lease', ...moment } };
  if (!sameHash(known.tokenHash, command.tokenHash)) return { state, result: { outcome: 'bad_token', ...moment } };
  const { id, key } = known;
  if (lease === undefined || !isLive(lease, nowMs)) {
    const releasedAtMs = ended?.how === 'released' ? ended.endedAtMs : null;
    const { seq, outcome, markSeq, markRefused } = ended ?? NOTHING_SAID;
    const said = { seq, outcome, markSeq, markRefused };
    const again = { again: true, rev: ended?.rev ?? moment.rev, atMs: nowMs };
    return { state, result: { outcome: 'released', leaseId: id, key, releasedAtMs, said, ...again } };
  }
  const left = releaseMark(state, nowMs, { rev: next.rev + 1, seq: next.seq + 1 }, command, lease);
  const said = { seq: next.seq, outcome: command.outcome, markSeq: left.markSeq, markRefused: left.markRefused };
  const end = { ...endOf(lease, 'released', nowMs, next.rev), ...said };
  return {
    state: {
      ...withEnd(left.state, end),
      leases: withRows(
        state,
        key,
        rows.filter((row) => row.id !== id),
      ),
      once: onceAfter(state, lease, command),
    },
    result: {
      outcome: 'released',
      again: false,
      leaseId: id,
      key,
      releasedAtMs: nowMs,
      said,
      rev: next.rev,
      atMs: nowMs,
    },
    events: [leaseEvent('release', lease, command.commandId, { log: next.seq }), ...left.events],
    entries: [logEntry(lease, command, nowMs), ...left.entries],
  };
}

/** A release never fails because of its mark: it says why it left none. */
function releaseMark(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: ReleaseCommand,
  lease: Lease,
): Required<Pick<Decided<never>, 'state' | 'events' | 'entries'>> & Pick<EndedLease, 'markSeq' | 'markRefused'> {
  const none = { state, markSeq: null, events: [], entries: [] };
  const { outcome, mark, ruleRefused, commandId, sandbox } = command;
  if (outcome === null) return { ...none, markRefused: null };
  if (ruleRefused) return { ...none, markRefused: 'rule_refused' };
  // The service read the key of the lease, which never changes, before it sent the command.
  if (mark === null || mark.key !== lease.key) throw new Error('the mark of a release names another key');
  if (marksToday(state, mark, nowMs).length >= MARKS_PER_DAY) return { ...none, markRefused: 'mark_limit' };
  const statement = { ...mark, kind: outcome, agent: lease.agent, commandId, sandbox };
  const left = leaveMark(state, nowMs, next, statement, true);
  return {
    state: left.state,
    markSeq: left.mark.seq,
    markRefused: null,
    events: left.events ?? [],
    entries: left.entries ?? [],
  };
}

/** Whoever took a once intent and says that it did not happen gives it back. */
function onceAfter(state: CrossingState, lease: Lease, { outcome }: ReleaseCommand): CrossingState['once'] {
  const intent = onceIntentOf(lease);
  const isGivenBack = lease.mode === 'once' && givesBack(outcome) && state.once.get(intent)?.fence === lease.fence;
  return isGivenBack ? state.once.without(intent) : state.once;
}

/** Removes what is past its time: leases (after their clearance), remembered ends, once takings. */
function sweep(state: CrossingState, nowMs: number, next: NextNumbers, commandId: string): Decided<SweepResult> {
  let swept = state;
  const events: StoreEvent[] = [];
  for (const key of state.due.keys) {
    const gone = (swept.leases.get(key) ?? []).filter((lease) => freeAtMs(lease) <= nowMs);
    const expired = expire(swept, gone, nowMs, next.rev + events.length, commandId);
    swept = expired.state;
    events.push(...expired.events);
  }
  const oldEnds = state.due.ended.filter((id) => (state.ended.get(id)?.endedAtMs ?? nowMs) + ENDED_KEPT_MS <= nowMs);
  const oldTakings = state.due.once.filter((intent) => (state.once.get(intent)?.untilMs ?? Infinity) <= nowMs);
  return {
    state: {
      ...swept,
      ended: oldEnds.reduce((ended, id) => ended.without(id), swept.ended),
      once: oldTakings.reduce((once, intent) => once.without(intent), swept.once),
      faded: state.due.marks.reduce((faded, seq) => faded.without(seq), swept.faded),
    },
    result: {
      outcome: 'swept',
      removed: events.length + oldEnds.length + oldTakings.length + state.due.marks.length,
    },
    events,
  };
}

/** Moves leases of one key from the live rows to the remembered ends, one event each. */
function expire(
  state: CrossingState,
  gone: readonly Lease[],
  nowMs: number,
  firstRev: number,
  commandId: string,
): { state: CrossingState; events: StoreEvent[] } {
  const [first] = gone;
  if (first === undefined) return { state, events: [] };
  const left = (state.leases.get(first.key) ?? []).filter((lease) => !gone.includes(lease));
  let after: CrossingState = { ...state, leases: withRows(state, first.key, left) };
  gone.forEach((lease, index) => {
    after = withEnd(after, endOf(lease, 'expired', nowMs, firstRev + index));
  });
  return {
    state: after,
    events: gone.map((lease) => leaseEvent('expire', lease, commandId)),
  };
}

function withRows(state: CrossingState, key: string, rows: readonly Lease[]): CrossingState['leases'] {
  return rows.length === 0 ? state.leases.without(key) : state.leases.with(key, rows);
}

function granted(
  outcome: 'granted' | 'refreshed' | 'repeated',
  lease: Lease,
  live: readonly Lease[],
  moment: { rev: number; atMs: number },
): ClaimResult {
  const otherAgents = live.filter((row) => row.agent !== lease.agent).length;
  return { outcome, lease, otherAgents, position: otherAgents + 1, ...moment };
}

function endOf(lease: Lease, how: EndedLease['how'], endedAtMs: number, rev: number): EndedLease {
  const { id, key, agent, tokenHash, addressTag, mode, fence } = lease;
  return { id, key, agent, tokenHash, addressTag, mode, fence, how, endedAtMs, rev, ...NOTHING_SAID };
}

function withEnd(state: CrossingState, end: EndedLease): CrossingState {
  return {
    ...state,
    ended: state.ended.with(end.id, end),
    lastHeld: state.lastHeld.with(holderName(end), { endedAtMs: end.endedAtMs }),
  };
}

/** What the public log keeps of a release: its fence, and commitments to key, agent and lease. */
function logEntry(lease: Lease, { sandbox, seed, nonce, outcome }: ReleaseCommand, nowMs: number): LogEntry {
  const committed = releaseClaim({ key: lease.key, agent: lease.agent, lease: lease.id });
  return releaseEntry(
    { claim: committed, fence: lease.fence, outcome, seed, nonce },
    { sandbox, sealedAt: isoTime(nowMs) },
  );
}

/** What watchers of the key may see, with the random id of the command that made it. */
function leaseEvent(type: string, lease: Lease, commandId: string, more: { log?: number } = {}): StoreEvent {
  const { agent, mode, fence, expiresAtMs } = lease;
  const body = JSON.stringify({ id: commandId, agent, mode, fence, expires_at: expiresAtMs, ...more });
  return { key: lease.key, type, body };
}
