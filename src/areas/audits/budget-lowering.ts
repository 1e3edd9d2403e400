import type { BudgetControlId } from './budget-controls.ts';
import { budgetExpectedValue, type BudgetNumbers } from './budget-exposure.ts';
import { microOf, optionalMicro, share } from './exact-number.ts';
import type { ControlAnswers } from './score.ts';
import { BUDGET_THRESHOLDS, type ControlAnswer } from './thresholds.ts';

interface NumberFacts {
  readonly budgetMicro: bigint;
  readonly capMicro: bigint | undefined;
  readonly detectionMicroHours: bigint | undefined;
  readonly fundsMicro: bigint | undefined;
  readonly expectedValueMicro: bigint | null;
  readonly isMeasured: boolean;
}

/** An answer that the caller's own numbers do not bear out is lowered to `to`; per control the first row that holds. */
export interface LoweringRule {
  readonly control: BudgetControlId;
  readonly to: 'partial' | 'no';
  readonly because: string;
  readonly holds: (facts: NumberFacts) => boolean;
}

const { detection_hours_for_full_alerts: alertHours, funds_reachable_budget_multiple: fundsMultiple } =
  BUDGET_THRESHOLDS;

export const LOWERING_RULES: readonly LoweringRule[] = [
  {
    control: 'per_action_cap_enforced',
    to: 'partial',
    because: 'per_action_cap_usd is not given. A cap that is enforced has an amount.',
    holds: ({ capMicro }) => capMicro === undefined,
  },
  {
    control: 'per_action_cap_enforced',
    to: 'no',
    because: 'per_action_cap_usd is above the budget. One action can spend all of it.',
    holds: ({ capMicro, budgetMicro }) => capMicro !== undefined && capMicro > budgetMicro,
  },
  {
    control: 'alerts_cover_all_channels',
    to: 'partial',
    because: `detection_hours is not given, or is above ${alertHours}. Alerts that reach someone are noticed within a day.`,
    holds: ({ detectionMicroHours }) =>
      detectionMicroHours === undefined || detectionMicroHours > microOf(String(alertHours)),
  },
  {
    control: 'keys_scoped',
    to: 'partial',
    because: `funds_reachable_usd is above ${fundsMultiple} times the budget. The credentials reach more than the task needs.`,
    holds: ({ fundsMicro, budgetMicro }) => fundsMicro !== undefined && fundsMicro > share(budgetMicro, fundsMultiple),
  },
  {
    control: 'ev_check',
    to: 'partial',
    because: 'p_success or goal_value_usd is not given. Without both there is no expected value.',
    holds: ({ expectedValueMicro }) => expectedValueMicro === null,
  },
  {
    control: 'ev_check',
    to: 'no',
    because: 'The expected value is zero or below. A check would have stopped this.',
    holds: ({ expectedValueMicro }) => expectedValueMicro !== null && expectedValueMicro <= 0n,
  },
  {
    control: 'ev_check',
    to: 'partial',
    because: 'p_basis is not measured. The success rate is a guess.',
    holds: ({ isMeasured }) => !isMeasured,
  },
];

const RANKS: Readonly<Record<ControlAnswer, number>> = { yes: 2, partial: 1, no: 0, unknown: 0 };

export interface Lowered {
  readonly answers: ControlAnswers;
  readonly reasons: ReadonlyMap<string, { readonly declared: ControlAnswer; readonly because: string }>;
}

/** Answers after comparison with the numbers. None is ever raised. */
export function lowerAnswers(numbers: BudgetNumbers, declared: ControlAnswers): Lowered {
  const facts = factsOf(numbers);
  const answers: Record<string, ControlAnswer | undefined> = { ...declared };
  const reasons = new Map<string, { declared: ControlAnswer; because: string }>();
  for (const control of new Set(LOWERING_RULES.map((rule) => rule.control))) {
    const rule = LOWERING_RULES.find((row) => row.control === control && row.holds(facts));
    const answer = declared[control] ?? 'unknown';
    if (rule === undefined || RANKS[answer] <= RANKS[rule.to]) continue;
    answers[control] = rule.to;
    reasons.set(control, { declared: answer, because: rule.because });
  }
  return { answers, reasons };
}

function factsOf(numbers: BudgetNumbers): NumberFacts {
  return {
    budgetMicro: microOf(numbers.budget_period_usd),
    capMicro: optionalMicro(numbers.per_action_cap_usd),
    detectionMicroHours: optionalMicro(numbers.detection_hours),
    fundsMicro: optionalMicro(numbers.funds_reachable_usd),
    expectedValueMicro: budgetExpectedValue(numbers),
    isMeasured: numbers.p_basis === 'measured',
  };
}
