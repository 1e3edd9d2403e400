import { microNumber } from './exact-number.ts';
import type { FuseStep, StepResult, StepRow } from './fuse-step.ts';
import { MANDATE_STEPS } from './fuse-steps-mandate.ts';
import { SAFETY_STEPS } from './fuse-steps-safety.ts';
import { WORTH_STEPS } from './fuse-steps-worth.ts';
import { echo } from './parameters.ts';
import { type SpendFacts, type SpendInput, type SpendMemory, spendFacts } from './spend-facts.ts';
import { BUDGET_PROTOCOL } from './thresholds.ts';

export const FUSE_STEPS: readonly FuseStep[] = [...MANDATE_STEPS, ...WORTH_STEPS, ...SAFETY_STEPS];

export type FuseResult = ReturnType<typeof fuse>;
type FuseVerdict = 'GO' | 'CAUTION' | 'STOP';

/** The result of the paid call: the same input on the same memory gives the same bytes. */
export function fuse(input: SpendInput, memory: SpendMemory) {
  return judged(spendFacts(input, memory), (step) => step.name);
}

/** The ten checks without memory, under the names of the free call. */
export function checkSpend(input: SpendInput) {
  const result = judged(spendFacts(input, null), (step) => step.checkName);
  return { ...result, signed: false as const, stored: false as const };
}

/** Every step runs, whatever the ones before it said. */
function judged(facts: SpendFacts, nameOf: (step: FuseStep) => string) {
  const checks = FUSE_STEPS.map((step) => {
    const { result, code, why } = step.rows.find((row) => row.holds(facts)) as StepRow;
    return { step: step.step, name: nameOf(step), result, code, why: typeof why === 'string' ? why : why(facts) };
  });
  const stepsWith = (result: StepResult) => checks.filter((check) => check.result === result).map(({ step }) => step);
  const stops = stepsWith('STOP');
  const cautions = stepsWith('CAUTION');
  const verdict: FuseVerdict = stops.length > 0 ? 'STOP' : cautions.length > 0 ? 'CAUTION' : 'GO';
  const { expectedValueMicro, input } = facts;
  return {
    protocol: BUDGET_PROTOCOL,
    verdict,
    stops,
    cautions,
    checks,
    expected_value_usd: expectedValueMicro === null ? null : microNumber(expectedValueMicro),
    declared: echo(input),
  };
}
