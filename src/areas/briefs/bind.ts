import { type BoundOperation, bind } from '#kernel/bound-operation.ts';
import * as rows from './operations.ts';
import type { Briefs } from './service.ts';

/** The rows of this area, in the order in which documents show them. */
export const BRIEF_OPERATIONS = [rows.brief, rows.openBrief, rows.checkBrief, rows.lintBrief];

export function bindBriefs(briefs: Briefs): BoundOperation[] {
  return [
    bind(rows.brief, (input) => briefs.brief(input)),
    bind(rows.openBrief, (input) => briefs.open(input.brief, input.accept_language)),
    bind(rows.checkBrief, (input) => briefs.check(input)),
    bind(rows.lintBrief, (input) => briefs.lint(input)),
  ];
}
