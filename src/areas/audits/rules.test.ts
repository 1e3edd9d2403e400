import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BudgetAuditInput, auditBudget, judgeBudget } from './budget-audit.ts';
import { BUDGET_CONTROLS } from './budget-controls.ts';
import { FUSE_STEPS, fuse } from './fuse.ts';
import type { SpendInput, SpendMemory } from './spend-facts.ts';

const GO: SpendInput = {
  ...({
    amount_usd: '0.05',
    instruction_source: 'principal',
    per_action_cap_usd: '1',
    period_budget_usd: '50',
  } as const),
  ...({ period_spent_usd: '3', agent: 'scout-1', intent_id: 'i-1', counterparty_verified: 'yes' } as const),
  ...({ reference_price_usd: '0.05', p_success: '0.9', p_basis: 'measured', value_usd: '1' } as const),
  ...({ cumulative_cost_usd: '0', attempts_without_progress: '0', reversible: 'no', delivery: 'prepaid' } as const),
};
const seen = { amountMicro: 50_000n, at: '2026-11-14T10:00:00.000Z', byOtherPayer: false };
const none = undefined;

type Change = { readonly [Name in keyof SpendInput]?: SpendInput[Name] | undefined };

/** Every row of every step, at its limit and just beside it. */
const FUSE_ROWS: readonly (readonly [step: string, code: string, change: Change, memory?: Partial<SpendMemory>])[] = [
  ['F1', 'principal', {}],
  ['F1', 'own_plan_in_mandate', { instruction_source: 'own_plan', amount_usd: '1' }],
  ['F1', 'own_plan_no_mandate', { instruction_source: 'own_plan', amount_usd: '1.000001' }],
  ['F1', 'own_plan_no_mandate', { instruction_source: 'own_plan', amount_usd: '1', period_budget_usd: '0.999999' }],
  ['F1', 'own_plan_no_mandate', { instruction_source: 'own_plan', per_action_cap_usd: none }],
  ['F1', 'untrusted_approved', { instruction_source: 'untrusted', approved_out_of_band: 'yes' }],
  ['F1', 'untrusted', { instruction_source: 'untrusted', approved_out_of_band: 'no' }],
  ['F1', 'undeclared', { instruction_source: none }],
  ['F2', 'above_cap', { amount_usd: '1.000001' }],
  ['F2', 'above_budget', { period_spent_usd: '49.950001' }],
  ['F2', 'above_budget', { period_spent_usd: none, per_action_cap_usd: none, amount_usd: '50.000001' }],
  ['F2', 'inside', { period_spent_usd: '49.95' }],
  ['F2', 'undeclared', { period_spent_usd: none }],
  ['F3', 'settled_before', { intent_settled_before: 'yes' }],
  ['F3', 'seen', {}, { seen }],
  ['F3', 'seen_other_amount', { amount_usd: '0.050001' }, { seen }],
  ['F3', 'first_time', {}],
  ['F3', 'agent_missing', { agent: none }],
  ['F3', 'undeclared', { intent_id: none }],
  ['F4', 'verified', {}],
  ['F4', 'within_probe', { counterparty_verified: 'no', amount_usd: '0.5' }, { probedMicro: 2_000_000n }],
  ['F4', 'probe_sum', { counterparty_verified: 'no', amount_usd: '0.5' }, { probedMicro: 2_000_001n }],
  ['F4', 'within_probe', { counterparty_verified: none, agent: none }, { probedMicro: 9_000_000n }],
  ['F4', 'above_probe', { counterparty_verified: 'unknown', amount_usd: '0.500001' }],
  ['F4', 'above_probe', { counterparty_verified: 'no', probe_amount_usd: '0.049999' }],
  ['F4', 'unverified_no_probe', { counterparty_verified: 'no', period_budget_usd: none }],
  ['F4', 'undeclared', { counterparty_verified: 'unknown', period_budget_usd: none }],
  ['F5', 'undeclared', { reference_price_usd: none }],
  ['F5', 'undeclared', { reference_price_usd: '0' }],
  ['F5', 'over_double', { amount_usd: '0.100001' }],
  ['F5', 'over_usual', { amount_usd: '0.1' }],
  ['F5', 'too_cheap', { amount_usd: '0.012499' }],
  ['F5', 'near_usual', { amount_usd: '0.0125' }],
  ['F6', 'undeclared', { value_usd: none }],
  ['F6', 'not_above_zero', { effort_cost_usd: '0.85' }],
  ['F6', 'positive_measured', { effort_cost_usd: '0.849999' }],
  ['F6', 'positive_halved', { p_basis: 'estimated' }],
  ['F6', 'basis_unknown', { p_basis: none }],
  ['F7', 'three_attempts', { attempts_without_progress: '3' }],
  ['F7', 'past_value', { cumulative_cost_usd: '0.950001' }],
  ['F7', 'past_half', { cumulative_cost_usd: '0.95' }],
  ['F7', 'past_half', { cumulative_cost_usd: '0.450001' }],
  ['F7', 'inside', { cumulative_cost_usd: '0.45', attempts_without_progress: '1' }],
  ['F7', 'two_attempts', { attempts_without_progress: '2' }],
  ['F7', 'undeclared', { attempts_without_progress: none }],
  ['F8', 'reversible', { reversible: 'yes' }],
  ['F8', 'approved', { amount_usd: '0.9', approved_out_of_band: 'yes' }],
  ['F8', 'within_probe', { amount_usd: '0.5' }],
  ['F8', 'not_approved', { amount_usd: '0.500001' }],
  ['F8', 'undeclared', { reversible: none, approved_out_of_band: 'yes' }],
  ['F9', 'bound', { delivery: 'escrow' }],
  ['F9', 'bound', { delivery: 'on_delivery', amount_usd: '0.9' }],
  ['F9', 'within_probe', { amount_usd: '0.5' }],
  ['F9', 'prepaid_verified', { amount_usd: '0.500001' }],
  ['F9', 'prepaid_unverified', { amount_usd: '0.500001', counterparty_verified: 'no' }],
  ['F9', 'undeclared', { delivery: none }],
  ['F10', 'named', {}],
  ['F10', 'undeclared', { agent: none }],
];

test('every row of the fuse is reached, and changes exactly at its limit', () => {
  for (const [step, code, change, memory] of FUSE_ROWS) {
    const { checks } = fuse({ ...GO, ...change } as SpendInput, { seen: undefined, probedMicro: 0n, ...memory });
    assert.equal(checks.find((check) => check.step === step)?.code, code, `${step} ${JSON.stringify(change)}`);
  }
  const reached = new Set(FUSE_ROWS.map(([step, code]) => `${step} ${code}`));
  const rows = FUSE_STEPS.flatMap(({ step, rows: ofStep }) => ofStep.map(({ code }) => `${step} ${code}`));
  assert.deepEqual([...reached].toSorted(), rows.toSorted());
});

const READY = {
  ...Object.fromEntries(BUDGET_CONTROLS.map(({ id }) => [id, 'yes'])),
  budget_period_usd: '100',
  per_action_cap_usd: '100',
  funds_reachable_usd: '200',
  detection_hours: '24',
  goal_value_usd: '400',
  p_success: '0.7',
  p_basis: 'measured',
} as unknown as BudgetAuditInput;

function audited(change: object): ReturnType<typeof auditBudget> {
  return auditBudget({ ...READY, ...change });
}

/** [control, what it is lowered to or null, what is declared otherwise] */
const LOWERED: readonly (readonly [control: string, to: string | null, change: object])[] = [
  ['per_action_cap_enforced', null, { per_action_cap_usd: '100' }],
  ['per_action_cap_enforced', 'no', { per_action_cap_usd: '100.000001' }],
  ['per_action_cap_enforced', 'partial', { per_action_cap_usd: none }],
  ['alerts_cover_all_channels', null, { detection_hours: '24' }],
  ['alerts_cover_all_channels', 'partial', { detection_hours: '24.000001' }],
  ['alerts_cover_all_channels', 'partial', { detection_hours: none }],
  ['keys_scoped', null, { funds_reachable_usd: '200' }],
  ['keys_scoped', 'partial', { funds_reachable_usd: '200.000001' }],
  ['ev_check', 'partial', { goal_value_usd: none }],
  ['ev_check', 'partial', { p_success: none }],
  ['ev_check', 'no', { p_success: '0.25' }],
  ['ev_check', null, { p_success: '0.250001' }],
  ['ev_check', 'partial', { p_basis: 'estimated' }],
  ['ev_check', 'partial', { p_basis: none }],
];

test('answers are lowered exactly where a number contradicts them, and the finding says so', () => {
  assert.deepEqual([audited({}).verdict, audited({}).findings], ['READY', []]);
  for (const [control, to, change] of LOWERED) {
    const finding = audited(change).findings.find((row) => row.control === control);
    assert.equal(finding?.answer ?? null, to, `${control} ${JSON.stringify(change)}`);
    if (to !== null) assert.deepEqual([finding?.declared, typeof finding?.lowered_because], ['yes', 'string']);
  }
});

test('an answer that is already as low stays as it was given', () => {
  for (const answer of ['partial', 'no', 'unknown']) {
    const { findings } = audited({ keys_scoped: answer, funds_reachable_usd: '5000' });
    const finding = findings.find(({ control }) => control === 'keys_scoped');
    assert.deepEqual([finding?.answer, finding?.lowered_because], [answer, undefined]);
  }
  const finding = audited({ ev_check: 'partial', p_success: '0.1' }).findings[0];
  assert.deepEqual([finding?.answer, finding?.declared], ['no', 'partial']);
});

test('each rule of the budget verdict decides on its own', () => {
  const commerce = { scope: 'commerce' };
  const unbounded = { ...commerce, aggregate_budget: 'partial', funds_reachable_usd: none };
  const rows: readonly (readonly [verdict: string, change: object])[] = [
    ['NOT_READY', { hard_cap_outside_model: 'no' }],
    ['NOT_READY', { keys_scoped: 'unknown' }],
    ['NOT_READY', { ...unbounded, funds_reachable_usd: '1000.000001' }],
    ['CONDITIONAL', { ...unbounded, funds_reachable_usd: '1000' }],
    ['READY', { ...unbounded, funds_reachable_usd: '100' }],
    ['CONDITIONAL', { ...unbounded, funds_reachable_usd: '100.000001' }],
    ['CONDITIONAL', { hard_cap_outside_model: 'partial' }],
    ['CONDITIONAL', { reconciliation: 'no' }],
    ['READY', { reconciliation: 'partial' }],
    ['CONDITIONAL', { funds_reachable_usd: none }],
    ['READY', { funds_reachable_usd: none, max_burn_usd_per_hour: '1' }],
    ['CONDITIONAL', { ...commerce, detection_hours: none }],
    ['READY', { ...commerce, funds_reachable_usd: '5000' }],
    ['CONDITIONAL', { scope: 'compute', p_success: '0.25' }],
    ['READY', { scope: 'compute', p_success: '0.250001' }],
  ];
  for (const [verdict, change] of rows) assert.equal(audited(change).verdict, verdict, JSON.stringify(change));
});

test('only a hard cap and one sum together, fully in place, bound the spend, in scope or not', () => {
  const isBounded = (change: object) => judgeBudget({ ...READY, ...change }).figures.bounded;
  assert.equal(isBounded({}), true);
  assert.equal(isBounded({ scope: 'ops' }), true);
  assert.equal(isBounded({ aggregate_budget: 'partial' }), false);
  assert.equal(isBounded({ hard_cap_outside_model: 'partial' }), false);
  assert.equal(isBounded({ aggregate_budget: none }), false);
});
