import type { DocumentWording } from '#kernel/document.ts';

export const BUDGET_LEAD = 'Controls, weights and formulas of the budget audit, and the ten steps of the spend fuse.';
export const COORDINATION_LEAD = 'Controls for agents that work together, with the measurements behind them.';

/** How the pages of both audits read. */
export const AUDIT_WORDING: DocumentWording = {
  labels: {
    as_of: 'As of',
    credits: 'What an answer counts',
    weights: 'What a control weighs',
    scopes: 'Scopes',
    verdict_rules: 'How the verdict is decided',
    grade_rules: 'How the grade is decided',
    from_score: 'Grade by score',
    at_most: 'Best grade by verdict',
    thresholds: 'Thresholds',
    controls: 'Controls',
    lowering: 'When an answer is lowered',
    formulas: 'Formulas',
    fuse: 'Spend fuse: ten steps before one payment',
    incidents: 'Incidents behind the controls',
    sources: 'Sources of the measurements',
    id: 'Rule',
    pattern: 'What goes wrong',
    fix: 'What to do',
    question: 'Question',
    measurement: 'Measured',
    crossing_move: 'With Avouch',
    owasp: 'OWASP',
    because: 'Why',
    to: 'Counts as',
    check_name: 'Check',
    rows: 'Outcomes',
    entry: 'Name',
    loss_usd: 'Loss in USD',
  },
  notes: {
    credits: 'The score is the sum of weight times credit, as a share of what was possible.',
    verdict_rules: 'The first rule that applies decides. If none does, the verdict is READY.',
    controls: 'Each control is one question that you answer yes, partial or no. What you do not answer counts as open.',
    lowering: 'A declared figure can contradict an answer. The answer then counts for less.',
    fuse: 'The strictest outcome wins: STOP, then CAUTION, then GO.',
  },
  maps: {
    credits: ['Answer', 'Credit'],
    weights: ['Severity', 'Weight'],
    from_score: ['Grade', 'From score'],
    at_most: ['Verdict', 'Best grade'],
    thresholds: ['Threshold', 'Value'],
  },
};
