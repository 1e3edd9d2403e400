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
      'Does something that the model cannot change (quota, prepaid balance, proxy, contract) limit what is spent?',
    pattern:
      'A sentence in a prompt or a warning mail is all that limits the spend, and neither stops an agent or a thief.',
    fix: 'Set the ceiling where the model cannot write: a prepaid balance, a quota at the provider, or a proxy that says no. Then try to pass it.',
    incidents: ['milkie2020', 'gemini2026', 'cf_do2026', 'knight2012'],
    owasp: ['LLM10'],
  },
  {
    id: 'per_action_cap_enforced',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Does code refuse a single payment above a fixed amount?',
    pattern: 'The whole balance can leave in one call.',
    fix: 'Let the signer or gateway refuse any one action above a fixed sum; a tenth of the budget is a good start.',
    incidents: ['freysa2024', 'lobstar2026', 'citi81t', 'x402decoy2026'],
    owasp: ['ASI02'],
  },
  {
    id: 'aggregate_budget',
    severity: 'high',
    scope: ['compute', 'payments', 'commerce'],
    question: 'Is there a limit per period on the total of all actions, agents and retries?',
    pattern: 'No single action is too large, but together they are.',
    fix: 'Count per principal over every agent and channel, reserve before the act, settle after it, and refuse when the limit is reached.',
    incidents: ['knight2012', 'cf_d12026', 'rakazo2026'],
    owasp: ['LLM10'],
  },
  {
    id: 'loop_breaker',
    severity: 'high',
    scope: ['compute', 'ops'],
    question: 'Is a run ended from outside after so many steps, repeats or minutes?',
    pattern: 'The same work repeats, and because each step succeeds nothing raises an alarm.',
    fix: 'Count steps and equal calls where the model has no say; end the run at a set number, and when the same call fails for the third time.',
    incidents: ['rakazo2026', 'cf_do2026', 'loop47k'],
    owasp: ['ASI08'],
  },
  {
    id: 'progress_stop_loss',
    severity: 'medium',
    scope: ['compute', 'commerce', 'ops'],
    question: 'Does work stop when money goes and nothing measurable comes of it?',
    pattern: 'What was already spent becomes the reason to spend more.',
    fix: 'Call progress only what can be checked. Stop after three tries without any, or once the cost is more than the goal is worth.',
    incidents: ['rakazo2026', 'frantic2026', 'vend2025'],
    owasp: ['ASI08'],
  },
  {
    id: 'billing_path_known',
    severity: 'medium',
    scope: ['compute', 'ops'],
    question: 'Is it known for each call which account, key and tariff is charged?',
    pattern: 'The bill grows on an account, plan or meter that nobody looks at.',
    fix: 'Write down payer and tariff of every key, take away the keys that the agent does not need, and hold a day of usage against the invoice.',
    incidents: ['envkey2026', 's3bucket2024', 'milkie2020'],
    owasp: [],
  },
  {
    id: 'cost_per_run_measured',
    severity: 'medium',
    scope: ['compute'],
    question: 'Do figures of the provider say what one run really costs?',
    pattern: 'Budgets rest on guesses, because the agent counts wrongly or not at all.',
    fix: 'Take the cost of each run from the usage records of the provider, keep median and maximum, and raise an alarm at three times the median.',
    incidents: ['rakazo2026', 'cf_d12026'],
    owasp: ['LLM10'],
  },
  {
    id: 'alerts_cover_all_channels',
    severity: 'high',
    scope: ['compute', 'payments', 'ops'],
    question: 'Is every meter that can cost money watched, and does its alert reach someone able to stop the spend?',
    pattern: 'Another meter than the watched one runs, or the alert ends where nobody can act.',
    fix: 'Name each meter that is billed, alert at what a normal day uses, and rehearse that the person alerted can stop the agent from a phone.',
    incidents: ['cf_do2026', 'knight2012', 'milkie2020'],
    owasp: [],
  },
  {
    id: 'keys_scoped',
    severity: 'critical',
    scope: ['compute', 'payments', 'ops'],
    question: 'Is each credential limited to what the task needs, and does it run out?',
    pattern: 'With a key that is too wide or too old, a slip or a leak costs everything it can reach.',
    fix: 'Give each task a key of its own with few rights and a short life, never an approval without limit, and search the workspace for stray keys before a run.',
    incidents: ['pocketos2026', 'gemini2026', 'bridge402', 'llmjack'],
    owasp: ['ASI03'],
  },
  {
    id: 'untrusted_input_gate',
    severity: 'critical',
    scope: ['payments', 'commerce', 'ops'],
    question: 'Is text that the agent reads unable to start a payment or a destructive act?',
    pattern: 'A page, a message or another agent is obeyed as though it were the principal.',
    fix: 'Carry the origin with every instruction. Only the principal or an approved plan may start a payment; the rest needs a second key.',
    incidents: ['bankr2026', 'freysa2024', 'lobstar2026', 'aixbt2025'],
    owasp: ['ASI01', 'LLM01'],
  },
  {
    id: 'counterparty_check',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Is it checked who is paid before anything is paid?',
    pattern: 'Money goes to a decoy, to an endpoint that is dead, or to a party that is sanctioned or does not exist.',
    fix: 'Ask the register, the sanctions list and the marks of others before a first payment; an unverified payee gets a probe and no more.',
    incidents: ['x402decoy2026', 'bridge402'],
    owasp: ['ASI07'],
  },
  {
    id: 'idempotency',
    severity: 'high',
    scope: ['payments', 'commerce', 'ops'],
    question: 'Has each payment a stable intent id, so that repeating it does no harm?',
    pattern: 'After a time-out or restart, a payment that had gone through is made again.',
    fix: 'Make the intent id before the first try and keep it with the outcome. An outcome that is not known is looked up; it is no reason to pay again.',
    incidents: ['santander2021', 'x402double2026', 'rakazo2026'],
    owasp: [],
  },
  {
    id: 'delivery_binding',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Does payment depend on delivery: escrow, on delivery, or a refund that is really given?',
    pattern: 'The money goes ahead, and nothing of use follows.',
    fix: 'Choose escrow or payment on delivery. Prepay no more than a probe, and look at what came before the next payment.',
    incidents: ['hatchloop2026', 'x402decoy2026', 'frantic2026'],
    owasp: [],
  },
  {
    id: 'ev_check',
    severity: 'medium',
    scope: ['payments', 'commerce'],
    question: 'Is the expected value worked out before money is spent, from a success rate that was measured?',
    pattern: 'Work is bought that would not pay even if it went as well as hoped.',
    fix: 'Take value times the measured rate of success, half of it if the rate is a guess, less all cost. Begin only above zero.',
    incidents: ['vend2025', 'frantic2026', 'metr2025'],
    owasp: [],
  },
  {
    id: 'irreversible_gate',
    severity: 'critical',
    scope: ['payments', 'ops'],
    question: 'Must a person or a second key outside the agent approve what cannot be undone?',
    pattern: 'An agent that felt certain deletes or transfers in a single step.',
    fix: 'Make it two steps, one to propose and one to confirm, with the second under another key; use delays and soft deletes where there are any.',
    incidents: ['pocketos2026', 'replit2025', 'lobstar2026', 'citi_revlon2020'],
    owasp: ['ASI02', 'LLM06'],
  },
  {
    id: 'outcome_metric',
    severity: 'medium',
    scope: ['compute', 'commerce', 'ops'],
    question: 'Does a number that the agent does not set say whether the goal was reached?',
    pattern: 'Success is reported and believed, while results get worse.',
    fix: 'Measure something that a test or an outsider can read, for every run, and hold it against a run without the agent.',
    incidents: ['replit2025', 'metr2025', 'vend2025'],
    owasp: ['ASI09'],
  },
  {
    id: 'reconciliation',
    severity: 'high',
    scope: ['payments', 'commerce'],
    question: 'Are the agent’s records compared with those of bank, chain or provider at set times?',
    pattern: 'That a payment was wrong or made twice comes out by chance, or with the invoice.',
    fix: 'Pair each intent id with its settled record once a day or more; while one has no partner, nothing new is spent.',
    incidents: ['citi81t', 'santander2021', 'rakazo2026'],
    owasp: [],
  },
  {
    id: 'system_of_record',
    severity: 'medium',
    scope: ['payments', 'commerce', 'ops'],
    question: 'Is what was asked, decided and paid kept in one record that only grows and that the agent cannot edit?',
    pattern: 'Later nobody can show who ordered what, or the agent has rewritten it.',
    fix: 'Before acting, write intent and decision, and after it the result, to a log outside the agent that is only appended to; seal it where others must believe it.',
    incidents: ['replit2025', 'openclaw2026', 'lobstar2026'],
    owasp: ['ASI10'],
  },
] as const satisfies readonly BudgetControl[];

export type BudgetControlId = (typeof BUDGET_CONTROLS)[number]['id'];
