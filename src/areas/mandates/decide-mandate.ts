import { DAY_MS, isoTime } from '#kernel/clock.ts';
import { sameHash } from '#kernel/ids.ts';
import { sealEntry } from '#protocol/attestation/seal-entry.ts';
import { answeredBefore, withAnswer } from './answer-memory.ts';
import { NOTHING_BOOKED } from './booking.ts';
import { answered, type MandateDecision, type MandateMoment, refused, standing, withUses } from './decision.ts';
import { expireHolds } from './decide-handshake.ts';
import { termsOf } from './mandate-body.ts';
import type { ApproveCommand, Authority, CreateMandateCommand, Mandate, RevokeCommand, State } from './state.ts';
import { erasablePart, flagsOf, mandateStatus, openTo, remainingOf } from './views.ts';

const APPROVAL_MS = DAY_MS;

export function create(state: State, moment: MandateMoment, command: CreateMandateCommand): MandateDecision {
  const { nowMs, next } = moment;
  const { repeatable, nonceKey, ap2 } = command;
  const before = answeredBefore(state, nowMs, repeatable);
  if (before !== undefined) return before;
  const existing = importedBefore(state, ap2?.openKeys ?? []);
  if (existing !== undefined && existing.erased !== null) return refused(state, 'import_erased');
  if (existing !== undefined) return importAgain(state, existing, nowMs, command);
  const taken = withNonce(state, nonceKey);
  if (taken === undefined) return refused(state, 'nonce_reused');
  const entry = sealEntry(command.draft, { sandbox: command.sandbox, sealedAt: isoTime(nowMs) });
  const mandate: Mandate = {
    ...NOTHING_BOOKED,
    id: command.id,
    body: command.body,
    bodyText: command.bodyText,
    terms: termsOf(command.body, nowMs),
    sha256: command.sha256,
    assurance: command.assurance,
    controlHash: command.controlHash,
    holds: 0,
    isOverCap: false,
    isSealedAfterRevocation: false,
    createdAtMs: nowMs,
    attestationId: entry.leaf.id,
    seq: next.seq,
    revocation: null,
    narrowings: [],
    voids: 0,
    ap2: ap2?.imported ?? null,
    erased: null,
  };
  const answer = createdAnswer(mandate, nowMs);
  const after = {
    ...taken,
    mandates: taken.mandates.with(mandate.id, mandate),
    ap2Uses: withUses(taken.ap2Uses, ap2?.openKeys ?? [], mandate.id),
  };
  const { nonce: _nonce, ap2: _ap2, ...kept } = answer;
  return { ...answered(withAnswer(after, nowMs, repeatable, kept), answer), entries: [entry] };
}

/** An open mandate makes one budget, however often it is imported. */
function importedBefore({ ap2Uses, mandates }: State, openKeys: readonly string[]): Mandate | undefined {
  const use = openKeys.map((key) => ap2Uses.get(key)).find((found) => found !== undefined);
  return use === undefined ? undefined : mandates.get(use.owner);
}

/** A signature fits several keys, of which only the first to be named counts: another one would make a second principal. */
function importAgain(state: State, mandate: Mandate, nowMs: number, { ap2 }: CreateMandateCommand): MandateDecision {
  const [then, now] = [mandate.ap2, ap2?.imported].map((one) => one && `${one.userJwk.x} ${one.userJwk.y}`);
  if (then !== now) return refused(state, 'imported_before');
  const answer = createdAnswer(mandate, nowMs);
  return { state, result: { outcome: 'answered', answer, replayed: false, existed: true } };
}

function createdAnswer(mandate: Mandate, nowMs: number) {
  const { nonce, ...erasable } = erasablePart(mandate);
  return {
    mandate_id: mandate.id,
    status: mandateStatus(mandate, nowMs),
    assurance: mandate.assurance,
    mandate_sha256: mandate.sha256,
    nonce,
    open_to: openTo(mandate),
    flags: flagsOf(mandate),
    remaining: remainingOf(mandate, NOTHING_BOOKED),
    created_at: isoTime(mandate.createdAtMs),
    attestation_id: mandate.attestationId,
    log_seq: mandate.seq,
    ...(mandate.ap2 !== null && { source: 'ap2' as const }),
    ...erasable,
  };
}

/** The second call of the same principal gets the answer of the first. */
export function revoke(given: State, { nowMs, next }: MandateMoment, command: RevokeCommand): MandateDecision {
  const { mandateId, authority, nonceKey, draft } = command;
  const stored = standing(given, mandateId);
  if (stored === undefined) return refused(given, 'mandate_not_found');
  if (!mayAct(stored, authority)) return refused(given, 'control_invalid');
  if (stored.revocation !== null) return answered(given, { status: 'revoked', ...stored.revocation });
  const taken = withNonce(given, nonceKey);
  if (taken === undefined) return refused(given, 'nonce_reused');
  const state = expireHolds(taken, mandateId, nowMs);
  const mandate = state.mandates.get(mandateId) as Mandate;
  const entry = sealEntry(draft, { sandbox: command.sandbox, sealedAt: isoTime(nowMs) });
  const revocation = {
    revoked_at: isoTime(nowMs),
    open_holds: mandate.holds,
    attestation_id: entry.leaf.id,
    log_seq: next.seq,
  };
  const after = { ...state, mandates: state.mandates.with(mandateId, { ...mandate, revocation }) };
  return { ...answered(after, { status: 'revoked', ...revocation }), entries: [entry] };
}

export function approve(state: State, { nowMs }: MandateMoment, command: ApproveCommand): MandateDecision {
  const { mandateId, authority, nonceKey, approval } = command;
  const mandate = standing(state, mandateId);
  if (mandate === undefined) return refused(state, 'mandate_not_found');
  if (!mayAct(mandate, authority)) return refused(state, 'control_invalid');
  const taken = withNonce(state, nonceKey);
  if (taken === undefined) return refused(state, 'nonce_reused');
  const expiresAtMs = nowMs + APPROVAL_MS;
  const approvals = taken.approvals.with(approval.ref, { ...approval, expiresAtMs, usedBy: null });
  return answered({ ...taken, approvals }, { approval_ref: approval.ref, expires_at: isoTime(expiresAtMs) });
}

export function mayAct(mandate: Mandate, authority: Authority): boolean {
  return authority.by === 'principal' || sameHash(mandate.controlHash, authority.controlHash);
}

/** Undefined when the nonce was used before. */
export function withNonce(state: State, nonceKey: string | null): State | undefined {
  if (nonceKey === null) return state;
  if (state.nonces.get(nonceKey) !== undefined) return undefined;
  return { ...state, nonces: state.nonces.with(nonceKey, { nonceKey }) };
}
