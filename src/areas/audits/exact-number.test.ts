import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { type BudgetAuditInput, auditBudget } from './budget-audit.ts';
import { centNumber, jsonNumber, microNumber, microOf, ppmOf, roundedQuotient } from './exact-number.ts';
import { checkSpend } from './fuse.ts';

const LARGEST = '999999999.999999';

test('a decimal text is read to the millionth and written back as it was', () => {
  assert.equal(microOf(LARGEST), 999_999_999_999_999n);
  assert.equal(microOf('0.000001'), 1n);
  assert.equal(microOf('007.5'), 7_500_000n);
  assert.equal(ppmOf(1.2), 1_200_000n);
  fc.assert(fc.property(fc.bigInt(0n, 10n ** 15n - 1n), (micro) => microOf(microNumber(micro).toFixed(6)) === micro));
});

test('halves go up, below zero too, and zero has no sign', () => {
  const rows = [
    [4_999n, 0],
    [5_000n, 0.01],
    [-5_000n, 0],
    [-5_001n, -0.01],
    [-15_000n, -0.01],
    [0n, 0],
  ] as const;
  for (const [micro, cents] of rows) assert.ok(Object.is(centNumber(micro), cents), `${micro}: ${centNumber(micro)}`);
  assert.equal(roundedQuotient(-3n, 2n), -1n);
  assert.equal(jsonNumber(-45_730n, 2), -457.3);
});

test('the largest amounts with certainty are exact', () => {
  const spend = { amount_usd: '0.000001', value_usd: LARGEST, p_success: '1', p_basis: 'measured' } as const;
  assert.equal(checkSpend(spend).expected_value_usd, 999_999_999.999998);
  assert.equal(checkSpend({ ...spend, amount_usd: LARGEST }).expected_value_usd, 0);
  assert.equal(
    checkSpend({ ...spend, amount_usd: LARGEST, effort_cost_usd: LARGEST }).expected_value_usd,
    -999_999_999.999999,
  );
  assert.equal(checkSpend({ ...spend, p_success: '0.999999' }).expected_value_usd, 999_998_999.999998);
  const halved = checkSpend({ ...spend, p_basis: 'unknown' }).expected_value_usd;
  assert.equal(halved, 499_999_999.999999);
});

test('the price ratios are exact at their limits', () => {
  const priceOf = (amount: string, reference: string) =>
    checkSpend({ amount_usd: amount, reference_price_usd: reference }).checks[4]?.code;
  assert.equal(priceOf('2', '1'), 'over_usual');
  assert.equal(priceOf('2.000001', '1'), 'over_double');
  assert.equal(priceOf('1.2', '1'), 'near_usual');
  assert.equal(priceOf('1.200001', '1'), 'over_usual');
  assert.equal(priceOf('0.25', '1'), 'near_usual');
  assert.equal(priceOf('0.249999', '1'), 'too_cheap');
  assert.equal(priceOf(LARGEST, '500000000'), 'over_usual');
});

test('exposure stays a number at every extreme', () => {
  const extreme: BudgetAuditInput = {
    budget_period_usd: '0.000001',
    max_burn_usd_per_hour: LARGEST,
    period_days: '366',
  };
  const { exposure, recommended_fuse_settings: settings } = auditBudget(extreme);
  assert.equal(exposure.worst_case_period_usd, 8_783_999_999_999.99);
  assert.ok(Number.isFinite(exposure.overrun_multiple));
  assert.equal(settings.per_action_cap_usd, 0.01);
  const none = auditBudget({ budget_period_usd: '0', funds_reachable_usd: '5' });
  assert.deepEqual([none.exposure.overrun_multiple, none.verdict], [0, 'NOT_READY']);
});

test('a recommended cap is never above the given one, nor rounded to nothing', () => {
  const capOf = (cap: string) =>
    auditBudget({ budget_period_usd: '100', per_action_cap_usd: cap }).recommended_fuse_settings.per_action_cap_usd;
  assert.deepEqual(['0.000005', '3.456', '10', '11'].map(capOf), [0.000005, 3.456, 10, 10]);
});
