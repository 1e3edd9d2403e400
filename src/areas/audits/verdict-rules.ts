import type { BudgetFigures } from './budget-exposure.ts';
import type { Control, Scored } from './score.ts';
import {
  type AuditVerdict,
  BUDGET_THRESHOLDS,
  type ControlAnswer,
  SCORE_THRESHOLDS,
  type Severity,
} from './thresholds.ts';

/** One line of a verdict table; the first that holds decides, and when none does the verdict is READY. */
export interface VerdictRule<F> {
  readonly id: string;
  readonly verdict: Exclude<AuditVerdict, 'READY'>;
  readonly when: string;
  readonly holds: (facts: F) => boolean;
}

export type ScoreFacts = Pick<Scored<Control>, 'score' | 'open'>;
export type BudgetFacts = ScoreFacts & { readonly figures: BudgetFigures };

function hasOpen({ open }: ScoreFacts, severity: Severity, answers: readonly ControlAnswer[]): boolean {
  return open.some(({ control, answer }) => control.severity === severity && answers.includes(answer));
}

const NOT_READY_BY_SCORE: readonly VerdictRule<ScoreFacts>[] = [
  {
    id: 'critical_open',
    verdict: 'NOT_READY',
    when: 'a critical control in scope is answered no, or is unknown',
    holds: (facts) => hasOpen(facts, 'critical', ['no', 'unknown']),
  },
  {
    id: 'score_too_low',
    verdict: 'NOT_READY',
    when: `the score is below ${SCORE_THRESHOLDS.not_ready_below_score}`,
    holds: ({ score }) => score < SCORE_THRESHOLDS.not_ready_below_score,
  },
];

const CONDITIONAL_BY_SCORE: readonly VerdictRule<ScoreFacts>[] = [
  {
    id: 'critical_partial',
    verdict: 'CONDITIONAL',
    when: 'a critical control in scope is only partly in place',
    holds: (facts) => hasOpen(facts, 'critical', ['partial']),
  },
  {
    id: 'high_open',
    verdict: 'CONDITIONAL',
    when: 'a high control in scope is answered no, or is unknown',
    holds: (facts) => hasOpen(facts, 'high', ['no', 'unknown']),
  },
  {
    id: 'score_low',
    verdict: 'CONDITIONAL',
    when: `the score is below ${SCORE_THRESHOLDS.conditional_below_score}`,
    holds: ({ score }) => score < SCORE_THRESHOLDS.conditional_below_score,
  },
];

export const COORDINATION_VERDICT_RULES: readonly VerdictRule<ScoreFacts>[] = [
  ...NOT_READY_BY_SCORE,
  ...CONDITIONAL_BY_SCORE,
];

export const BUDGET_VERDICT_RULES: readonly VerdictRule<BudgetFacts>[] = [
  ...NOT_READY_BY_SCORE,
  {
    id: 'unbounded_overrun',
    verdict: 'NOT_READY',
    when: `nothing bounds the spend, and the worst case is above ${BUDGET_THRESHOLDS.not_ready_above_overrun_multiple} times the budget`,
    holds: ({ figures: { bounded, worstCaseMicro, budgetMicro } }) =>
      !bounded && worstCaseMicro > BigInt(BUDGET_THRESHOLDS.not_ready_above_overrun_multiple) * budgetMicro,
  },
  ...CONDITIONAL_BY_SCORE,
  {
    id: 'loss_above_budget',
    verdict: 'CONDITIONAL',
    when: 'more than the budget can be lost before anyone notices',
    holds: ({ figures: { lossMicro, budgetMicro } }) => lossMicro > budgetMicro,
  },
  {
    id: 'exposure_not_computable',
    verdict: 'CONDITIONAL',
    when: 'neither funds_reachable_usd nor max_burn_usd_per_hour is given, whether or not the spend is bounded',
    holds: ({ figures }) => !figures.isComputable,
  },
  {
    id: 'detection_not_given',
    verdict: 'CONDITIONAL',
    when: 'detection_hours is not given',
    holds: ({ figures }) => !figures.isDetectionGiven,
  },
  {
    id: 'expected_value_not_positive',
    verdict: 'CONDITIONAL',
    when: 'the expected value is given and is zero or below',
    holds: ({ figures: { expectedValueMicro } }) => expectedValueMicro !== null && expectedValueMicro <= 0n,
  },
];

export function verdictBy<F>(rules: readonly VerdictRule<F>[], facts: F): AuditVerdict {
  return rules.find((rule) => rule.holds(facts))?.verdict ?? 'READY';
}
