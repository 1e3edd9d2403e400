import { isoTime } from '#kernel/clock.ts';
import { sameHash } from '#kernel/ids.ts';
import { releaseClaim } from '#protocol/attestation/crossing-claim.ts';
import { releaseEntry } from '#protocol/attestation/seal-entry.ts';
import {
  decideByType,
  type Decision,
  type LogEntry,
  type NextNumbers,
  type StoreEvent,
} from '#platform/storage/store.ts';
import { claimAll, decideClaim, refresh } from './lease/decide-claim.ts';
import { decideMark, leaveMark, marksToday } from './mark/decide-mark.ts';
import { endOf, expireLeases, leaseEvent, NOTHING_SAID, withEnds } from './lease/ending.ts';
import { ENDED_KEPT_MS, type EndedLease, freeAtMs, isLive, type Lease, onceIntentOf } from './lease/lease.ts';
import { MARKS_PER_DAY } from './mark/mark.ts';
import { isForfeit } from './lease/queue.ts';
import {
  type CrossingDeed,
  type CrossingState,
  leaseNamed,
  type LeasesSwept,
  type ReleaseCommand,
  type ReleaseResult,
  reopensOnce,
} from './state.ts';

type Decided<R> = Decision<CrossingState, R>;

/** Judges one command on the rows of its batch. Pure: the same state, time, numbers and command give the same answer. */
export const decide = decideByType<CrossingDeed, CrossingState>({
  claim: decideClaim,
  claim_all: claimAll,
  refresh,
  release,
  mark: decideMark,
  sweep: (state, nowMs, next, { commandId }) => sweep(state, nowMs, next, commandId),
  expire: (state, nowMs, next, { keys, commandId }) => expireKeys(state, new Set(keys), nowMs, next, commandId),
});

function release(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: ReleaseCommand,
): Decided<ReleaseResult> {
  const { lease } = leaseNamed(state, command.leaseId);
  const ended = state.ended.get(command.leaseId);
  const known = lease ?? ended;
  const moment = { rev: next.rev - 1, atMs: nowMs };
  if (known === undefined) return { state, result: { outcome: 'unknown_lease', ...moment } };
  if (!sameHash(known.tokenHash, command.tokenHash)) return { state, result: { outcome: 'bad_token', ...moment } };
  const { id, key } = known;
  if (lease === undefined || !isLive(lease, nowMs)) {
    const releasedAtMs = ended?.how === 'released' ? ended.endedAtMs : null;
    const { seq, outcome, markSeq, markRefused } = ended ?? NOTHING_SAID;
    const releaseInfo = { seq, outcome, markSeq, markRefused };
    const again = { again: true, rev: ended?.rev ?? moment.rev, atMs: nowMs };
    return { state, result: { outcome: 'released', leaseId: id, key, releasedAtMs, releaseInfo, ...again } };
  }
  const left = releaseMark(state, nowMs, { rev: next.rev + 1, seq: next.seq + 1 }, command, lease);
  const releaseInfo = { seq: next.seq, outcome: command.outcome, markSeq: left.markSeq, markRefused: left.markRefused };
  const end = { ...endOf(lease, 'released', nowMs, next.rev), ...releaseInfo };
  return {
    state: {
      ...withEnds(left.state, key, [end], { freedAtMs: nowMs, nowMs }),
      once: onceAfter(state, lease, command),
    },
    result: {
      outcome: 'released',
      again: false,
      leaseId: id,
      key,
      releasedAtMs: nowMs,
      releaseInfo,
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
  if (lease.mode !== 'once' || !reopensOnce(outcome)) return state.once;
  const intent = onceIntentOf(lease);
  return state.once.get(intent)?.fence === lease.fence ? state.once.without(intent) : state.once;
}

/** Removes the leases of these keys that are past their time, clearance included. */
function expireKeys(
  state: CrossingState,
  keys: ReadonlySet<string>,
  nowMs: number,
  next: NextNumbers,
  commandId: string,
): Decided<LeasesSwept> {
  let left = state;
  const events: StoreEvent[] = [];
  for (const key of keys) {
    const gone = (left.leases.get(key) ?? []).filter((lease) => freeAtMs(lease) <= nowMs);
    const expired = expireLeases(left, gone, nowMs, next.rev + events.length, commandId);
    left = expired.state;
    events.push(...expired.events);
  }
  return { state: left, result: { outcome: 'swept', removed: events.length }, events };
}

/** Removes what is past its time: leases (after their clearance), remembered ends, once takings. */
function sweep(state: CrossingState, nowMs: number, next: NextNumbers, commandId: string): Decided<LeasesSwept> {
  const { state: swept, events = [] } = expireKeys(state, state.due.keys, nowMs, next, commandId);
  const oldEnds = state.due.ended.filter((id) => (state.ended.get(id)?.endedAtMs ?? nowMs) + ENDED_KEPT_MS <= nowMs);
  const oldTakings = state.due.once.filter((intent) => (state.once.get(intent)?.untilMs ?? Infinity) <= nowMs);
  const oldMarks = state.due.marks.filter((seq) => (state.faded.get(seq)?.fadesAtMs ?? Infinity) <= nowMs);
  const oldQueues = state.due.queues.filter((key) => {
    return (swept.queues.get(key)?.tickets ?? []).every((ticket) => isForfeit(ticket, nowMs));
  });
  return {
    state: {
      ...swept,
      ended: oldEnds.reduce((ended, id) => ended.without(id), swept.ended),
      once: oldTakings.reduce((once, intent) => once.without(intent), swept.once),
      faded: oldMarks.reduce((faded, seq) => faded.without(seq), swept.faded),
      queues: oldQueues.reduce((queues, key) => queues.without(key), swept.queues),
    },
    result: {
      outcome: 'swept',
      removed: events.length + oldEnds.length + oldTakings.length + oldMarks.length + oldQueues.length,
    },
    events,
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
