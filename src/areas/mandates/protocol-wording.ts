import type { DocumentWording } from '#kernel/document.ts';

export const HANDSHAKE_WORDING: DocumentWording = {
  labels: {
    custody: 'What Avouch does and does not do',
    decisions: 'Decisions',
    checks: 'Checks of an action, in order',
    compares_amounts: 'Compares amounts',
    ap2_checks: 'More checks of a mandate imported from AP2',
    check_results: 'Results of a check',
    reasons: 'Reasons for a decision',
    actions: 'Actions',
    outcomes: 'Outcomes that a platform seals',
    commits_the_amount: 'Commits the amount',
    states: 'States',
    may_become: 'Can become',
    assurances: 'Who created the mandate',
    periods: 'Periods of a limit',
  },
  notes: {
    checks: 'The reason names the first check that failed.',
    states: 'What was verified can only move along these steps.',
  },
};
