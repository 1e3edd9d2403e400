import type { Ap2Evidence } from './ap2/evidence.ts';
import { SKEW_MS } from './ap2/mapping.ts';
import { type Action, type Assurance, ASSURANCES, NEVER_FREE } from './handshake.ts';
import type { Terms } from './mandate-body.ts';

export const REASONS = [
  'within_mandate',
  'mandate_revoked',
  'not_yet_valid',
  'expired',
  'platform_not_allowed',
  'action_not_allowed',
  'counterparty_not_allowed',
  'currency_mismatch',
  'amount_invalid',
  'per_action_cap_exceeded',
  'period_cap_exceeded',
  'cumulative_cap_exceeded',
  'max_actions_exceeded',
  'duplicate_payload',
  'assurance_too_low',
  'signature_invalid',
  'approval_required',
  'ap2_signature',
  'ap2_binding',
  'ap2_audience',
  'ap2_time',
  'ap2_constraint',
  'ap2_consumed',
] as const;
export type Reason = (typeof REASONS)[number];

/** What is reserved, committed and counted, of a mandate's life or of one period. */
export interface Counters {
  readonly reserved: number;
  readonly committed: number;
  readonly actions: number;
}

export interface VerifyRequest {
  readonly action: Action;
  readonly customAction: string | null;
  readonly amount: number;
  readonly currency: string;
  /** `sha256:` and hex. */
  readonly payloadHash: string;
  readonly counterparty: string | null;
  readonly minAssurance: Assurance;
}

/** Everything that a decision rests on. */
export interface MandateFacts {
  readonly terms: Terms;
  readonly assurance: Assurance;
  readonly isRevoked: boolean;
  readonly life: Counters;
  readonly period: Counters;
  readonly nowMs: number;
  readonly platformId: string;
  readonly request: VerifyRequest;
  /** An open hold or a committed verification has the same mandate, action and payload. */
  readonly isDuplicate: boolean;
  /** True where the mandate names no agent key. */
  readonly isAgentSigned: boolean;
  /** Up to which amount an unused approval for exactly this payload goes. */
  readonly approvedUpTo: number | null;
  /** Of a mandate imported from AP2: what came with the call, and whether one of its mandates was used before. */
  readonly ap2: { readonly evidence: Ap2Evidence | null; readonly isConsumed: boolean } | null;
}

interface CheckRow {
  readonly id: `M${number}`;
  readonly name: string;
  /** Compares amounts, which needs one currency. */
  readonly needsCurrency?: true;
  readonly fails: (facts: MandateFacts) => Reason | null;
}

const when = (fails: boolean, reason: Reason): Reason | null => (fails ? reason : null);

/** The checks of a verify in the order in which they are reported and in which the first failure gives the reason. */
export const MANDATE_CHECKS: readonly CheckRow[] = [
  { id: 'M1', name: 'mandate_active', fails: ({ isRevoked }) => when(isRevoked, 'mandate_revoked') },
  {
    id: 'M2',
    name: 'window',
    fails: ({ terms, nowMs }) =>
      when(nowMs < terms.validFromMs, 'not_yet_valid') ?? when(nowMs >= terms.validUntilMs, 'expired'),
  },
  {
    id: 'M3',
    name: 'platform_allowed',
    fails: ({ terms, platformId }) => when(terms.platforms?.includes(platformId) === false, 'platform_not_allowed'),
  },
  {
    id: 'M4',
    name: 'action_allowed',
    fails: ({ terms, request: { action, customAction } }) => {
      const isListed = action !== 'custom' || (customAction !== null && terms.customActions.includes(customAction));
      return when(!terms.actions.includes(action) || !isListed, 'action_not_allowed');
    },
  },
  {
    id: 'M5',
    name: 'counterparty_allowed',
    fails: ({ terms, request: { counterparty } }) =>
      when(terms.counterparties?.includes(counterparty?.trim() ?? '') === false, 'counterparty_not_allowed'),
  },
  {
    id: 'M6',
    name: 'currency_match',
    fails: ({ terms, request }) => when(request.currency !== terms.currency, 'currency_mismatch'),
  },
  {
    id: 'M7',
    name: 'amount_valid',
    fails: ({ request: { amount, action } }) => when(amount < 1 && NEVER_FREE.has(action), 'amount_invalid'),
  },
  {
    id: 'M8',
    name: 'per_action_cap',
    needsCurrency: true,
    fails: ({ terms, request }) => when(request.amount > terms.perAction, 'per_action_cap_exceeded'),
  },
  {
    id: 'M9',
    name: 'period',
    needsCurrency: true,
    fails: ({ terms: { period: limits }, period, request }) =>
      limits === null ? null : passes(period, limits, request.amount, 'period_cap_exceeded'),
  },
  {
    id: 'M10',
    name: 'cumulative_cap',
    needsCurrency: true,
    fails: ({ terms, life, request }) => passes(life, terms, request.amount, 'cumulative_cap_exceeded'),
  },
  { id: 'M11', name: 'payload_unused', fails: ({ isDuplicate }) => when(isDuplicate, 'duplicate_payload') },
  {
    id: 'M12',
    name: 'assurance',
    fails: ({ assurance, request, isAgentSigned }) =>
      when(ASSURANCES.indexOf(assurance) < ASSURANCES.indexOf(request.minAssurance), 'assurance_too_low') ??
      when(!isAgentSigned, 'signature_invalid'),
  },
  {
    id: 'M13',
    name: 'approval',
    needsCurrency: true,
    fails: ({ terms: { approvalAbove }, request: { amount }, approvedUpTo }) =>
      when(
        approvalAbove !== null && amount > approvalAbove && (approvedUpTo === null || amount > approvedUpTo),
        'approval_required',
      ),
  },
];

type Ap2Facts = Ap2Evidence & { readonly isConsumed: boolean; readonly nowMs: number };

interface Ap2CheckRow {
  readonly id: `A${number}`;
  readonly name: string;
  readonly reason: Reason;
  readonly passes: (facts: Ap2Facts) => boolean;
}

/** The checks of a mandate imported from AP2, after the others. */
export const AP2_CHECKS: readonly Ap2CheckRow[] = [
  { id: 'A1', name: 'ap2_signatures', reason: 'ap2_signature', passes: ({ isSigned }) => isSigned },
  { id: 'A2', name: 'ap2_bindings', reason: 'ap2_binding', passes: ({ isBound }) => isBound },
  { id: 'A3', name: 'ap2_audience', reason: 'ap2_audience', passes: ({ isForCaller }) => isForCaller },
  {
    id: 'A4',
    name: 'ap2_times',
    reason: 'ap2_time',
    passes: ({ window: { fromMs, untilMs }, nowMs }) =>
      (fromMs === null || fromMs <= nowMs + SKEW_MS) && (untilMs === null || nowMs < untilMs + SKEW_MS),
  },
  {
    id: 'A5',
    name: 'ap2_constraints',
    reason: 'ap2_constraint',
    passes: ({ isWithinConstraints: isWithin }) => isWithin,
  },
  { id: 'A6', name: 'ap2_unused', reason: 'ap2_consumed', passes: ({ isConsumed }) => !isConsumed },
];

/** Which of the two limits one more action of this amount would pass. */
export function passes(
  { reserved, committed, actions }: Counters,
  { cap, maxActions }: { readonly cap: number | null; readonly maxActions: number | null },
  amount: number,
  reason: 'period_cap_exceeded' | 'cumulative_cap_exceeded',
): Reason | null {
  return (
    when(cap !== null && reserved + committed + amount > cap, reason) ??
    when(maxActions !== null && actions + 1 > maxActions, 'max_actions_exceeded')
  );
}

export const CHECK_RESULTS = ['pass', 'fail', 'not_applicable', 'not_evaluated', 'withheld'] as const;

export interface CheckResult {
  readonly id: string;
  readonly name: string;
  readonly result: (typeof CHECK_RESULTS)[number];
}

export const DECISIONS = ['ALLOW', 'DENY', 'NEEDS_APPROVAL'] as const;

export interface Judgement {
  readonly decision: (typeof DECISIONS)[number];
  readonly reason: Reason;
  /** All of them, whoever may see them. */
  readonly checks: readonly CheckResult[];
}

type Failed = { readonly id: string; readonly reason: Reason }[];

/** Pure: the same facts give the same judgement. Every check is evaluated, whatever the others say. */
export function judgeMandate(facts: MandateFacts): Judgement {
  const sameCurrency = facts.request.currency === facts.terms.currency;
  const failed: Failed = [];
  const own = MANDATE_CHECKS.map(({ id, name, needsCurrency, fails }): CheckResult => {
    if (needsCurrency && !sameCurrency) return { id, name, result: 'not_evaluated' };
    const reason = fails(facts);
    if (reason === null) return { id, name, result: isIdle(id, facts) ? 'not_applicable' : 'pass' };
    failed.push({ id, reason });
    return { id, name, result: 'fail' };
  });
  const checks = facts.ap2 === null ? own : [...own, ...judgeAp2(facts.ap2, facts.nowMs, failed)];
  const [first] = failed;
  if (first === undefined) return { decision: 'ALLOW', reason: 'within_mandate', checks };
  const onlyApproval = failed.length === 1 && first.id === 'M13';
  return { decision: onlyApproval ? 'NEEDS_APPROVAL' : 'DENY', reason: first.reason, checks };
}

/** A call without a presentation has no signature; the other checks have nothing to look at. */
function judgeAp2({ evidence, isConsumed }: NonNullable<MandateFacts['ap2']>, nowMs: number, failed: Failed) {
  return AP2_CHECKS.map(({ id, name, reason, passes: isGood }, i): CheckResult => {
    if (evidence === null && i > 0) return { id, name, result: 'not_evaluated' };
    if (evidence !== null && isGood({ ...evidence, isConsumed, nowMs })) return { id, name, result: 'pass' };
    failed.push({ id, reason });
    return { id, name, result: 'fail' };
  });
}

/** A rule that the mandate does not have passes nothing. */
function isIdle(id: string, { terms }: MandateFacts): boolean {
  const rules: Readonly<Record<string, unknown>> = {
    M3: terms.platforms,
    M5: terms.counterparties,
    M9: terms.period,
    M13: terms.approvalAbove,
  };
  return id in rules && rules[id] === null;
}

const HIDDEN_AFTER = 'M3';

/** A platform that the principal did not name must not find the caps by asking again and again. */
export function shownChecks(checks: readonly CheckResult[]): readonly CheckResult[] {
  const gate = checks.findIndex(({ id }) => id === HIDDEN_AFTER);
  if (checks[gate]?.result !== 'fail') return checks;
  return checks.map((check, i) => (i <= gate ? check : { ...check, result: 'withheld' }));
}
