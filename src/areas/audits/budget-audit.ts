import { BUDGET_CONTROLS, BUDGET_SCOPES, type BudgetControl, type BudgetControlId } from './budget-controls.ts';
import {
  type BudgetNumbers,
  budgetFigures,
  exposureOf,
  isBounded,
  recommendedFuseSettings,
} from './budget-exposure.ts';
import { lowerAnswers } from './budget-lowering.ts';
import { centNumber } from './exact-number.ts';
import { shownIncident } from './incidents.ts';
import { echo, requestedScope } from './parameters.ts';
import { answersOf, gradeOf, scoreControls } from './score.ts';
import { BUDGET_PROTOCOL, CATALOGUE_AS_OF, type ControlAnswer } from './thresholds.ts';
import { BUDGET_VERDICT_RULES, verdictBy } from './verdict-rules.ts';

export type BudgetAuditInput = BudgetNumbers & {
  readonly scope?: string | undefined;
  readonly role?: 'agent' | 'principal' | undefined;
  readonly agent?: string | undefined;
} & { readonly [Id in BudgetControlId]?: ControlAnswer | undefined };

const CONTROLS: readonly BudgetControl[] = BUDGET_CONTROLS;

/** What follows from the answers and numbers of a caller, and from nothing else. */
export function judgeBudget(input: BudgetAuditInput) {
  const { answers, reasons } = lowerAnswers(input, answersOf(CONTROLS, input));
  const scope = requestedScope(input.scope, BUDGET_SCOPES);
  const scored = scoreControls(CONTROLS, scope, answers);
  const figures = budgetFigures(input, isBounded(answers));
  const verdict = verdictBy(BUDGET_VERDICT_RULES, { ...scored, figures });
  return { ...scored, scope, figures, reasons, verdict, grade: gradeOf(scored.score, verdict) };
}

/** The result of the paid audit: the same input gives the same bytes. */
export function auditBudget(input: BudgetAuditInput) {
  const { verdict, score, grade, figures, reasons, open, scope } = judgeBudget(input);
  const { expectedValueMicro } = figures;
  return {
    protocol: BUDGET_PROTOCOL,
    verdict,
    score,
    grade,
    basis: 'self-declared' as const,
    exposure: exposureOf(figures),
    expected_value_usd: expectedValueMicro === null ? null : centNumber(expectedValueMicro),
    findings: open.map(({ control, answer }) => {
      const lowered = reasons.get(control.id);
      return {
        control: control.id,
        answer,
        ...(lowered !== undefined && { declared: lowered.declared, lowered_because: lowered.because }),
        severity: control.severity,
        pattern: control.pattern,
        fix: control.fix,
        incidents: control.incidents.map(shownIncident),
      };
    }),
    recommended_fuse_settings: recommendedFuseSettings(input),
    scope,
    catalogue_as_of: CATALOGUE_AS_OF,
    declared: echo(input),
  };
}
