import type { IncidentKey } from './incidents.ts';
import type { Control } from './score.ts';

export const BUDGET_SCOPES = ['compute', 'payments', 'commerce', 'ops'] as const;
type BudgetScope = (typeof BUDGET_SCOPES)[number];

export interface BudgetControl extends Control<BudgetScope> {
  readonly question: string;
  /** How money is lost where the control is missing. */
  readonly pattern: string;
  readonly fix: string;
  readonly incidents: readonly IncidentKey[];
  /** Entries of the OWASP lists for LLM applications and agentic applications that the control answers. */
  readonly owasp: readonly string[];
}

/** The order breaks ties between findings. */
export const BUDGET_CONTROLS = [
  {
    id: 'hard_cap_outside_model',
    severity: 'critical',
    scope: ['compute', 'payments', 'commerce', 'ops'],
    question:
      'Does something that the model cannot change (quota, prepaid balance, proxy, contract) limit the spending?',
    pattern:
      'Only a sentence in a prompt or a warning email limits the spending, and neither stops an agent or a thief.',
    fix: 'Set the limit where the model cannot write: a prepaid balance, a quota at the provider, or a proxy that refuses. Then try to exceed it.',
    incidents: ['milkie2020', 'gemini2026', 'cf_do2026', 'knight2012'],
    owasp: ['LLM10'],
  },
  {
    id: 'per_action_cap_enforced',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Does code refuse a single payment above a fixed amount?',
    pattern: 'The whole balance can leave in one call.',
    fix: 'Make the signer or gateway refuse any single action above a fixed amount. A tenth of the budget is a good start.',
    incidents: ['freysa2024', 'lobstar2026', 'citi81t', 'x402decoy2026'],
    owasp: ['ASI02'],
  },
  {
    id: 'aggregate_budget',
    severity: 'high',
    scope: ['compute', 'payments', 'commerce'],
    question: 'Is there a limit per period on the total of all actions, agents and retries?',
    pattern: 'No single action is too large, but their total is.',
    fix: 'Count per principal across every agent and channel. Reserve before the action, settle after it, and refuse when the limit is reached.',
    incidents: ['knight2012', 'cf_d12026', 'rakazo2026'],
    owasp: ['LLM10'],
  },
  {
    id: 'loop_breaker',
    severity: 'high',
    scope: ['compute', 'ops'],
    question: 'Does something outside the agent end a run after a set number of steps, repeats or minutes?',
    pattern: 'The same work repeats, and because each step succeeds nothing raises an alarm.',
    fix: 'Count steps and identical calls where the model cannot interfere. End the run at a set number, and when the same call fails for the third time.',
    incidents: ['rakazo2026', 'cf_do2026', 'loop47k'],
    owasp: ['ASI08'],
  },
  {
    id: 'progress_stop_loss',
    severity: 'medium',
    scope: ['compute', 'commerce', 'ops'],
    question: 'Does work stop when money is spent without measurable progress?',
    pattern: 'The money already spent becomes the reason to spend more.',
    fix: 'Count as progress only what can be checked. Stop after three attempts without any, or once the cost exceeds what the goal is worth.',
    incidents: ['rakazo2026', 'frantic2026', 'vend2025'],
    owasp: ['ASI08'],
  },
  {
    id: 'billing_path_known',
    severity: 'medium',
    scope: ['compute', 'ops'],
    question: 'Do you know for each call which account, key and tariff is charged?',
    pattern: 'The bill grows on an account, plan or meter that nobody watches.',
    fix: 'Record the payer and tariff of every key, remove the keys that the agent does not need, and compare a day of usage with the invoice.',
    incidents: ['envkey2026', 's3bucket2024', 'milkie2020'],
    owasp: [],
  },
  {
    id: 'cost_per_run_measured',
    severity: 'medium',
    scope: ['compute'],
    question: "Do the provider's figures show what one run really costs?",
    pattern: 'Budgets rest on guesses, because the agent counts wrongly or not at all.',
    fix: "Take the cost of each run from the provider's usage records, keep median and maximum, and raise an alarm at three times the median.",
    incidents: ['rakazo2026', 'cf_d12026'],
    owasp: ['LLM10'],
  },
  {
    id: 'alerts_cover_all_channels',
    severity: 'high',
    scope: ['compute', 'payments', 'ops'],
    question:
      'Do you watch every meter that can cost money, and does its alert reach someone who can stop the spending?',
    pattern: 'The meter that runs is not the one that is watched, or the alert reaches nobody who can act.',
    fix: 'List each meter that is billed, alert at the usage of a normal day, and rehearse that the person alerted can stop the agent from a phone.',
    incidents: ['cf_do2026', 'knight2012', 'milkie2020'],
    owasp: [],
  },
  {
    id: 'keys_scoped',
    severity: 'critical',
    scope: ['compute', 'payments', 'ops'],
    question: 'Is each credential limited to what the task needs, and does it expire?',
    pattern: 'With a key that is too broad or too old, a mistake or a leak costs everything it can reach.',
    fix: 'Give each task its own key with few rights and a short life, never an unlimited approval, and search the workspace for stray keys before a run.',
    incidents: ['pocketos2026', 'gemini2026', 'bridge402', 'llmjack'],
    owasp: ['ASI03'],
  },
  {
    id: 'untrusted_input_gate',
    severity: 'critical',
    scope: ['payments', 'commerce', 'ops'],
    question: 'Can text that the agent reads never start a payment or a destructive action?',
    pattern: 'The agent obeys a page, a message or another agent as if it were the principal.',
    fix: 'Keep the origin with every instruction. Only the principal or an approved plan may start a payment. Everything else needs a second key.',
    incidents: ['bankr2026', 'freysa2024', 'lobstar2026', 'aixbt2025'],
    owasp: ['ASI01', 'LLM01'],
  },
  {
    id: 'counterparty_check',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Do you check the payee before you pay?',
    pattern: 'Money goes to a decoy, to a dead endpoint, or to a party that is sanctioned or does not exist.',
    fix: 'Check the register, the sanctions list and the marks of others before a first payment. An unverified payee gets only a probe.',
    incidents: ['x402decoy2026', 'bridge402'],
    owasp: ['ASI07'],
  },
  {
    id: 'idempotency',
    severity: 'high',
    scope: ['payments', 'commerce', 'ops'],
    question: 'Does each payment have a stable intent id, so that repeating it does no harm?',
    pattern: 'After a timeout or restart, a payment that had gone through is made again.',
    fix: 'Create the intent id before the first attempt and store it with the outcome. If an outcome is unknown, look it up. Never pay again instead.',
    incidents: ['santander2021', 'x402double2026', 'rakazo2026'],
    owasp: [],
  },
  {
    id: 'delivery_binding',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Does payment depend on delivery: escrow, payment on delivery, or a refund that is really paid?',
    pattern: 'The money goes first, and nothing useful follows.',
    fix: 'Choose escrow or payment on delivery. Prepay no more than a probe, and check the delivery before the next payment.',
    incidents: ['hatchloop2026', 'x402decoy2026', 'frantic2026'],
    owasp: [],
  },
  {
    id: 'ev_check',
    severity: 'medium',
    scope: ['payments', 'commerce'],
    question: 'Do you compute the expected value before you spend, from a measured success rate?',
    pattern: 'Work is bought that would not pay off even if it went as well as hoped.',
    fix: 'Multiply the value by the measured success rate (half of it if the rate is a guess) and subtract all costs. Start only if the result is above zero.',
    incidents: ['vend2025', 'frantic2026', 'metr2025'],
    owasp: [],
  },
  {
    id: 'irreversible_gate',
    severity: 'critical',
    scope: ['payments', 'ops'],
    question: 'Must a person or a second key outside the agent approve what cannot be undone?',
    pattern: 'An overconfident agent deletes or transfers in a single step.',
    fix: 'Use two steps, one to propose and one to confirm, the second with another key. Use delays and soft deletes where possible.',
    incidents: ['pocketos2026', 'replit2025', 'lobstar2026', 'citi_revlon2020'],
    owasp: ['ASI02', 'LLM06'],
  },
  {
    id: 'outcome_metric',
    severity: 'medium',
    scope: ['compute', 'commerce', 'ops'],
    question: 'Does a number that the agent does not control say whether the goal was reached?',
    pattern: 'Success is reported and believed, while results get worse.',
    fix: 'Measure something that a test or an outsider can read, for every run, and compare it with a run without the agent.',
    incidents: ['replit2025', 'metr2025', 'vend2025'],
    owasp: ['ASI09'],
  },
  {
    id: 'reconciliation',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Do you regularly compare the agent’s records with those of the bank, chain or provider?',
    pattern: 'A wrong or duplicate payment is discovered by chance, or with the invoice.',
    fix: 'Match each intent id with its settled record at least once a day. While one has no match, spend nothing new.',
    incidents: ['citi81t', 'santander2021', 'rakazo2026'],
    owasp: [],
  },
  {
    id: 'system_of_record',
    severity: 'medium',
    scope: ['payments', 'commerce', 'ops'],
    question: 'Does one append-only record that the agent cannot edit show what was requested, decided and paid?',
    pattern: 'Later nobody can show who ordered what, or the agent has rewritten it.',
    fix: 'Write intent and decision before acting, and the result afterwards, to an append-only log outside the agent. Seal it if others must be able to rely on it.',
    incidents: ['replit2025', 'openclaw2026', 'lobstar2026'],
    owasp: ['ASI10'],
  },
] as const satisfies readonly BudgetControl[];

export type BudgetControlId = (typeof BUDGET_CONTROLS)[number]['id'];
