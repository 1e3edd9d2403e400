import { AP2_CHECKS, CHECK_RESULTS, DECISIONS, MANDATE_CHECKS, REASONS } from './checks.ts';
import { ACTIONS, ASSURANCES, COMMITTING, HANDSHAKE_OUTCOMES, PERIOD_UNITS, STEPS } from './handshake.ts';

/** The mandate handshake, from the tables that decide it. */
export const HANDSHAKE_DOCUMENT = {
  protocol: 'AMH',
  version: '0-draft',
  custody: 'Decides, reserves and keeps the record. Never executes, pays or holds funds.',
  decisions: [...DECISIONS],
  checks: MANDATE_CHECKS.map(({ id, name, needsCurrency = false }) => ({ id, name, compares_amounts: needsCurrency })),
  ap2_checks: AP2_CHECKS.map(({ id, name }) => ({ id, name })),
  check_results: [...CHECK_RESULTS],
  reasons: [...REASONS],
  actions: [...ACTIONS],
  outcomes: HANDSHAKE_OUTCOMES.map((outcome) => ({ outcome, commits_the_amount: COMMITTING.has(outcome) })),
  states: Object.entries(STEPS).map(([state, next]) => ({ state, may_become: [...next] })),
  assurances: [...ASSURANCES],
  periods: [...PERIOD_UNITS],
};
