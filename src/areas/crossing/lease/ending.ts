import type { StoreEvent } from '#platform/storage/store.ts';
import { type EndedLease, freeAtMs, isLive, type Lease } from './lease.ts';
import { settled } from './queue.ts';
import { type CrossingState, holderName } from '../state.ts';

export const NOTHING_SAID = { seq: null, outcome: null, markSeq: null, markRefused: null };

export function endOf(lease: Lease, how: EndedLease['how'], endedAtMs: number, rev: number): EndedLease {
  const { id, key, agent, tokenHash, addressTag, mode, fence } = lease;
  return { id, key, agent, tokenHash, addressTag, mode, fence, how, endedAtMs, rev, ...NOTHING_SAID };
}

/** Takes leases of one key from the rows and remembers their ends. Whoever waits for the key has its turn from then on. */
export function withEnds(
  state: CrossingState,
  key: string,
  ends: readonly EndedLease[],
  moment: { readonly freedAtMs: number; readonly nowMs: number },
): CrossingState {
  const gone = new Set(ends.map(({ id }) => id));
  const left = (state.leases.get(key) ?? []).filter((lease) => !gone.has(lease.id));
  const queue = state.queues.get(key);
  const isFree = !left.some((lease) => isLive(lease, moment.nowMs));
  return {
    ...state,
    leases: left.length === 0 ? state.leases.without(key) : state.leases.with(key, left),
    ended: ends.reduce((ended, end) => ended.with(end.id, end), state.ended),
    lastHeld: ends.reduce((held, end) => held.with(holderName(end), { endedAtMs: end.endedAtMs }), state.lastHeld),
    queues:
      queue === undefined || !isFree
        ? state.queues
        : state.queues.with(key, settled(queue, moment.freedAtMs, moment.nowMs)),
  };
}

/** Moves leases of one key from the live rows to the remembered ends, one event each. */
export function expireLeases(
  state: CrossingState,
  gone: readonly Lease[],
  nowMs: number,
  firstRev: number,
  commandId: string,
): { state: CrossingState; events: StoreEvent[] } {
  const [first] = gone;
  if (first === undefined) return { state, events: [] };
  const ends = gone.map((lease, index) => endOf(lease, 'expired', nowMs, firstRev + index));
  const freedAtMs = Math.max(...gone.map(freeAtMs));
  return {
    state: withEnds(state, first.key, ends, { freedAtMs, nowMs }),
    events: gone.map((lease) => leaseEvent('expire', lease, commandId)),
  };
}

/** What watchers of the key may see, with the random id of the command that made it. */
export function leaseEvent(type: string, lease: Lease, commandId: string, more: { log?: number } = {}): StoreEvent {
  const { agent, mode, fence, expiresAtMs } = lease;
  const body = JSON.stringify({ id: commandId, agent, mode, fence, expires_at: expiresAtMs, ...more });
  return { key: lease.key, type, body };
}
