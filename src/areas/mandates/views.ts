import { isoTime } from '#kernel/clock.ts';
import { isHoldOver } from './booking.ts';
import { type Counters, shownChecks } from './checks.ts';
import type { KeptSeal, Mandate, RemainingBudget, Verification } from './state.ts';

export const MANDATE_STATUSES = ['scheduled', 'active', 'expired', 'revoked'] as const;

export function mandateStatus({ revocation, terms }: Mandate, nowMs: number): (typeof MANDATE_STATUSES)[number] {
  if (revocation !== null) return 'revoked';
  if (nowMs >= terms.validUntilMs) return 'expired';
  return nowMs < terms.validFromMs ? 'scheduled' : 'active';
}

/** What a mandate still allows; never below zero, also where a late seal went over a cap. */
export function remainingOf({ terms, ...life }: Mandate, period: Counters): RemainingBudget {
  const left = (cap: number, { reserved, committed }: Counters) => Math.max(0, cap - reserved - committed);
  const periodCap = terms.period?.cap ?? null;
  return {
    commit_cents: left(terms.cap, life),
    period_cents: periodCap === null ? null : left(periodCap, period),
    actions: terms.maxActions === null ? null : Math.max(0, terms.maxActions - life.actions),
  };
}

export const OPEN_TO = ['any_platform', 'listed_platforms'] as const;

export function openTo({ terms }: Pick<Mandate, 'terms'>): (typeof OPEN_TO)[number] {
  return terms.platforms === null ? 'any_platform' : 'listed_platforms';
}

/** What a reader should know of a mandate, each with when it is so. */
const FLAGS = {
  /** Whoever learns the id can use it up: nothing names a platform, and no key of the agent is asked for. */
  open_mandate: ({ terms, body, ap2 }: Mandate) =>
    terms.platforms === null && body.agent_pubkey === undefined && ap2 === null,
  over_cap: ({ isOverCap }: Mandate) => isOverCap,
  sealed_after_revocation: ({ isSealedAfterRevocation }: Mandate) => isSealedAfterRevocation,
  voided: ({ voids }: Mandate) => voids > 0,
};
export type MandateFlag = keyof typeof FLAGS;
export const MANDATE_FLAGS = Object.keys(FLAGS) as MandateFlag[];

export function flagsOf(mandate: Mandate): MandateFlag[] {
  return MANDATE_FLAGS.filter((flag) => FLAGS[flag](mandate));
}

/** What an erasure deletes of the answer that a mandate was made with. No kept answer has it: an erasure could not find that. */
export function erasablePart({ body, ap2 }: Mandate) {
  const { nonce } = body;
  if (ap2 === null) return { nonce };
  return { nonce, ap2: { open_mandate_sha256: ap2.rootSha256, constraints: ap2.shown } };
}

/** What everybody who holds the id may see. */
export function publicMandate(mandate: Mandate, nowMs: number) {
  const { terms, revocation } = mandate;
  return {
    mandate_id: mandate.id,
    status: mandateStatus(mandate, nowMs),
    assurance: mandate.assurance,
    actions: [...terms.actions],
    custom_actions: [...terms.customActions],
    currency: terms.currency,
    valid_from: isoTime(terms.validFromMs),
    valid_until: isoTime(terms.validUntilMs),
    mandate_sha256: mandate.sha256,
    principal_pubkey: mandate.body.principal_pubkey ?? null,
    revoked_at: revocation?.revoked_at ?? null,
    open_to: openTo(mandate),
    flags: flagsOf(mandate),
    attestation_id: mandate.attestationId,
    log_seq: mandate.seq,
    ...(mandate.ap2 !== null && { source: 'ap2' as const }),
  };
}

/** What the principal sees, and an allowed platform: it sees its own holds only, and caps where they are disclosed. */
export function privateMandate(
  mandate: Mandate,
  period: Counters,
  holds: readonly Verification[],
  platformId?: string,
) {
  const { terms, body } = mandate;
  const own = holds.filter((hold) => platformId === undefined || hold.platformId === platformId);
  const showsCaps = platformId === undefined || terms.disclosesRemaining;
  return {
    ...(showsCaps && {
      max_commit_cents: terms.cap,
      per_action_cap_cents: terms.perAction,
      max_actions: terms.maxActions,
      period: body.period ?? null,
      approval: body.approval ?? null,
      remaining: remainingOf(mandate, period),
    }),
    open_holds: own.map(({ ref, request, expiresAtMs }) => ({
      verify_ref: ref,
      amount_cents: request.amount,
      expires_at: isoTime(expiresAtMs ?? 0),
    })),
    principal: body.principal,
    agent_id: body.agent_id,
    counterparties: body.counterparties ?? null,
    platforms: terms.platforms,
  };
}

export function publicStatus(
  verification: Verification,
  { sha256, assurance, erased }: Pick<Mandate, 'sha256' | 'assurance' | 'erased'>,
  seals: readonly KeptSeal[],
  nowMs: number,
) {
  const { request, expiresAtMs } = verification;
  return {
    verify_ref: verification.ref,
    state: isHoldOver(verification, nowMs) ? ('expired' as const) : verification.state,
    decision: verification.decision,
    reason: verification.reason,
    assurance,
    action: request.action,
    custom_action: request.customAction,
    amount_cents: request.amount,
    currency: request.currency,
    platform_id: verification.platformId,
    mandate_sha256: sha256,
    payload_hash: request.payloadHash,
    committed_cents: verification.committed,
    late: verification.isLate,
    over_cap: verification.isOverCap,
    created_at: isoTime(verification.createdAtMs),
    expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
    attestation_id: verification.attestationId,
    log_seq: verification.seq,
    seals: seals.map(({ outcome, attestationId, seq, atMs }) => ({
      outcome,
      attestation_id: attestationId,
      log_seq: seq,
      at: isoTime(atMs),
    })),
    ...(verification.voided !== null && { voided: verification.voided }),
    ...(erased !== null && { mandate: 'erased' as const }),
  };
}

/** What only the platform of the verification sees. */
export function ownStatus({ mandateId, checks, remaining }: Verification, seals: readonly KeptSeal[]) {
  const last = seals.at(-1);
  const evidence = last?.evidence ?? null;
  return {
    mandate_id: mandateId,
    checks: shownChecks(checks),
    remaining,
    external_ref: last?.externalRef ?? null,
    settlement_ref: last?.settlementRef ?? null,
    evidence: evidence === null ? null : (JSON.parse(evidence) as unknown),
  };
}
