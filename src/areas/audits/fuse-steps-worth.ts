import { MILLION, ppmOf } from './exact-number.ts';
import { type FuseStep, otherwise } from './fuse-step.ts';
import type { SpendFacts } from './spend-facts.ts';
import { FUSE_THRESHOLDS } from './thresholds.ts';

const T = FUSE_THRESHOLDS;

function isAbove(amount: bigint, ratio: number, of: bigint): boolean {
  return amount * MILLION > of * ppmOf(ratio);
}

const priceSanity: FuseStep = {
  step: 'F5',
  name: 'price sanity',
  checkName: 'price',
  rows: [
    {
      code: 'undeclared',
      result: 'CAUTION',
      when: 'reference_price_usd is not declared, or is 0',
      holds: ({ reference }) => reference === undefined || reference === 0n,
      why: 'reference_price_usd is not declared, or is 0. There is nothing to compare the amount with.',
    },
    {
      code: 'over_double',
      result: 'STOP',
      when: `the amount is above ${T.price_stop_above_ratio} times the reference price`,
      holds: ({ amount, reference = 0n }) => isAbove(amount, T.price_stop_above_ratio, reference),
      why: `The price is above ${T.price_stop_above_ratio} times the usual one.`,
    },
    {
      code: 'over_usual',
      result: 'CAUTION',
      when: `the amount is above ${T.price_caution_above_ratio} times the reference price`,
      holds: ({ amount, reference = 0n }) => isAbove(amount, T.price_caution_above_ratio, reference),
      why: `The price is above ${T.price_caution_above_ratio} times the usual one.`,
    },
    {
      code: 'too_cheap',
      result: 'CAUTION',
      when: `the amount is below ${T.price_caution_below_ratio} times the reference price`,
      holds: ({ amount, reference = 0n }) => amount * MILLION < reference * ppmOf(T.price_caution_below_ratio),
      why: `The price is below ${T.price_caution_below_ratio} times the usual one. Check that it is the same thing.`,
    },
    { ...otherwise, code: 'near_usual', result: 'PASS', why: 'The price is near the usual one.' },
  ],
};

const expectedValueStep: FuseStep = {
  step: 'F6',
  name: 'expected value',
  checkName: 'expected value',
  rows: [
    {
      code: 'undeclared',
      result: 'CAUTION',
      when: 'p_success or value_usd is not declared',
      holds: ({ expectedValueMicro }) => expectedValueMicro === null,
      why: 'p_success and value_usd are not both declared, so there is no expected value.',
    },
    {
      code: 'not_above_zero',
      result: 'STOP',
      when: `p x value_usd - amount - effort_cost_usd is zero or below; p is p_success, or ${T.probability_factor_when_not_measured} of it unless p_basis is measured`,
      holds: ({ expectedValueMicro }) => (expectedValueMicro ?? 0n) <= 0n,
      why: 'On average this spend does not pay off: its expected value is not above zero.',
    },
    {
      code: 'positive_measured',
      result: 'PASS',
      when: 'above zero, p_basis is measured',
      holds: ({ input }) => input.p_basis === 'measured',
      why: 'The expected value is above zero, with a measured success rate.',
    },
    {
      code: 'positive_halved',
      result: 'PASS',
      when: 'above zero, p_basis is estimated',
      holds: ({ input }) => input.p_basis === 'estimated',
      why: 'The expected value is above zero, although the success rate is an estimate and was halved.',
    },
    {
      ...otherwise,
      code: 'basis_unknown',
      result: 'CAUTION',
      why: 'The expected value is above zero with the success rate halved, but the source of the rate is not declared.',
    },
  ],
};

function isGoalSpent({ cumulative, amount, value }: SpendFacts, sharePart: number): boolean {
  return value !== undefined && isAbove((cumulative ?? 0n) + amount, sharePart, value);
}

const stopLoss: FuseStep = {
  step: 'F7',
  name: 'stop-loss',
  checkName: 'stop-loss',
  rows: [
    {
      code: 'three_attempts',
      result: 'STOP',
      when: `attempts_without_progress is ${T.attempts_stop} or more`,
      holds: ({ attempts }) => attempts !== undefined && attempts >= T.attempts_stop,
      why: `${T.attempts_stop} attempts or more made no progress.`,
    },
    {
      code: 'past_value',
      result: 'STOP',
      when: `cumulative_cost_usd (0 if absent) plus the amount is above ${T.value_spent_stop_above_share} times value_usd`,
      holds: (facts) => isGoalSpent(facts, T.value_spent_stop_above_share),
      why: 'The goal would cost more than it is worth.',
    },
    {
      code: 'undeclared',
      result: 'CAUTION',
      when: 'attempts_without_progress, cumulative_cost_usd or value_usd is not declared',
      holds: ({ attempts, cumulative, value }) =>
        attempts === undefined || cumulative === undefined || value === undefined,
      why: 'attempts_without_progress, cumulative_cost_usd and value_usd are not all declared.',
    },
    {
      code: 'two_attempts',
      result: 'CAUTION',
      when: `attempts_without_progress is ${T.attempts_caution}`,
      holds: ({ attempts }) => attempts !== undefined && attempts >= T.attempts_caution,
      why: `${T.attempts_caution} attempts made no progress.`,
    },
    {
      code: 'past_half',
      result: 'CAUTION',
      when: `cumulative_cost_usd plus the amount is above ${T.value_spent_caution_above_share} times value_usd`,
      holds: (facts) => isGoalSpent(facts, T.value_spent_caution_above_share),
      why: "More than half of the goal's value would be spent.",
    },
    {
      ...otherwise,
      code: 'inside',
      result: 'PASS',
      why: 'Attempts and cost are in proportion to what the goal is worth.',
    },
  ],
};

export const WORTH_STEPS = [priceSanity, expectedValueStep, stopLoss];
