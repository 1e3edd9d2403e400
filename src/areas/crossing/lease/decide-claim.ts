import { leaseId, sameHash } from '#kernel/ids.ts';
import type { Decision, NextNumbers, StoreEvent } from '#platform/storage/store.ts';
import type { ClearanceCause } from './clearance.ts';
import { expireLeases, leaseEvent } from './ending.ts';
import { freeAtMs, isExclusive, isInClearance, isLive, type Lease, ONCE_MS } from './lease.ts';
import { NO_QUEUE, type Queue, queued, served, settled, waitForTurnsMs } from './queue.ts';
import {
  type ClaimAllCommand,
  type ClaimAllResult,
  type ClaimCommand,
  type ClaimRefusalCode,
  type ClaimRefused,
  type ClaimResult,
  type CrossingMoment,
  type CrossingState,
  leaseNamed,
  type RefreshCommand,
  type SlotCap,
  slotCap,
} from '../state.ts';
import { MAX_QUEUED_ATTEMPT, retryInSeconds } from './wait-hint.ts';

type Decided<R> = Decision<CrossingState, R>;

type Verdict =
  | { readonly is: 'repeated'; readonly own: Lease }
  | { readonly is: 'free' }
  | {
      readonly is: 'refused';
      readonly code: ClaimRefusalCode;
      readonly waitMs: number;
      readonly own?: Lease;
      readonly cap?: SlotCap;
      readonly clearance?: ClearanceCause;
    };

const FREE: Verdict = { is: 'free' };

/** What is known of the key of a claim. */
interface KeyView {
  readonly rows: readonly Lease[];
  readonly live: readonly Lease[];
  readonly others: readonly Lease[];
  readonly queue: Queue;
}

interface Judged {
  readonly command: ClaimCommand;
  readonly view: KeyView;
  readonly verdict: Verdict;
}

export function decideClaim(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: ClaimCommand,
): Decided<ClaimResult> {
  if (namesOtherBrief(state, command))
    return { state, result: { outcome: 'other_brief', rev: next.rev - 1, atMs: nowMs } };
  return carryOut(state, nowMs, next, judge(state, nowMs, command));
}

/** Several keys, all or none. They are different keys, so that each is judged as if it were alone. */
export function claimAll(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  { claims }: ClaimAllCommand,
): Decided<ClaimAllResult> {
  const judged = claims.map((command) => judge(state, nowMs, command));
  const [first, ...more] = judged.flatMap(({ command, view, verdict }) =>
    verdict.is === 'refused' ? [{ command, view, verdict }] : [],
  );
  if (first !== undefined) {
    const { command, view, verdict } = first;
    const told = refusedResult(view, { rev: next.rev - 1, atMs: nowMs }, command, verdict);
    const others = more.map((one) => ({ key: one.command.key, code: one.verdict.code, waitMs: one.verdict.waitMs }));
    return { state, result: { outcome: 'none', refused: [told, ...others] } };
  }
  let after = state;
  const events: StoreEvent[] = [];
  const results = judged.map((one) => {
    const decided = carryOut(after, nowMs, { ...next, rev: next.rev + events.length }, one);
    after = decided.state;
    events.push(...(decided.events ?? []));
    return decided.result;
  });
  return { state: after, result: { outcome: 'all', results }, events };
}

/** A link that is no brief's is a key like any other; a brief that is named must be one of the key. */
function namesOtherBrief({ briefSlots }: CrossingState, { brief, key }: ClaimCommand): boolean {
  return brief?.by === 'parameter' && briefSlots.get(brief.id)?.key !== key;
}

function viewOf(state: CrossingState, nowMs: number, { key, agent }: ClaimCommand): KeyView {
  const rows = state.leases.get(key) ?? [];
  const live = rows.filter((lease) => isLive(lease, nowMs));
  const others = live.filter((lease) => lease.agent !== agent);
  const known = state.queues.get(key);
  if (known === undefined) return { rows, live, others, queue: NO_QUEUE };
  const isFree = live.length === 0 && !rows.some((lease) => isInClearance(lease, nowMs));
  const freeSinceMs = isFree ? Math.max(known.freeAtMs ?? 0, ...rows.map(freeAtMs)) : null;
  return { rows, live, others, queue: settled(known, freeSinceMs, nowMs) };
}

function judge(state: CrossingState, nowMs: number, command: ClaimCommand): Judged {
  const view = viewOf(state, nowMs, command);
  return { command, view, verdict: verdictOn(state, view, nowMs, command) };
}

function carryOut(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  { command, view, verdict }: Judged,
): Decided<ClaimResult> {
  switch (verdict.is) {
    case 'repeated':
      // The event of the grant is the one that a retry repeats, and its revision is the fence.
      return { state, result: granted('repeated', verdict.own, view.live, { rev: verdict.own.fence, atMs: nowMs }) };
    case 'free':
      return grant(state, view, nowMs, next, command);
    case 'refused':
      return refuse(state, view, { rev: next.rev - 1, atMs: nowMs }, command, verdict);
  }
}

/** The guards of a claim in their order; the first that applies decides. */
function verdictOn(state: CrossingState, view: KeyView, nowMs: number, command: ClaimCommand): Verdict {
  const { rows, live } = view;
  const { mode, hops } = command;
  const own = live.find((lease) => lease.agent === command.agent);
  const taking = mode === 'once' ? state.once.get(command.onceIntent) : undefined;

  if (own !== undefined && own.mode === mode && proves(command, own)) return { is: 'repeated', own };
  if (hops !== null && hops < 0) return refused('hop_limit', 0);
  if (mode === 'once' && command.publicVenue) return refused('public_venue', 0);
  if (taking !== undefined && taking.untilMs > nowMs) {
    const lapsed = rows.find((lease) => lease.fence === taking.fence && isInClearance(lease, nowMs));
    const resumes = lapsed !== undefined && proves(command, lapsed);
    if (!resumes) return refused('once_taken', taking.untilMs - nowMs);
  }
  const verdict = judgeOthers(state, view, nowMs, command);
  if (own === undefined) return verdict;
  // Whoever returns when its own lease is over must not meet the others then.
  const othersMs = verdict.is === 'refused' ? verdict.waitMs : 0;
  return { is: 'refused', code: 'already_yours', waitMs: Math.max(freeAtMs(own) - nowMs, othersMs), own };
}

/** The guards that protect what others hold or wait for. */
function judgeOthers(state: CrossingState, view: KeyView, nowMs: number, command: ClaimCommand): Verdict {
  const { rows, others, queue } = view;
  const untilFree = (leases: readonly Lease[]) => Math.max(...leases.map(freeAtMs)) - nowMs;
  if (others.some((lease) => isExclusive(lease.mode))) return refused('held', untilFree(others));
  const foreign = rows.filter((lease) => isInClearance(lease, nowMs) && !proves(command, lease));
  if (foreign.length > 0) return { ...refused('in_clearance', untilFree(foreign)), clearance: 'grace_period' };
  const turnsMs = waitForTurnsMs(queue, command, nowMs);
  if (turnsMs > 0) return { ...refused('in_clearance', turnsMs), clearance: 'queue' };
  if (isExclusive(command.mode)) return others.length > 0 ? refused('held', untilFree(others)) : FREE;
  const cap = slotCap(state, nowMs, command);
  if (others.length < cap.slots) return FREE;
  const ends = others.map((lease) => lease.expiresAtMs).toSorted((a, b) => a - b);
  return { ...refused('slots_full', (ends[others.length - cap.slots] as number) - nowMs), cap };
}

function proves({ givenTokenHash }: ClaimCommand, lease: Lease): boolean {
  return givenTokenHash !== null && sameHash(lease.tokenHash, givenTokenHash);
}

function refused(code: ClaimRefusalCode, waitMs: number): Refused {
  return { is: 'refused', code, waitMs };
}

type Refused = Extract<Verdict, { is: 'refused' }>;

function refusedResult(
  { others }: KeyView,
  moment: CrossingMoment,
  { key }: ClaimCommand,
  { is: _is, ...verdict }: Refused,
): ClaimRefused {
  return { outcome: 'refused', key, holders: others, ...verdict, ...moment };
}

/** A refused caller who asks for it gets a place in the line, or keeps the one that it has. */
function refuse(
  state: CrossingState,
  view: KeyView,
  moment: CrossingMoment,
  command: ClaimCommand,
  verdict: Refused,
): Decided<ClaimResult> {
  const { key, agent, attempt } = command;
  const result = refusedResult(view, moment, command, verdict);
  const canWait = isExclusive(command.mode) && (verdict.code === 'held' || verdict.code === 'in_clearance');
  if (!command.queues || !canWait) return { state: withQueue(state, key, view.queue), result };
  const waitSeconds = Math.ceil(verdict.waitMs / 1_000);
  const retryIn = retryInSeconds({ key, agent, attempt: Math.min(attempt, MAX_QUEUED_ATTEMPT), waitSeconds });
  const keepAliveMs = Math.ceil(2_000 * retryIn);
  const { queue, position } = queued(view.queue, ownerOf(command), moment.atMs + keepAliveMs);
  return {
    state: withQueue(state, key, queue),
    result: { ...result, queue: { position, keepAliveMs } },
  };
}

function ownerOf({ agent, proof }: ClaimCommand): { agent: string; proof: string } {
  return { agent, proof };
}

function withQueue(state: CrossingState, key: string, queue: Queue): CrossingState {
  const before = state.queues.get(key) ?? NO_QUEUE;
  if (queue === before) return state;
  return { ...state, queues: queue.tickets.length === 0 ? state.queues.without(key) : state.queues.with(key, queue) };
}

function grant(
  state: CrossingState,
  { rows, queue }: KeyView,
  nowMs: number,
  next: NextNumbers,
  command: ClaimCommand,
): Decided<ClaimResult> {
  // Whatever is no longer live leaves with this grant: its time is over, or its own holder claims anew in clearance.
  const gone = rows.filter((lease) => !isLive(lease, nowMs));
  const expired = expireLeases(state, gone, nowMs, next.rev, command.commandId);
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
    evidenceAtMs: command.hasEvidence ? nowMs : null,
    expiresAtMs: nowMs + command.ttlMs,
    fence,
    identity: command.identity,
  };
  const live = [...(expired.state.leases.get(command.key) ?? []), lease];
  const taken = state.once.get(command.onceIntent);
  // A taking that its old holder resumes keeps its end: the thirty days run from the first grant.
  const untilMs = taken !== undefined && taken.untilMs > nowMs ? taken.untilMs : nowMs + ONCE_MS;
  return {
    state: {
      ...withQueue(expired.state, command.key, queue === NO_QUEUE ? NO_QUEUE : served(queue, command)),
      leases: expired.state.leases.with(command.key, live),
      once:
        command.mode === 'once'
          ? state.once.with(command.onceIntent, { intent: command.onceIntent, untilMs, fence })
          : state.once,
    },
    result: granted('granted', lease, live, { rev: fence, atMs: nowMs }),
    events: [...expired.events, leaseEvent('claim', lease, command.commandId)],
  };
}

export function refresh(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: RefreshCommand,
): Decided<ClaimResult> {
  const moment = { rev: next.rev - 1, atMs: nowMs };
  const { lease, rows } = leaseNamed(state, command.leaseId);
  if (lease === undefined || !isLive(lease, nowMs)) {
    return {
      state,
      result: { outcome: 'refused', key: command.key, code: 'lease_lost', waitMs: 0, holders: [], ...moment },
    };
  }
  if (!sameHash(lease.tokenHash, command.tokenHash)) return { state, result: { outcome: 'bad_token', ...moment } };
  if (lease.key !== command.key) return { state, result: { outcome: 'other_key', ...moment } };
  const refreshed: Lease = {
    ...lease,
    expiresAtMs: Math.max(lease.expiresAtMs, nowMs + command.ttlMs),
    evidenceAtMs: command.hasEvidence ? nowMs : lease.evidenceAtMs,
  };
  const after = rows.map((row) => (row.id === lease.id ? refreshed : row));
  const live = after.filter((row) => isLive(row, nowMs));
  return {
    state: { ...state, leases: state.leases.with(lease.key, after) },
    result: granted('refreshed', refreshed, live, { rev: next.rev, atMs: nowMs }),
    events: [leaseEvent('refresh', refreshed, command.commandId)],
  };
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
