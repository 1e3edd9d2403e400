import {
  ANSWER_CREDITS,
  type AuditVerdict,
  type ControlAnswer,
  type Grade,
  GRADE_RULES,
  GRADES,
  SEVERITIES,
  type Severity,
  WEIGHTS,
} from './thresholds.ts';

/** What the engine needs of a control, whichever protocol it belongs to. */
export interface Control<Scope extends string = string> {
  readonly id: string;
  readonly severity: Severity;
  readonly scope: readonly Scope[];
}

export type ControlAnswers = Readonly<Record<string, ControlAnswer | undefined>>;

/** The answers among the parameters of a call. */
export function answersOf(controls: readonly Control[], input: object): ControlAnswers {
  const given = input as Readonly<Record<string, ControlAnswer | undefined>>;
  return Object.fromEntries(controls.map(({ id }) => [id, given[id]]));
}

/** A control of the requested scope whose answer is not yes. */
export interface OpenControl<C extends Control> {
  readonly control: C;
  readonly answer: Exclude<ControlAnswer, 'yes'>;
}

export interface Scored<C extends Control> {
  readonly score: number;
  readonly controlsInScope: number;
  /** Most weight lost first, ties in table order. */
  readonly open: readonly OpenControl<C>[];
}

/** A control that was not answered counts as unknown. */
export function scoreControls<C extends Control>(
  controls: readonly C[],
  scope: readonly string[],
  answers: ControlAnswers,
): Scored<C> {
  const rows = controls
    .filter((control) => control.scope.some((name) => scope.includes(name)))
    .map((control) => ({ control, answer: answers[control.id] ?? 'unknown' }));
  const weight = rows.reduce((sum, { control }) => sum + WEIGHTS[control.severity], 0);
  const earned = rows.reduce((sum, { control, answer }) => sum + WEIGHTS[control.severity] * ANSWER_CREDITS[answer], 0);
  const open = rows.filter((row): row is OpenControl<C> => row.answer !== 'yes');
  return {
    score: Math.floor((100 * earned) / weight),
    controlsInScope: rows.length,
    open: open.toSorted((a, b) => weightLost(b) - weightLost(a)),
  };
}

function weightLost({ control, answer }: OpenControl<Control>): number {
  return WEIGHTS[control.severity] * (1 - ANSWER_CREDITS[answer]);
}

/** The grade of the score, lowered to what the verdict allows: a grade never contradicts its verdict. */
export function gradeOf(score: number, verdict: AuditVerdict): Grade {
  const earned = GRADES.findIndex((grade) => score >= GRADE_RULES.from_score[grade]);
  const best = GRADES.indexOf(GRADE_RULES.at_most[verdict]);
  return GRADES[Math.max(earned, best)] as Grade;
}

export function openBySeverity(open: readonly OpenControl<Control>[]): Record<Severity, number> {
  const counts = SEVERITIES.map((severity) => {
    return [severity, open.filter(({ control }) => control.severity === severity).length] as const;
  });
  return Object.fromEntries(counts) as Record<Severity, number>;
}
