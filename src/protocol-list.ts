import { BUDGET_PROTOCOL_DOCUMENT, COORDINATION_PROTOCOL_DOCUMENT } from '#areas/audits/protocol-documents.ts';
import { BRIEF_PROTOCOL_DOCUMENT } from '#areas/briefs/protocol-document.ts';
import { CHECKS, CHECK_RESULTS, DECISIONS, REASONS } from '#areas/mandates/checks.ts';
import { ACTIONS, ASSURANCES, COMMITTING, OUTCOMES, PERIOD_UNITS, STEPS } from '#areas/mandates/handshake.ts';
import { SCHEMAS } from '#protocol/attestation/schemas.ts';
import { RULES_VERSION } from '#platform/usage-rules/version.ts';
import { MATCHER_VERSION } from '#platform/screening/name-score.ts';

/** The mandate handshake, from the tables that decide it. */
const MANDATE_HANDSHAKE = {
  protocol: 'AMH',
  version: '0-draft',
  custody: 'Decides, reserves and keeps the record. Never executes, pays or holds funds.',
  decisions: [...DECISIONS],
  checks: CHECKS.map(({ id, name, needsCurrency = false }) => ({ id, name, compares_amounts: needsCurrency })),
  check_results: [...CHECK_RESULTS],
  reasons: [...REASONS],
  actions: [...ACTIONS],
  outcomes: OUTCOMES.map((outcome) => ({ outcome, commits_the_amount: COMMITTING.has(outcome) })),
  states: Object.entries(STEPS).map(([state, next]) => ({ state, may_become: [...next] })),
  assurances: [...ASSURANCES],
  periods: [...PERIOD_UNITS],
};

const METHODS = [
  {
    id: 'aba-1',
    title: 'Agent budget audit',
    version: BUDGET_PROTOCOL_DOCUMENT.protocol,
    what: 'Controls, weights and formulas of the budget audit, and the ten steps of the spend fuse.',
    document: BUDGET_PROTOCOL_DOCUMENT,
  },
  {
    id: 'aca-1',
    title: 'Agent coordination audit',
    version: COORDINATION_PROTOCOL_DOCUMENT.protocol,
    what: 'Controls of working together, with the measurements behind them.',
    document: COORDINATION_PROTOCOL_DOCUMENT,
  },
  {
    id: 'acb-1',
    title: 'Agent briefs',
    version: BRIEF_PROTOCOL_DOCUMENT.protocol,
    what: 'What a task card holds, how its clarity is scored, and which questions follow.',
    document: BRIEF_PROTOCOL_DOCUMENT,
  },
  {
    id: 'amh-0',
    title: 'Mandate handshake',
    version: `AMH ${MANDATE_HANDSHAKE.version}`,
    what: 'The checks between a mandate and an action, and what may follow what.',
    document: MANDATE_HANDSHAKE,
  },
].map((row) => ({ ...row, path: `/protocols/${row.id}` }));

const ELSEWHERE = [
  {
    id: 'schemas',
    title: 'Attestation schemas',
    version: `${SCHEMAS.length} schemas`,
    what: 'Claim, checks, fee and promise of every schema under which is sealed.',
    path: '/api/attest/schemas',
  },
  {
    id: 'rules',
    title: 'Usage rules',
    version: RULES_VERSION,
    what: 'What is allowed, what is not, and what follows.',
    path: '/api/rules-of-engagement',
  },
  {
    id: 'sanctions-quality',
    title: 'Sanctions screening, measured',
    version: `matcher ${MATCHER_VERSION}`,
    what: 'Recall and false hits on the list in use.',
    path: '/v1/sanctions/quality',
  },
];

export const PROTOCOL_LIST = {
  protocols: [...METHODS.map(({ document: _document, ...entry }) => entry), ...ELSEWHERE],
};

export const PROTOCOL_METHODS = new Map(METHODS.map((row) => [row.id, { ...row, document: { ...row.document } }]));
