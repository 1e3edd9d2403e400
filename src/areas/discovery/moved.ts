/** Pages of the documentation that became part of another, by their old names. */
export const MOVED_DOCS: Readonly<Record<string, string>> = {
  attestation: 'proof',
  'audit-trail': 'run#audit-trail',
  audits: 'checks#check-a-spend',
  bom: 'orders#bill-of-materials',
  bounties: 'coordination#bounties',
  briefs: 'coordination#briefs',
  cabinet: 'dashboard',
  capabilities: 'tasks#capabilities',
  crossing: 'coordination',
  explorer: 'dashboard#log-verify-board-and-playground',
  lessons: 'tasks#leave-a-lesson',
  'open-data': 'data#data-sets',
  operations: 'run',
  pages: 'dashboard#page-addresses',
  registers: 'checks#register-verdicts',
  retrieval: 'data#search',
  rules: 'discovery#usage-rules',
  sanctions: 'checks#sanctions-screening',
  'sandbox-chain': 'payments#sandbox-chain',
  simulation: 'reliability#simulation',
  topup: 'wallet#top-up-by-card',
  witness: 'proof#witnesses',
};

/** Old and short addresses, each with where it is now. */
export const REDIRECTS: Readonly<Record<string, string>> = Object.fromEntries([
  ['/status', '/system/status'],
  ...Object.entries(MOVED_DOCS).flatMap(([from, to]) => [
    [`/docs/${from}`, `/docs/${to}`],
    [`/docs/${from}.md`, `/docs/${to.split('#', 1)[0]}.md`],
  ]),
]);
