import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type BudgetAuditInput, auditBudget } from '#areas/audits/budget-audit.ts';
import { ASSUMPTIONS } from '#areas/audits/budget-exposure.ts';
import { auditCoordination } from '#areas/audits/coordination-audit.ts';
import { fuse } from '#areas/audits/fuse.ts';
import { BudgetAuditParameters, CoordinationAuditParameters, SpendParameters } from '#areas/audits/inputs.ts';
import { BudgetAudit, CoordinationAudit, FuseVerdict } from '#areas/audits/outputs.ts';
import {
  type AuditVector,
  type FuseVector,
  ownVectors,
  sharedVectors,
  sharedVectorsMissing,
  vectorMemory,
} from './audit-vectors.ts';

suite('vectors of the project', () => {
  test('26 spends get the verdict, stops, cautions and expected value', () => checkFuse(ownVectors.fuse));
  test('nine budgets get verdict, score, exposure, settings and findings', () => checkBudget(ownVectors.budget));
  test('five systems get verdict, score and findings', () => checkCoordination(ownVectors.coordination));

  test('the assumptions stand in their order', () => {
    for (const { name, query, expect } of ownVectors.budget) {
      const named = expect.exposure?.assumptions.map((key) => ASSUMPTIONS[key as keyof typeof ASSUMPTIONS]);
      assert.deepEqual(auditBudget(query as unknown as BudgetAuditInput).exposure.assumptions, named, name);
    }
  });
});

suite('vectors of several implementations', { skip: sharedVectorsMissing }, () => {
  test('26 spends', () => checkFuse(sharedVectors().fuse));
  test('nine budgets', () => checkBudget(sharedVectors().budget));
  test('five systems', () => checkCoordination(sharedVectors().coordination));

  test('the project has the same cases', () => {
    const shared = sharedVectors();
    for (const kind of ['fuse', 'budget', 'coordination'] as const) {
      const byId = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
      assert.deepEqual(
        ownVectors[kind].map(({ query }) => query),
        shared[kind].toSorted(byId).map(({ query }) => query),
      );
    }
  });
});

function checkFuse(vectors: readonly FuseVector[]): void {
  assert.equal(vectors.length, 26);
  for (const { name, query, isRemembered, expect } of vectors) {
    const result = FuseVerdict.parse(fuse(SpendParameters.parse(query), vectorMemory(isRemembered)));
    const { verdict, stops, cautions, expected_value_usd: value } = result;
    assert.deepEqual({ verdict, stops, cautions, expected_value_usd: value }, expect, name);
    assert.deepEqual(result.declared, query, name);
  }
}

function checkBudget(vectors: readonly AuditVector[]): void {
  assert.equal(vectors.length, 9);
  for (const { name, query, expect } of vectors) {
    const result = BudgetAudit.parse(auditBudget(BudgetAuditParameters.parse(query)));
    checkScore(name, result, expect);
    const counted = ({ assumptions, ...figures }: { assumptions: readonly string[] }) => {
      return { ...figures, assumptions: assumptions.length };
    };
    assert.deepEqual(counted(result.exposure), counted(expect.exposure ?? { assumptions: [] }), name);
    assert.equal(result.expected_value_usd, expect.expected_value_usd, name);
    assert.deepEqual(result.recommended_fuse_settings, expect.fuse, name);
    assert.deepEqual(result.declared, query, name);
  }
}

function checkCoordination(vectors: readonly AuditVector[]): void {
  assert.equal(vectors.length, 5);
  for (const { name, query, expect } of vectors) {
    const result = CoordinationAudit.parse(auditCoordination(CoordinationAuditParameters.parse(query)));
    checkScore(name, result, expect);
    assert.deepEqual(
      result.first_three_steps,
      result.findings.slice(0, 3).map(({ fix }) => fix),
      name,
    );
  }
}

interface Shown {
  readonly verdict: string;
  readonly score: number;
  readonly grade: string;
  readonly findings: readonly { readonly control: string }[];
}

function checkScore(name: string, { verdict, score, grade, findings }: Shown, expect: AuditVector['expect']): void {
  const controls = findings.map(({ control }) => control);
  const { verdict: v, score: s, grade: g, controls: c } = expect;
  assert.deepEqual({ verdict, score, grade, controls }, { verdict: v, score: s, grade: g, controls: c }, name);
}
