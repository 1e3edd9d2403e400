import {
  COORDINATION_CONTROLS,
  COORDINATION_SCOPES,
  type CoordinationControl,
  type CoordinationControlId,
} from './coordination-controls.ts';
import { echo, requestedScope } from './parameters.ts';
import { answersOf, gradeOf, scoreControls } from './score.ts';
import { shownEvidence } from './studies.ts';
import { CATALOGUE_AS_OF, type ControlAnswer, COORDINATION_PROTOCOL } from './thresholds.ts';
import { COORDINATION_VERDICT_RULES, verdictBy } from './verdict-rules.ts';

export type CoordinationAuditInput = {
  readonly scope?: string | undefined;
  readonly system?: string | undefined;
  readonly agents?: string | undefined;
} & { readonly [Id in CoordinationControlId]?: ControlAnswer | undefined };

const CONTROLS: readonly CoordinationControl[] = COORDINATION_CONTROLS;
const FIRST_STEPS = 3;

export function judgeCoordination(input: CoordinationAuditInput) {
  const scope = requestedScope(input.scope, COORDINATION_SCOPES);
  const scored = scoreControls(CONTROLS, scope, answersOf(CONTROLS, input));
  const verdict = verdictBy(COORDINATION_VERDICT_RULES, scored);
  return { ...scored, scope, verdict, grade: gradeOf(scored.score, verdict) };
}

/** The result of the paid audit: the same input gives the same bytes. */
export function auditCoordination(input: CoordinationAuditInput) {
  const { verdict, score, grade, open, scope } = judgeCoordination(input);
  const agents = Number(input.agents ?? 0);
  return {
    protocol: COORDINATION_PROTOCOL,
    verdict,
    score,
    grade,
    basis: 'self-declared' as const,
    findings: open.map(({ control, answer }) => ({
      control: control.id,
      answer,
      severity: control.severity,
      pattern: control.pattern,
      measurement: control.measurement,
      sources: control.sources.map(shownEvidence),
      fix: control.fix,
      crossing_move: control.crossing_move,
    })),
    first_three_steps: open.slice(0, FIRST_STEPS).map(({ control }) => control.fix),
    ...(agents > 1 && { pairs: (agents * (agents - 1)) / 2 }),
    scope,
    catalogue_as_of: CATALOGUE_AS_OF,
    declared: echo(input),
  };
}
