import { isoTime } from '#kernel/clock.ts';
import { schemaById } from '#protocol/attestation/schemas.ts';
import { prepareSeal } from '#protocol/attestation/seal.ts';
import { type DraftedEntry, sealEntry } from '#protocol/attestation/seal-entry.ts';
import type { Claim } from '#protocol/attestation/schema-document.ts';
import { signedPart } from '#protocol/payment/coverage.ts';
import { unsignedReceipt } from '#protocol/payment/receipt.ts';
import type { Decision } from '#platform/storage/store.ts';
import { answeredBefore, withAnswer } from './answer-memory.ts';
import { bookExpiry, bookOutcome, type Books, isHoldOver, NOTHING_BOOKED, reserve } from './booking.ts';
import { judgeMandate, shownChecks } from './checks.ts';
import {
  answered,
  type MandateDecision,
  type MandateMoment,
  periodKey,
  refused,
  standing,
  withUses,
} from './decision.ts';
import { callingPlatform } from './decide-platform.ts';
import { periodStart, STEPS } from './handshake.ts';
import type {
  KeptSeal,
  MandateAnswer,
  MandateRefused,
  SealCommand,
  State,
  TransitionInvalid,
  Verification,
  VerifyCommand,
} from './state.ts';
import { remainingOf } from './views.ts';

/** Judges and, where the mandate allows it, reserves; allowed or refused, it is one entry of the log. */
export function decideVerify(given: State, { nowMs, next }: MandateMoment, command: VerifyCommand): MandateDecision {
  const before = answeredBefore(given, nowMs, command.repeatable);
  if (before !== undefined) return before;
  const caller = callingPlatform(given, nowMs, command.keyHash);
  if (caller === undefined) return refused(given, 'key_invalid');
  if (caller.platform.status === 'suspended') return refused(given, 'suspended');
  const state = expireHolds(caller.state, command.mandateId, nowMs);
  const mandate = standing(state, command.mandateId);
  if (mandate === undefined) return refused(given, 'mandate_not_found');

  const { request, payloadKey, ref } = command;
  const { terms } = mandate;
  const platformId = caller.platform.id;
  const periodStartMs = terms.period === null ? 0 : periodStart(terms.period.unit, nowMs);
  const period = state.periods.get(periodKey(mandate.id, periodStartMs)) ?? NOTHING_BOOKED;
  const earlier = blockingVerification(state, payloadKey);
  const approval = usableApproval(state, nowMs, command);
  const judgement = judgeMandate({
    terms,
    assurance: mandate.assurance,
    isRevoked: mandate.revocation !== null,
    life: mandate,
    period,
    nowMs,
    platformId,
    request,
    isDuplicate: earlier !== undefined,
    isAgentSigned: command.isAgentSigned,
    approvedUpTo: approval?.amount ?? null,
    ap2: mandate.ap2 === null ? null : { evidence: command.ap2, isConsumed: isConsumed(state, command) },
  });
  const { decision, reason } = judgement;
  const isAllowed = decision === 'ALLOW';
  const expiresAtMs = isAllowed ? nowMs + command.holdMs : null;
  const claim = {
    phase: 'verify',
    ...claimBase(ref, platformId, mandate.id, request),
    amount_cents: request.amount,
    ok: isAllowed,
    reason,
  };
  const entry = handshakeEntry(claim, command, nowMs);
  const unreserved: Verification = {
    ...UNRESERVED,
    ref,
    mandateId: mandate.id,
    platformId,
    payloadKey,
    request,
    ...judgement,
    periodStartMs,
    createdAtMs: nowMs,
    expiresAtMs,
    attestationId: entry.leaf.id,
    seq: next.seq,
    ap2Reference: command.ap2?.reference ?? null,
  };
  const unbooked: Books = { mandate, period, verification: unreserved };
  const books = isAllowed ? reserve(unbooked) : unbooked;
  const isShown = terms.disclosesRemaining && terms.platforms?.includes(platformId) !== false;
  const remaining = isShown ? remainingOf(books.mandate, books.period) : null;
  const verification: Verification = { ...books.verification, remaining };
  const answer = verifyAnswer(verification, mandate, earlier);
  const receipt = unsignedReceipt(command.receipt, signedPart(answer), isoTime(nowMs));
  const whole = { ...answer, disclosure_seed: shownSeed(command.seed), receipt };
  const booked = withBooks(state, { ...books, verification });
  const after = {
    ...booked,
    ...(isAllowed && {
      payloads: booked.payloads.with(payloadKey, { refs: [ref] }),
      ap2Uses: withUses(booked.ap2Uses, command.ap2?.useKeys ?? [], ref),
    }),
    ...(isAllowed &&
      approval !== undefined && { approvals: booked.approvals.with(approval.ref, { ...approval, usedBy: ref }) }),
  };
  // An erasure cannot find this answer: the seed stays with the entry alone, where a repeated call gets it from.
  const kept = { ...whole, disclosure_seed: null };
  return { ...answered(withAnswer(after, nowMs, command.repeatable, kept), whole), entries: [entry] };
}

/** A verification for which nothing is kept aside. */
const UNRESERVED = {
  remaining: null,
  state: 'denied',
  reserved: 0,
  committed: 0,
  isLate: false,
  isOverCap: false,
  voided: null,
} as const;

/** What the platform is told of a verification. */
function verifyAnswer(verification: Verification, mandate: Books['mandate'], earlier: Verification | undefined) {
  const { request, decision, reason, platformId, createdAtMs, expiresAtMs } = verification;
  return {
    ok: decision === 'ALLOW',
    verify_ref: verification.ref,
    decision,
    reason,
    assurance: mandate.assurance,
    action: request.action,
    amount_cents: request.amount,
    currency: request.currency,
    checks: shownChecks(verification.checks),
    reserved_cents: verification.reserved,
    decided_at: isoTime(createdAtMs),
    expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
    remaining: verification.remaining,
    mandate_sha256: mandate.sha256,
    payload_hash: request.payloadHash,
    ...(reason === 'duplicate_payload' && earlier?.platformId === platformId && { existing_verify_ref: earlier.ref }),
    attestation_id: verification.attestationId,
    log_seq: verification.seq,
    ...ap2Decision(verification),
  };
}

/** For the platform's own AP2 receipt: it has the role to sign one. */
function ap2Decision({ ap2Reference: reference, decision, reason, checks, ref, createdAtMs }: Verification) {
  if (reference === null) return {};
  const failed = checks.find(({ result }) => result === 'fail');
  const claims = {
    status: 'Error',
    iat: Math.floor(createdAtMs / 1_000),
    reference,
    error: reason,
    error_description: `Check ${failed?.id} (${failed?.name}) failed.`,
    payment_id: ref,
  };
  return { ap2: { reference }, ...(decision !== 'ALLOW' && { receipt_claims: claims }) };
}

function ap2Sealed({ ap2Reference: reference, state }: Verification, orderId: string | null, nowMs: number) {
  if (reference === null || orderId === null || (state !== 'placed' && state !== 'confirmed')) return {};
  return { receipt_claims: { status: 'Success', iat: Math.floor(nowMs / 1_000), reference, order_id: orderId } };
}

/** Commits or gives back, and seals what the platform says came of it. */
export function sealHandshake(
  given: State,
  { nowMs, next }: MandateMoment,
  command: SealCommand,
): Decision<State, MandateAnswer | MandateRefused | TransitionInvalid> {
  const caller = callingPlatform(given, nowMs, command.keyHash);
  if (caller === undefined) return refused(given, 'key_invalid');
  const stored = caller.state.verifications.get(command.ref);
  const isOpen = stored?.state === 'verified' && !isHoldOver(stored, nowMs);
  if (caller.platform.status === 'suspended' && !isOpen) return refused(given, 'suspended');
  if (stored === undefined || stored.platformId !== caller.platform.id) return refused(given, 'verify_ref_not_found');
  const seals = caller.state.seals.get(command.ref)?.list ?? [];
  const again = seals.find(
    ({ outcome, bodySha256 }) => outcome === command.outcome && bodySha256 === command.bodySha256,
  );
  if (again !== undefined) {
    const answer = JSON.parse(again.answer) as object;
    return { state: given, result: { outcome: 'answered', answer, replayed: true } };
  }
  const { payloadHash } = stored.request;
  if (command.payloadHash !== null && command.payloadHash !== payloadHash) return refused(given, 'payload_mismatch');
  const state = isHoldOver(stored, nowMs) ? expireHold(caller.state, stored) : caller.state;
  const books = booksOf(state, state.verifications.get(command.ref) as Verification);
  const { state: from } = books.verification;
  const sealing = bookOutcome(books, command.outcome, command.finalAmount);
  if (!sealing.ok) {
    if (sealing.code !== 'transition_invalid') return refused(given, sealing.code);
    const result = { outcome: sealing.code, from, to: command.outcome, allowed: STEPS[from] } as const;
    return { state: given, result };
  }
  const { verification } = sealing.books;
  const { externalRef, settlementRef } = command;
  const claim = {
    phase: 'seal',
    ...claimBase(command.ref, verification.platformId, verification.mandateId, verification.request),
    amount_cents: verification.committed,
    outcome: command.outcome,
    ...(externalRef !== null && { external_ref: externalRef }),
    ...(settlementRef !== null && { settlement_ref: settlementRef }),
  };
  const entry = handshakeEntry(claim, command, nowMs);
  const isLate = from === 'expired';
  const answer = {
    attestation_id: entry.leaf.id,
    verify_ref: command.ref,
    outcome: command.outcome,
    state: verification.state,
    prev_attestation_id: seals.at(-1)?.attestationId ?? verification.attestationId,
    committed_cents: verification.committed,
    released_cents: sealing.released,
    refunded_cents: sealing.refunded,
    late: isLate,
    over_cap: isLate && verification.isOverCap,
    mandate_sha256: sealing.books.mandate.sha256,
    payload_hash: payloadHash,
    sealed_at: isoTime(nowMs),
    log_seq: next.seq,
    ...ap2Sealed(verification, externalRef, nowMs),
  };
  const receipt = unsignedReceipt(command.receipt, signedPart(answer), isoTime(nowMs));
  const whole = { ...answer, disclosure_seed: shownSeed(command.seed), receipt };
  const seal: KeptSeal = {
    attestationId: entry.leaf.id,
    ref: command.ref,
    outcome: command.outcome,
    bodySha256: command.bodySha256,
    externalRef,
    settlementRef,
    evidence: command.evidence,
    answer: JSON.stringify(whole),
    atMs: nowMs,
    seq: next.seq,
  };
  const after = withBooks(state, sealing.books);
  const kept = { ...after, seals: after.seals.with(command.ref, { list: [...seals, seal] }) };
  return { ...answered(kept, whole), entries: [entry] };
}

/** Gives back every hold of the mandate that is over, so that the next decision counts only what is open. */
export function expireHolds(state: State, mandateId: string, nowMs: number): State {
  let after = state;
  for (const ref of state.holds.get(mandateId) ?? []) {
    const verification = after.verifications.get(ref);
    if (verification !== undefined && isHoldOver(verification, nowMs)) after = expireHold(after, verification);
  }
  return after;
}

export function expireHold(state: State, verification: Verification): State {
  return withBooks(state, bookExpiry(booksOf(state, verification)));
}

export function booksOf(state: State, verification: Verification): Books {
  const { mandateId, periodStartMs } = verification;
  const mandate = state.mandates.get(mandateId);
  const period = state.periods.get(periodKey(mandateId, periodStartMs)) ?? NOTHING_BOOKED;
  if (mandate === undefined) throw new Error(`the mandate of ${verification.ref} was not read`);
  return { mandate, period, verification };
}

export function withBooks(state: State, { mandate, period, verification }: Books): State {
  const { mandateId, periodStartMs: startMs } = verification;
  return {
    ...state,
    mandates: state.mandates.with(mandateId, mandate),
    periods: state.periods.with(periodKey(mandateId, startMs), { ...period, mandateId, startMs }),
    verifications: state.verifications.with(verification.ref, verification),
  };
}

/** The verification that keeps its payload from being used again: an open hold, or one that was committed. */
function blockingVerification(state: State, payloadKey: string): Verification | undefined {
  const refs = state.payloads.get(payloadKey)?.refs ?? [];
  return refs
    .map((ref) => state.verifications.get(ref))
    .find((one) => one !== undefined && ['verified', 'placed', 'confirmed', 'delivered'].includes(one.state));
}

/** Also after the hold is released: who presents a closed mandate again cannot show that nobody paid for it. */
function isConsumed({ ap2Uses }: State, { ap2 }: VerifyCommand): boolean {
  return ap2 !== null && ap2.useKeys.some((key) => ap2Uses.get(key) !== undefined);
}

function usableApproval(state: State, nowMs: number, { approvalRef, mandateId, payloadKey, request }: VerifyCommand) {
  const approval = approvalRef === null ? undefined : state.approvals.get(approvalRef);
  if (approval === undefined || approval.usedBy !== null || approval.expiresAtMs <= nowMs) return undefined;
  const isForThis = approval.mandateId === mandateId && approval.payloadKey === payloadKey;
  return isForThis && approval.currency === request.currency ? approval : undefined;
}

function claimBase(ref: string, platformId: string, mandateId: string, { action, currency }: Verification['request']) {
  return { verify_ref: ref, platform_id: platformId, mandate_id: mandateId, action, currency };
}

const HANDSHAKE_SCHEMA = 'amh.handshake.v1';

function handshakeEntry(claim: Claim, command: VerifyCommand | SealCommand, nowMs: number): DraftedEntry {
  const { seed, nonce, receipt } = command;
  const schema = schemaById(HANDSHAKE_SCHEMA);
  if (schema === undefined) throw new Error(`no schema ${HANDSHAKE_SCHEMA}`);
  const bytes = Buffer.from(seed, 'base64url');
  const prepared = prepareSeal({ schema, claim, observations: [], seed: bytes, origin: 'protocol' });
  const draft = { prepared, claim, observations: [], seed, disclosure: 'holder', nonce } as const;
  return sealEntry(draft, { sandbox: receipt.sandbox, sealedAt: isoTime(nowMs) });
}

function shownSeed(seed: string): string {
  return Buffer.from(seed, 'base64url').toString('base64');
}
