import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BudgetPreview } from '#areas/audits/outputs.ts';
import { ownVectors } from '../../properties/audit-vectors.ts';
import { type Answer, expectProblem } from '../../support/client.ts';
import { PromisedStatuses } from '../../support/promised-statuses.ts';
import type { TestService } from '../../support/service.ts';
import { expectLimited } from '../../support/refusals.ts';
import { sharedService } from '../../support/shared-service.ts';

const statuses = new PromisedStatuses('budget_preview');
after(() => assert.deepEqual(statuses.missing(), [], 'statuses that the row promises and no test saw'));

async function preview(service: TestService, query: Record<string, string> | string = ''): Promise<Answer> {
  const text = typeof query === 'string' ? query : String(new URLSearchParams(query));
  return statuses.saw(await service.call(`/v1/budget/preview?${text}`));
}

test('every vector gets its verdict, score and grade, and the open controls counted', async () => {
  const service = await sharedService();
  for (const { name, query, expect } of ownVectors.budget) {
    const answer = await preview(service, query);
    assert.equal(answer.status, 200, answer.text);
    const body = BudgetPreview.parse(answer.json);
    const sum = Object.values(body.open as Record<string, number>).reduce((all, count) => all + count, 0);
    const { verdict, score, grade, controls } = expect;
    assert.deepEqual([body.verdict, body.score, body.grade, sum], [verdict, score, grade, controls.length], name);
    assert.deepEqual(body.full, { path: '/v1/agent-budget-audit', price_usdc: '0.05' });
    assert.equal(body.signed, false);
    assert.doesNotMatch(answer.text, /findings|"fix"|exposure|incidents|measurement/);
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('without any parameter the answer is a whole sample that says so', async () => {
  const service = await sharedService();
  const body = BudgetPreview.parse((await preview(service)).json) as Record<string, unknown>;
  assert.deepEqual([body['sample'], body['signed'], body['basis']], [true, false, 'self-declared']);
  assert.ok((body['findings'] as unknown[]).length > 0);
});

test('each malformed value is refused and names its parameter', async () => {
  const service = await sharedService();
  const rows: Record<string, string[]> = {
    budget_period_usd: ['', '-1', '01', '1e3', '1000000000', '0.0000001', 'x'],
    period_days: ['', '0', '367', '1.5', '030', '-1'],
    per_action_cap_usd: ['', 'x'],
    funds_reachable_usd: ['', '1.'],
    max_burn_usd_per_hour: ['', '.5'],
    detection_hours: ['', '1234567', '1.1234567', '-1', 'x'],
    goal_value_usd: ['', '1,5'],
    p_success: ['', '1.1', '1.000001'],
    p_basis: ['', 'guess'],
    scope: ['', 'compute,', ',compute', 'compute, ops', 'all', 'Compute', 'compute,tools'],
    role: ['', 'user'],
    agent: ['', 'a', 'x'.repeat(81)],
    hard_cap_outside_model: ['', 'Yes', 'true', 'maybe'],
    system_of_record: ['', '1'],
    per_action_cap_us: ['1'],
  };
  for (const [name, values] of Object.entries(rows)) {
    for (const value of values) {
      const query = { budget_period_usd: '100', [name]: value };
      const body = expectProblem(await preview(service, query), 400, 'invalid_parameters');
      const pointers = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
      assert.deepEqual(pointers, [`#/${name}`], `${name}=${value}`);
    }
  }
});

test('the budget may be missing only when everything is, and is then listed with the other faults', async () => {
  const service = await sharedService();
  const body = expectProblem(await preview(service, 'scope=opss&p_basis=x'), 400, 'invalid_parameters');
  const pointers = (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
  assert.deepEqual(pointers.toSorted(), ['#/budget_period_usd', '#/p_basis', '#/scope']);
  expectProblem(await preview(service, 'keys_scoped=yes'), 400, 'invalid_parameters');
});

test('previews are limited as reads', async () => {
  await expectLimited(statuses, preview);
});
