import {
  centNumber,
  jsonNumber,
  microNumber,
  microOf,
  MILLION,
  optionalMicro,
  ppmOf,
  roundedQuotient,
  share,
  smallest,
} from './exact-number.ts';
import { BUDGET_THRESHOLDS, type ControlAnswer } from './thresholds.ts';

export type ProbabilityBasis = 'measured' | 'estimated' | 'unknown';

/** The figures that a caller gives of its own budget, as text. */
export interface BudgetNumbers {
  readonly budget_period_usd: string;
  readonly period_days?: string | undefined;
  readonly per_action_cap_usd?: string | undefined;
  readonly funds_reachable_usd?: string | undefined;
  readonly max_burn_usd_per_hour?: string | undefined;
  readonly detection_hours?: string | undefined;
  readonly goal_value_usd?: string | undefined;
  readonly p_success?: string | undefined;
  readonly p_basis?: ProbabilityBasis | undefined;
}

export interface BudgetFigures {
  readonly bounded: boolean;
  readonly budgetMicro: bigint;
  readonly worstCaseMicro: bigint;
  readonly lossMicro: bigint;
  readonly expectedValueMicro: bigint | null;
  readonly isComputable: boolean;
  readonly isDetectionGiven: boolean;
}

const T = BUDGET_THRESHOLDS;
const HOURS_PER_DAY = 24;
/** In the order in which an answer lists them. */
export const ASSUMPTIONS = {
  lowerBound: 'The worst case is a lower bound: neither funds_reachable_usd nor max_burn_usd_per_hour was given.',
  detection:
    'detection_hours was not given, so the audit assumes that the spending is noticed only when the period ends.',
} as const;

/** The published formulas, in the order in which they are computed. */
export const FORMULAS = [
  {
    figure: 'bounded',
    formula: 'hard_cap_outside_model = yes and aggregate_budget = yes, after lowering, in or out of scope',
  },
  {
    figure: 'raw',
    formula: 'min(funds_reachable_usd, max_burn_usd_per_hour x 24 x period_days); a missing term is infinite',
  },
  {
    figure: 'worst_case_period_usd',
    formula: 'bounded: min(budget, raw); otherwise raw, or the budget as a lower bound when raw is infinite',
  },
  {
    figure: 'loss_before_detection_usd',
    formula:
      'min(worst case, funds_reachable_usd, max_burn_usd_per_hour x detection_hours); without detection_hours the whole period',
  },
  { figure: 'overrun_multiple', formula: 'worst case / budget, rounded to two decimals; 0 for a budget of 0' },
  {
    figure: 'expected_value_usd',
    formula: `p x goal_value_usd - budget; p is p_success when p_basis is measured, otherwise ${T.probability_factor_when_not_measured} of it; null when p_success or goal_value_usd is absent`,
  },
  {
    figure: 'recommended_fuse_settings.per_action_cap_usd',
    formula: `the smaller of the given cap and max(${T.smallest_recommended_usd}, ${T.action_cap_budget_share} x budget)`,
  },
  {
    figure: 'recommended_fuse_settings.probe_amount_usd',
    formula: `max(${T.smallest_recommended_usd}, ${T.probe_budget_share} x budget)`,
  },
  { figure: 'recommended_fuse_settings.daily_cap_usd', formula: `${T.daily_cap_multiple} x budget / period_days` },
  {
    figure: 'recommended_fuse_settings.burn_alarm_usd_per_hour',
    formula: `${T.burn_alarm_multiple} x budget / (24 x period_days)`,
  },
] as const;

/** What success is worth on average, minus what it costs; null when it cannot be computed. Rounded to the micro unit. */
export function expectedGain(parts: {
  readonly pPpm: bigint | undefined;
  readonly basis: ProbabilityBasis | undefined;
  readonly valueMicro: bigint | undefined;
  readonly costMicro: bigint;
}): bigint | null {
  const { pPpm, basis, valueMicro, costMicro } = parts;
  if (pPpm === undefined || valueMicro === undefined) return null;
  const factor = basis === 'measured' ? 1 : T.probability_factor_when_not_measured;
  return roundedQuotient(pPpm * valueMicro * ppmOf(factor), MILLION * MILLION) - costMicro;
}

export function budgetExpectedValue(numbers: BudgetNumbers): bigint | null {
  return expectedGain({
    pPpm: optionalMicro(numbers.p_success),
    basis: numbers.p_basis,
    valueMicro: optionalMicro(numbers.goal_value_usd),
    costMicro: microOf(numbers.budget_period_usd),
  });
}

/** A cap outside the model and one sum over everything: only both together, fully in place, bound the spend. */
export function isBounded(answers: Readonly<Record<string, ControlAnswer | undefined>>): boolean {
  return answers['hard_cap_outside_model'] === 'yes' && answers['aggregate_budget'] === 'yes';
}

export function budgetFigures(numbers: BudgetNumbers, bounded: boolean): BudgetFigures {
  const budgetMicro = microOf(numbers.budget_period_usd);
  const fundsMicro = optionalMicro(numbers.funds_reachable_usd);
  const burnMicro = optionalMicro(numbers.max_burn_usd_per_hour);
  const hours = BigInt(periodDays(numbers) * HOURS_PER_DAY);
  const burnedMicro = burnMicro === undefined ? undefined : burnMicro * hours;
  const raw = fundsMicro === undefined ? burnedMicro : smallest(fundsMicro, burnedMicro);
  const worstCaseMicro = bounded ? smallest(budgetMicro, raw) : (raw ?? budgetMicro);
  const detectionMicroHours = optionalMicro(numbers.detection_hours) ?? hours * MILLION;
  const burnedUnseen = burnMicro === undefined ? undefined : (burnMicro * detectionMicroHours) / MILLION;
  return {
    bounded,
    budgetMicro,
    worstCaseMicro,
    lossMicro: smallest(worstCaseMicro, fundsMicro, burnedUnseen),
    expectedValueMicro: budgetExpectedValue(numbers),
    isComputable: raw !== undefined,
    isDetectionGiven: numbers.detection_hours !== undefined,
  };
}

function periodDays({ period_days: days }: BudgetNumbers): number {
  return days === undefined ? T.default_period_days : Number(days);
}

export function exposureOf(figures: BudgetFigures) {
  const { bounded, budgetMicro, worstCaseMicro, lossMicro, isComputable, isDetectionGiven } = figures;
  const isLowerBound = !bounded && !isComputable;
  return {
    intended_budget_usd: centNumber(budgetMicro),
    worst_case_period_usd: centNumber(worstCaseMicro),
    loss_before_detection_usd: centNumber(lossMicro),
    overrun_multiple: budgetMicro === 0n ? 0 : jsonNumber(roundedQuotient(100n * worstCaseMicro, budgetMicro), 2),
    lower_bound: isLowerBound,
    assumptions: [
      ...(isLowerBound ? [ASSUMPTIONS.lowerBound] : []),
      ...(isDetectionGiven ? [] : [ASSUMPTIONS.detection]),
    ],
  };
}

export function recommendedFuseSettings(numbers: BudgetNumbers) {
  const budgetMicro = microOf(numbers.budget_period_usd);
  const capMicro = optionalMicro(numbers.per_action_cap_usd);
  const days = BigInt(periodDays(numbers));
  const smallestMicro = ppmOf(T.smallest_recommended_usd);
  const atLeast = (amountMicro: bigint) => (amountMicro > smallestMicro ? amountMicro : smallestMicro);
  const ownCapMicro = atLeast(share(budgetMicro, T.action_cap_budget_share));
  return {
    // A given cap keeps its decimals: rounded, it could be above what is enforced, or 0.
    per_action_cap_usd:
      capMicro !== undefined && capMicro <= ownCapMicro ? microNumber(capMicro) : centNumber(ownCapMicro),
    probe_amount_usd: centNumber(atLeast(share(budgetMicro, T.probe_budget_share))),
    daily_cap_usd: centNumber((BigInt(T.daily_cap_multiple) * budgetMicro) / days),
    attempts_without_progress_stop: T.attempts_without_progress_stop,
    burn_alarm_usd_per_hour: centNumber((BigInt(T.burn_alarm_multiple) * budgetMicro) / (BigInt(HOURS_PER_DAY) * days)),
  };
}
