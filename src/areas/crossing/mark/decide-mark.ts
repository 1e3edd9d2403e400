import { isoTime } from '#kernel/clock.ts';
import { sameHash } from '#kernel/ids.ts';
import { markClaim } from '#protocol/attestation/crossing-claim.ts';
import { markEntry } from '#protocol/attestation/seal-entry.ts';
import type { Decision, NextNumbers } from '#platform/storage/store.ts';
import { isLive } from '../lease/lease.ts';
import { isSameDay, LEASE_COUNTS_MS, type Mark, markerTag, MARKS_PER_DAY, untilMidnightMs } from './mark.ts';
import { type CrossingState, holderName, leaseNamed, type MarkCommand, type MarkResult } from '../state.ts';

/** What a mark says, however it came about. */
type Statement = Pick<MarkCommand, 'commandId' | 'sandbox' | 'seed' | 'nonce'> &
  Pick<Mark, 'key' | 'kind' | 'agent' | 'note' | 'evidence' | 'addressTag' | 'identity'>;

export function decideMark(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  command: MarkCommand,
): Decision<CrossingState, MarkResult> {
  const moment = { rev: next.rev - 1, atMs: nowMs };
  const proof = proofOf(state, nowMs, command);
  if (typeof proof === 'string') return { state, result: { outcome: proof, ...moment } };
  const before = marksToday(state, command, nowMs);
  const same = before.find((mark) => isSame(mark, command));
  if (same !== undefined) return { state, result: { outcome: 'marked', repeated: true, mark: same, atMs: nowMs } };
  if (before.length >= MARKS_PER_DAY) {
    return { state, result: { outcome: 'mark_limit', waitMs: untilMidnightMs(nowMs), ...moment } };
  }
  const { mark, ...left } = leaveMark(state, nowMs, next, command, proof);
  return { ...left, result: { outcome: 'marked', repeated: false, mark, atMs: nowMs } };
}

/** Marks that the address left on the key today: what its limit counts. */
export function marksToday(
  state: CrossingState,
  { addressTag, key }: Pick<Mark, 'addressTag' | 'key'>,
  nowMs: number,
): readonly Mark[] {
  return (state.marks.get(markerTag(addressTag, key)) ?? []).filter((mark) => isSameDay(mark.atMs, nowMs));
}

/** Writes the mark, its event and its log entry. */
export function leaveMark(
  state: CrossingState,
  nowMs: number,
  next: NextNumbers,
  statement: Statement,
  leased: boolean,
): Omit<Decision<CrossingState, never>, 'result'> & { readonly mark: Mark } {
  const { key, kind, agent, note, evidence, addressTag, identity, commandId, sandbox, seed, nonce } = statement;
  const mark: Mark = { ...next, key, kind, agent, note, evidence, leased, addressTag, identity, atMs: nowMs };
  const caller = markerTag(addressTag, key);
  const draft = { claim: markClaim(mark), kind, seed, nonce };
  return {
    mark,
    state: { ...state, marks: state.marks.with(caller, [...(state.marks.get(caller) ?? []), mark]) },
    events: [{ key, type: 'mark', body: JSON.stringify({ id: commandId, agent, kind, log: mark.seq }) }],
    entries: [markEntry(draft, { sandbox, sealedAt: isoTime(nowMs) })],
  };
}

/**
 * Whether the marker holds or lately held a lease on the key. The name alone never counts: either the token shows it, or
 * the claim came from the same address on the same day.
 */
function proofOf(
  state: CrossingState,
  nowMs: number,
  { key, agent, addressTag, proof }: MarkCommand,
): boolean | 'unknown_lease' | 'bad_token' | 'other_key' {
  if (proof === null) {
    const rows = state.leases.get(key) ?? [];
    const endedAtMs = state.lastHeld.get(holderName({ key, addressTag, agent }))?.endedAtMs;
    return (
      rows.some((lease) => lease.agent === agent && lease.addressTag === addressTag && isRecent(lease.expiresAtMs)) ||
      (endedAtMs !== undefined && isRecent(endedAtMs))
    );
  }
  const { lease } = leaseNamed(state, proof.leaseId);
  const ended = state.ended.get(proof.leaseId);
  const known = lease ?? ended;
  if (known === undefined) return 'unknown_lease';
  if (!sameHash(known.tokenHash, proof.tokenHash)) return 'bad_token';
  if (known.key !== key) return 'other_key';
  return lease === undefined ? isRecent(ended?.endedAtMs ?? 0) : isLive(lease, nowMs) || isRecent(lease.expiresAtMs);

  function isRecent(endMs: number): boolean {
    return endMs + LEASE_COUNTS_MS > nowMs;
  }
}

function isSame(mark: Mark, { agent, kind, note, evidence }: MarkCommand): boolean {
  return mark.agent === agent && mark.kind === kind && mark.note === note && mark.evidence === evidence;
}
