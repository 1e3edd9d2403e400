// What holds for every input of the fuse and the audits; run for a while by npm test and for longer by audit-properties.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '#properties';
import { type BudgetAuditInput, auditBudget, judgeBudget } from '#areas/audits/budget-audit.ts';
import { exposureOf } from '#areas/audits/budget-exposure.ts';
import { BUDGET_CONTROLS, BUDGET_SCOPES } from '#areas/audits/budget-controls.ts';
import { type CoordinationAuditInput, judgeCoordination } from '#areas/audits/coordination-audit.ts';
import { COORDINATION_CONTROLS, COORDINATION_SCOPES } from '#areas/audits/coordination-controls.ts';
import { answersOf, scoreControls } from '#areas/audits/score.ts';
import { checkSpend, fuse } from '#areas/audits/fuse.ts';
import { BudgetAuditParameters, SpendParameters } from '#areas/audits/inputs.ts';
import type { SpendInput, SpendMemory } from '#areas/audits/spend-facts.ts';
import { AUDIT_VERDICTS, GRADES } from '#areas/audits/thresholds.ts';

type Text = Record<string, string | undefined>;
const EMPTY: SpendMemory = { seen: undefined, probedMicro: 0n };

const money = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0', '0.01', '0.05', '0.5', '1', '2', '10', '100', '999999999.999999') },
  {
    weight: 2,
    arbitrary: fc
      .nat(2_000_000)
      .map((micro) => String(micro / 1e6))
      .filter(isMoney),
  },
  { weight: 1, arbitrary: fc.tuple(fc.nat(999_999_999), fc.nat(999_999)).map(([usd, micro]) => `${usd}.${micro}`) },
);
const probability = fc.oneof(
  fc.constantFrom('0', '0.5', '0.9', '1', '1.000000'),
  fc.nat(999_999).map((n) => `0.${n}`),
);
const answer = fc.constantFrom('yes', 'partial', 'no', 'unknown');
const basis = fc.constantFrom('measured', 'estimated', 'unknown');
const yesNo = fc.constantFrom('yes', 'no');

function isMoney(text: string): boolean {
  return /^\d+(\.\d{1,6})?$/.test(text);
}

/** Any mixture of declared and undeclared parameters. */
function declaring(fields: Record<string, fc.Arbitrary<string>>, required: readonly string[] = []): fc.Arbitrary<Text> {
  return fc.record(fields, { requiredKeys: [...required] });
}

const SPEND_FIELDS: Record<string, fc.Arbitrary<string>> = {
  amount_usd: money,
  instruction_source: fc.constantFrom('principal', 'own_plan', 'untrusted'),
  per_action_cap_usd: money,
  period_budget_usd: money,
  period_spent_usd: money,
  agent: fc.constantFrom('scout-1', 'scout-2'),
  intent_id: fc.constantFrom('i-1', 'i-2'),
  intent_settled_before: yesNo,
  counterparty_verified: fc.constantFrom('yes', 'no', 'unknown'),
  reference_price_usd: money,
  p_success: probability,
  p_basis: basis,
  value_usd: money,
  effort_cost_usd: money,
  cumulative_cost_usd: money,
  attempts_without_progress: fc.constantFrom('0', '1', '2', '3', '999999'),
  reversible: yesNo,
  approved_out_of_band: yesNo,
  delivery: fc.constantFrom('escrow', 'on_delivery', 'prepaid'),
  probe_amount_usd: money,
};

/** Without these there is no GO. */
const NEEDED_FOR_GO = [
  'amount_usd',
  'instruction_source',
  'per_action_cap_usd',
  'period_budget_usd',
  'period_spent_usd',
  'agent',
  'intent_id',
  'counterparty_verified',
  'reference_price_usd',
  'p_success',
  'p_basis',
  'value_usd',
  'cumulative_cost_usd',
  'attempts_without_progress',
  'reversible',
  'delivery',
];

const GO: Text = {
  amount_usd: '0.05',
  instruction_source: 'principal',
  per_action_cap_usd: '1',
  period_budget_usd: '50',
  period_spent_usd: '3',
  agent: 'scout-1',
  intent_id: 'i-1',
  counterparty_verified: 'yes',
  reference_price_usd: '0.05',
  p_success: '0.9',
  p_basis: 'measured',
  value_usd: '1',
  cumulative_cost_usd: '0',
  attempts_without_progress: '0',
  reversible: 'no',
  delivery: 'prepaid',
};

const anySpend = declaring(SPEND_FIELDS, ['amount_usd']);
/** A spend that gets GO, with up to three parameters changed. */
const nearGo = fc.tuple(anySpend, fc.subarray(Object.keys(SPEND_FIELDS), { maxLength: 3 })).map(([spend, names]) => {
  const changed = names.filter((name) => spend[name] !== undefined).map((name) => [name, spend[name]]);
  return { ...GO, ...(Object.fromEntries(changed) as Text) };
});
export const spend = fc.oneof(anySpend, nearGo);
const memory: fc.Arbitrary<SpendMemory> = fc.record({
  seen: fc.option(
    fc.record({
      amountMicro: fc.bigInt(0n, 2_000_000n),
      at: fc.constant('2026-11-14T10:00:00.000Z'),
      byOtherPayer: fc.boolean(),
    }),
    { nil: undefined, freq: 4 },
  ),
  probedMicro: fc.oneof(fc.constant(0n), fc.bigInt(0n, 5_000_000n)),
});

const WORSE = { PASS: 0, CAUTION: 1, STOP: 2 } as const;

function asSpend(text: Text): SpendInput {
  return text as unknown as SpendInput;
}

function judgeBoth(text: Text): ReturnType<typeof fuse>[] {
  return [fuse(asSpend(text), EMPTY), checkSpend(asSpend(text))];
}

const BUDGET_NUMBERS: Record<string, fc.Arbitrary<string>> = {
  budget_period_usd: money,
  period_days: fc.integer({ min: 1, max: 366 }).map(String),
  per_action_cap_usd: money,
  funds_reachable_usd: money,
  max_burn_usd_per_hour: money,
  detection_hours: fc.constantFrom('0', '0.000001', '8', '24', '24.000001', '999999.999999'),
  goal_value_usd: money,
  p_success: probability,
  p_basis: basis,
  scope: fc.subarray([...BUDGET_SCOPES], { minLength: 1 }).map((names) => names.join(',')),
};
const manyYes = fc.oneof({ weight: 12, arbitrary: fc.constant('yes') }, { weight: 1, arbitrary: answer });

function controls(rows: readonly { readonly id: string }[], of: fc.Arbitrary<string>): fc.Arbitrary<Text> {
  return declaring(Object.fromEntries(rows.map(({ id }) => [id, of])));
}

export const budget = fc
  .tuple(
    declaring(BUDGET_NUMBERS, ['budget_period_usd']),
    fc.oneof(controls(BUDGET_CONTROLS, answer), allOf(BUDGET_CONTROLS)),
  )
  .map(([numbers, answers]) => ({ ...numbers, ...answers }) as unknown as BudgetAuditInput);
export const coordination = fc
  .tuple(
    declaring({ scope: fc.subarray([...COORDINATION_SCOPES], { minLength: 1 }).map((names) => names.join(',')) }),
    fc.oneof(controls(COORDINATION_CONTROLS, answer), allOf(COORDINATION_CONTROLS)),
  )
  .map(([scope, answers]) => ({ ...scope, ...answers }));

function allOf(rows: readonly { readonly id: string }[]): fc.Arbitrary<Text> {
  return fc.record(Object.fromEntries(rows.map(({ id }) => [id, manyYes])));
}

/** A number that bears the answers out, and in its place one that contradicts them. */
const CONTRADICTIONS: readonly (readonly [name: string, fits: string, contradicts: string])[] = [
  ['per_action_cap_usd', '10', '100.000001'],
  ['detection_hours', '24', '24.000001'],
  ['funds_reachable_usd', '200', '200.000001'],
  ['p_success', '0.9', '0.1'],
  ['p_basis', 'measured', 'estimated'],
];
const FITTING = { budget_period_usd: '100', goal_value_usd: '500', max_burn_usd_per_hour: '1' };

function assertNotBetter(after: BudgetAuditInput, before: BudgetAuditInput): void {
  const [a, b] = [judgeBudget(after), judgeBudget(before)];
  assert.ok(a.score <= b.score, 'score');
  assert.ok(AUDIT_VERDICTS.indexOf(a.verdict) >= AUDIT_VERDICTS.indexOf(b.verdict), 'verdict');
  assert.ok(GRADES.indexOf(a.grade) >= GRADES.indexOf(b.grade), 'grade');
}

interface Graded {
  readonly verdict: string;
  readonly grade: string;
  readonly score: number;
}

function assertGradeFits({ verdict, grade }: Graded): void {
  if (verdict === 'NOT_READY') assert.ok('DF'.includes(grade), grade);
  if (verdict === 'CONDITIONAL') assert.ok('BCDF'.includes(grade), grade);
}

type Property = (runs: number) => void;

/** Declares a test of each property. */
export function declareAuditProperties(runs: number): void {
  for (const [name, property] of Object.entries(AUDIT_PROPERTIES)) test(name, () => property(runs));
}

function holds<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
): Property {
  return (runs) => fc.assert(fc.property(...arbitraries, check), { numRuns: runs });
}

export const AUDIT_PROPERTIES: Readonly<Record<string, Property>> = {
  'GO needs all fifteen declarations beside the amount': holds([spend], (text: Text) => {
    for (const { verdict } of judgeBoth(text)) {
      if (verdict === 'GO') for (const name of NEEDED_FOR_GO) assert.ok(text[name] !== undefined, name);
    }
  }),
  'dropping a needed declaration never gives GO': holds(
    [nearGo, fc.constantFrom(...NEEDED_FOR_GO.slice(1))],
    (text: Text, name: string) => {
      for (const { verdict } of judgeBoth({ ...text, [name]: undefined })) assert.notEqual(verdict, 'GO');
    },
  ),
  'paying more makes no step better but the one that finds the price too low': holds(
    [spend, money, memory],
    (text: Text, other: string, known: SpendMemory) => {
      const [less, more] = [String(text['amount_usd']), other].toSorted((a, b) => Number(a) - Number(b));
      const judged = [less, more].map((amount) => fuse(asSpend({ ...text, amount_usd: amount }), known));
      judged[0]?.checks.forEach((before, index) => {
        const after = judged[1]?.checks[index] as typeof before;
        const isTooCheap = before.code === 'too_cheap';
        if (!isTooCheap)
          assert.ok(WORSE[after.result] >= WORSE[before.result], `${before.step} ${before.code} ${after.code}`);
      });
    },
  ),
  'an expected value of zero or below always stops': holds([spend, memory], (text: Text, known: SpendMemory) => {
    for (const result of [...judgeBoth(text), fuse(asSpend(text), known)]) {
      const value = result.expected_value_usd;
      if (value !== null && value <= 0) assert.ok(result.stops.includes('F6') && result.verdict === 'STOP');
      assert.ok(!Object.is(value, -0));
    }
  }),
  'a measured rate is never worth less than the same rate halved': holds([spend], (text: Text) => {
    const values = ['measured', 'estimated', 'unknown', undefined].map(
      (from) => fuse(asSpend({ ...text, p_basis: from }), EMPTY).expected_value_usd,
    );
    for (const halved of values.slice(1)) {
      if (halved === null) assert.equal(values[0], null);
      else assert.ok((values[0] as number) >= halved);
    }
  }),
  'the free check and the fuse on an empty memory give the same ten results': holds([spend], (text: Text) => {
    const [paid, free] = judgeBoth(text).map(({ verdict, stops, cautions, checks, expected_value_usd: value }) => {
      return { verdict, stops, cautions, value, codes: checks.map(({ step, result, code }) => [step, result, code]) };
    });
    assert.deepEqual(free, paid);
  }),
  'the same parameters give the same bytes, whatever their order': holds(
    [spend, budget],
    (text: Text, audit: BudgetAuditInput) => {
      const turned = (parameters: object) => Object.fromEntries(Object.entries(parameters).toReversed());
      const judged = (parameters: object) => JSON.stringify(checkSpend(SpendParameters.parse(parameters)));
      assert.equal(judged(turned(text)), judged(text));
      const audited = (parameters: object) => JSON.stringify(auditBudget(BudgetAuditParameters.parse(parameters)));
      assert.equal(audited(turned(audit)), audited(audit));
    },
  ),
  'lowering never raises a score': holds([budget], (input: BudgetAuditInput) => {
    const judged = judgeBudget(input);
    const unlowered = scoreControls(BUDGET_CONTROLS, judged.scope, answersOf(BUDGET_CONTROLS, input));
    assert.ok(judged.score <= unlowered.score);
  }),
  'a number that contradicts an answer never improves score, verdict or grade': holds(
    [allOf(BUDGET_CONTROLS), fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), fc.nat(4)],
    (answers: Text, contradicted: boolean[], index: number) => {
      const numbers = (turned: boolean[]) =>
        Object.fromEntries(CONTRADICTIONS.map(([name, fits, not], at) => [name, turned[at] ? not : fits]));
      const input = (turned: boolean[]) => BudgetAuditParameters.parse({ ...FITTING, ...numbers(turned), ...answers });
      assertNotBetter(input(contradicted.with(index, true)), input(contradicted.with(index, false)));
    },
  ),
  'a control out of scope is no finding and does not touch the score': holds(
    [budget, coordination, answer],
    (audit: BudgetAuditInput, system: CoordinationAuditInput, other: string) => {
      const scope = judgeBudget(audit).scope;
      const outside = BUDGET_CONTROLS.filter((control) => !control.scope.some((name) => scope.includes(name)));
      const turned = { ...audit, ...Object.fromEntries(outside.map(({ id }) => [id, other])) };
      const judged = judgeBudget(turned);
      assert.equal(judged.score, judgeBudget(audit).score);
      for (const { control } of judged.open) assert.ok(!outside.some(({ id }) => id === control.id));
      const result = judgeCoordination(system);
      for (const { control } of result.open) assert.ok(control.scope.some((name) => result.scope.includes(name)));
    },
  ),
  'a grade never contradicts its verdict': holds(
    [budget, coordination],
    (audit: BudgetAuditInput, system: CoordinationAuditInput) => {
      assertGradeFits(judgeBudget(audit));
      assertGradeFits(judgeCoordination(system));
    },
  ),
  'a bounded worst case is within the budget, and no loss is above the worst case': holds(
    [budget],
    (input: BudgetAuditInput) => {
      const { figures } = judgeBudget(input);
      if (figures.bounded) assert.ok(figures.worstCaseMicro <= figures.budgetMicro);
      assert.ok(figures.lossMicro <= figures.worstCaseMicro);
      for (const value of Object.values(exposureOf(figures)))
        if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0);
    },
  ),
  'every given figure is echoed as it was given': holds([budget], (input: BudgetAuditInput) => {
    assert.deepEqual(auditBudget(input).declared, { ...input });
  }),
};
