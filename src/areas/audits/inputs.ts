import { z } from 'zod';
import { cleanedText } from '#kernel/text-field.ts';
import { BUDGET_CONTROLS, BUDGET_SCOPES } from './budget-controls.ts';
import { COORDINATION_CONTROLS, COORDINATION_SCOPES } from './coordination-controls.ts';
import {
  answerFields,
  choiceField,
  countField,
  hoursField,
  moneyField,
  periodDaysField,
  positiveCountField,
  probabilityField,
  scopeField,
} from './fields.ts';
import { BUDGET_THRESHOLDS } from './thresholds.ts';

const agent = cleanedText({ min: 2, max: 80, description: 'Stable name or address of the agent.' }).optional();
const basis = choiceField(
  ['measured', 'estimated', 'unknown'],
  'Where p_success comes from. It is halved unless it is measured.',
);
const YES_NO = ['yes', 'no'] as const;

const budgetField = moneyField('Intended budget of one period, in USD.');
const budgetFields = {
  period_days: periodDaysField(
    `Length of the period in days. Default: ${BUDGET_THRESHOLDS.default_period_days}.`,
  ).optional(),
  per_action_cap_usd: moneyField('Largest single action, if that is enforced.').optional(),
  funds_reachable_usd: moneyField('Everything that the agent’s credentials can reach.').optional(),
  max_burn_usd_per_hour: moneyField('Fastest spending that is technically possible.').optional(),
  detection_hours: hoursField('Hours until abnormal spending would be noticed.').optional(),
  goal_value_usd: moneyField('What reaching the goal is worth.').optional(),
  p_success: probabilityField('Probability of reaching the goal, 0 to 1.').optional(),
  p_basis: basis,
  scope: scopeField(BUDGET_SCOPES),
  role: choiceField(['agent', 'principal'], 'Who gives the answers.'),
  agent,
  ...answerFields(BUDGET_CONTROLS),
};

export const BudgetAuditParameters = z.strictObject({ budget_period_usd: budgetField, ...budgetFields });

/** As the audit, or nothing at all for the sample. */
export const BudgetPreviewParameters = z
  .strictObject({ budget_period_usd: budgetField.optional(), ...budgetFields })
  .refine((input) => input.budget_period_usd !== undefined || Object.keys(input).length === 0, {
    path: ['budget_period_usd'],
    message: 'This field is required, unless you give no parameter at all.',
    params: { code: 'missing' },
    // Also when another field is wrong: every bad field is listed at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

export const CoordinationAuditParameters = z.strictObject({
  scope: scopeField(COORDINATION_SCOPES),
  system: cleanedText({ min: 1, max: 80, description: 'Name of the system. The result repeats it.' }).optional(),
  agents: positiveCountField('How many agents work together.').optional(),
  ...answerFields(COORDINATION_CONTROLS),
});

/** One spend. The free check takes the same parameters as the paid call. */
export const SpendParameters = z.strictObject({
  amount_usd: moneyField('The amount to spend, in USD.'),
  instruction_source: choiceField(['principal', 'own_plan', 'untrusted'], 'Who ordered the spend.'),
  per_action_cap_usd: moneyField('Largest single action that the mandate allows.').optional(),
  period_budget_usd: moneyField('Budget of the period.').optional(),
  period_spent_usd: moneyField('Already spent in the period.').optional(),
  agent,
  intent_id: cleanedText({
    min: 1,
    max: 128,
    description: 'Stable id of this payment intent, hard to guess (64 random bits). Needs agent.',
  }).optional(),
  intent_settled_before: choiceField(YES_NO, 'Set to yes if this intent was already paid.'),
  counterparty_verified: choiceField(['yes', 'no', 'unknown'], 'Whether the payee was verified.'),
  reference_price_usd: moneyField('The usual price.').optional(),
  p_success: probabilityField('Probability that the spend brings its value, 0 to 1.').optional(),
  p_basis: basis,
  value_usd: moneyField('What success is worth.').optional(),
  effort_cost_usd: moneyField('Other costs in addition to the amount.').optional(),
  cumulative_cost_usd: moneyField('Already spent on the same goal.').optional(),
  attempts_without_progress: countField('Attempts so far without progress.').optional(),
  reversible: choiceField(YES_NO, 'Whether the spend can be undone.'),
  approved_out_of_band: choiceField(YES_NO, 'Set to yes if a person or a second key approved it.'),
  delivery: choiceField(['escrow', 'on_delivery', 'prepaid'], 'How payment and delivery are tied together.'),
  probe_amount_usd: moneyField(
    'Largest probe to an unverified payee. Default: 1 percent of period_budget_usd.',
  ).optional(),
});
