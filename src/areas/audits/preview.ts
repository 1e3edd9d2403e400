import { type BudgetAuditInput, auditBudget, judgeBudget } from './budget-audit.ts';
import { type CoordinationAuditInput, auditCoordination, judgeCoordination } from './coordination-audit.ts';
import { type Control, openBySeverity, type Scored } from './score.ts';
import { type AuditVerdict, BUDGET_PROTOCOL, COORDINATION_PROTOCOL, type Grade } from './thresholds.ts';

/** Where the whole answer is had, and for how much; null in its place where it is not offered. */
export interface PaidCall {
  readonly path: string;
  readonly price_usdc: string;
}

export const BUDGET_SAMPLE_INPUT: BudgetAuditInput = {
  budget_period_usd: '100',
  per_action_cap_usd: '10',
  funds_reachable_usd: '5000',
  max_burn_usd_per_hour: '20',
  detection_hours: '8',
  scope: 'compute',
  agent: 'sample-agent',
  hard_cap_outside_model: 'no',
  aggregate_budget: 'yes',
  loop_breaker: 'yes',
  progress_stop_loss: 'yes',
  billing_path_known: 'yes',
  cost_per_run_measured: 'partial',
  alerts_cover_all_channels: 'yes',
  keys_scoped: 'yes',
  outcome_metric: 'yes',
};

export const COORDINATION_SAMPLE_INPUT: CoordinationAuditInput = {
  scope: 'handoff',
  system: 'sample-system',
  agents: '8',
  stop_condition: 'yes',
  independent_verification: 'partial',
  structured_handoff: 'yes',
  context_budget: 'no',
  receipts: 'yes',
  policy_not_prompts: 'yes',
};

type Judged = Scored<Control> & { readonly verdict: AuditVerdict; readonly grade: Grade };

function counts<P extends string>(protocol: P, judged: Judged, full: PaidCall | null) {
  const { verdict, score, grade, open, controlsInScope } = judged;
  const shown = { verdict, score, grade, open: openBySeverity(open), controls_in_scope: controlsInScope };
  return { protocol, ...shown, signed: false as const, full };
}

type BudgetPreviewInput = Omit<BudgetAuditInput, 'budget_period_usd'> & {
  readonly budget_period_usd?: string | undefined;
};

/** Counts of what is open; the sample of a whole result when nothing was given. */
export function budgetPreview(input: BudgetPreviewInput, full: PaidCall | null) {
  const { budget_period_usd: budget } = input;
  if (budget === undefined) {
    return { ...auditBudget(BUDGET_SAMPLE_INPUT), sample: true as const, signed: false as const, full };
  }
  return counts(BUDGET_PROTOCOL, judgeBudget({ ...input, budget_period_usd: budget }), full);
}

export function coordinationPreview(input: CoordinationAuditInput, full: PaidCall | null) {
  if (Object.keys(input).length === 0) {
    return { ...auditCoordination(COORDINATION_SAMPLE_INPUT), sample: true as const, signed: false as const, full };
  }
  return counts(COORDINATION_PROTOCOL, judgeCoordination(input), full);
}
