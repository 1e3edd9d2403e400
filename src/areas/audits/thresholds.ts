/** Every figure that a verdict depends on. They are judgement; the protocol paths publish them, and a change makes a new protocol version. */
export const BUDGET_PROTOCOL = 'ABA-1.0' as const;
export const COORDINATION_PROTOCOL = 'ACA-1.0' as const;
export const PROTOCOL_VERSION = '1.0';
/** When a text of the methods last changed: until then the same parameters gave the same bytes. */
export const CATALOGUE_AS_OF = '2026-11-19';
/** When the incidents and measurements were last looked at. */
export const EVIDENCE_AS_OF = '2026-11-15';

export const ANSWERS = ['yes', 'partial', 'no', 'unknown'] as const;
export type ControlAnswer = (typeof ANSWERS)[number];
export const SEVERITIES = ['critical', 'high', 'medium'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const GRADES = ['A', 'B', 'C', 'D', 'F'] as const;
export type Grade = (typeof GRADES)[number];
export const AUDIT_VERDICTS = ['READY', 'CONDITIONAL', 'NOT_READY'] as const;
export type AuditVerdict = (typeof AUDIT_VERDICTS)[number];

export const ANSWER_CREDITS: Readonly<Record<ControlAnswer, number>> = { yes: 1, partial: 0.5, no: 0, unknown: 0 };
export const WEIGHTS: Readonly<Record<Severity, number>> = { critical: 10, high: 6, medium: 3 };

export const GRADE_RULES: { readonly from_score: Readonly<Record<Grade, number>>; readonly at_most: GradeCaps } = {
  from_score: { A: 90, B: 75, C: 60, D: 40, F: 0 },
  at_most: { READY: 'A', CONDITIONAL: 'B', NOT_READY: 'D' },
};
type GradeCaps = Readonly<Record<AuditVerdict, Grade>>;

export const SCORE_THRESHOLDS = { not_ready_below_score: 50, conditional_below_score: 85 } as const;

export const BUDGET_THRESHOLDS = {
  ...SCORE_THRESHOLDS,
  not_ready_above_overrun_multiple: 10,
  detection_hours_for_full_alerts: 24,
  funds_reachable_budget_multiple: 2,
  probability_factor_when_not_measured: 0.5,
  default_period_days: 30,
  action_cap_budget_share: 0.1,
  probe_budget_share: 0.01,
  smallest_recommended_usd: 0.01,
  daily_cap_multiple: 3,
  burn_alarm_multiple: 3,
  attempts_without_progress_stop: 3,
} as const;

export const FUSE_THRESHOLDS = {
  price_stop_above_ratio: 2,
  price_caution_above_ratio: 1.2,
  price_caution_below_ratio: 0.25,
  probability_factor_when_not_measured: BUDGET_THRESHOLDS.probability_factor_when_not_measured,
  attempts_stop: BUDGET_THRESHOLDS.attempts_without_progress_stop,
  attempts_caution: 2,
  value_spent_stop_above_share: 1,
  value_spent_caution_above_share: 0.5,
  probe_budget_share: BUDGET_THRESHOLDS.probe_budget_share,
  probe_sum_multiple: 5,
  memory_days: 30,
} as const;
