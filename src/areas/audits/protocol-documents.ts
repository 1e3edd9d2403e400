import { BUDGET_CONTROLS, BUDGET_SCOPES, type BudgetControl } from './budget-controls.ts';
import { FORMULAS } from './budget-exposure.ts';
import { LOWERING_RULES } from './budget-lowering.ts';
import { COORDINATION_CONTROLS, COORDINATION_SCOPES, type CoordinationControl } from './coordination-controls.ts';
import { FUSE_STEPS } from './fuse.ts';
import { INCIDENTS } from './incidents.ts';
import { STUDIES } from './studies.ts';
import {
  ANSWER_CREDITS,
  BUDGET_PROTOCOL,
  BUDGET_THRESHOLDS,
  CATALOGUE_AS_OF,
  COORDINATION_PROTOCOL,
  FUSE_THRESHOLDS,
  GRADE_RULES,
  PROTOCOL_VERSION,
  SCORE_THRESHOLDS,
  WEIGHTS,
} from './thresholds.ts';
import { BUDGET_VERDICT_RULES, COORDINATION_VERDICT_RULES, type VerdictRule } from './verdict-rules.ts';

const budgetControls: readonly BudgetControl[] = BUDGET_CONTROLS;
const coordinationControls: readonly CoordinationControl[] = COORDINATION_CONTROLS;
const shared = { version: PROTOCOL_VERSION, as_of: CATALOGUE_AS_OF, credits: ANSWER_CREDITS, weights: WEIGHTS };

function publishedRules(rules: readonly Pick<VerdictRule<never>, 'id' | 'verdict' | 'when'>[]) {
  const rows = rules.map(({ id, verdict, when }) => ({ id, verdict, when }));
  return [...rows, { id: 'otherwise', verdict: 'READY' as const, when: 'none of the rules before it applies' }];
}

/** The whole method of the budget audit and the fuse, from the tables that compute it. */
export const BUDGET_PROTOCOL_DOCUMENT = {
  protocol: BUDGET_PROTOCOL,
  ...shared,
  scopes: [...BUDGET_SCOPES],
  verdict_rules: publishedRules(BUDGET_VERDICT_RULES),
  grade_rules: GRADE_RULES,
  thresholds: BUDGET_THRESHOLDS,
  controls: budgetControls.map(({ scope, incidents, owasp, ...control }) => ({
    ...control,
    scope: [...scope],
    incidents: [...incidents],
    owasp: [...owasp],
  })),
  lowering: LOWERING_RULES.map(({ control, to, because }) => ({ control, to, because })),
  formulas: [...FORMULAS],
  fuse: {
    steps: FUSE_STEPS.map(({ step, name, checkName, rows }) => ({
      step,
      name,
      check_name: checkName,
      rows: rows.map(({ code, result, when }) => ({ code, result, when })),
    })),
    thresholds: FUSE_THRESHOLDS,
  },
  incidents: INCIDENTS,
};

const citedIncidents = Object.fromEntries(
  Object.entries(INCIDENTS).filter(([key]) =>
    coordinationControls.some(({ sources }) => (sources as readonly string[]).includes(key)),
  ),
);

export const COORDINATION_PROTOCOL_DOCUMENT = {
  protocol: COORDINATION_PROTOCOL,
  ...shared,
  scopes: [...COORDINATION_SCOPES],
  verdict_rules: publishedRules(COORDINATION_VERDICT_RULES),
  grade_rules: GRADE_RULES,
  thresholds: SCORE_THRESHOLDS,
  controls: coordinationControls.map(({ scope, sources, ...control }) => ({
    ...control,
    scope: [...scope],
    sources: [...sources],
  })),
  sources: STUDIES,
  incidents: citedIncidents,
};
